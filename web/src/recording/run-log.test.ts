import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import type { TraceEvent } from '../../../src/core/index.ts'
import { prepare } from '../../../src/scenario/index.ts'
import { type RunResult, resultOf, simulate } from '../../../src/sim/index.ts'
import type { EngineAnswer } from '../engine/protocol.ts'
import { electionSession } from '../engine/run-session.ts'
import { STATUSES } from './events.ts'
import { RunFrame } from './frame.ts'
import { RunLog } from './run-log.ts'

type Given = Readonly<Record<string, unknown>>

/** A run as the page gets it, and as the simulator tells it by itself. */
function recorded(name: string, given: Given) {
  const algorithm = catalogue.find((one) => one.name === name)!
  let log: RunLog | undefined
  let result: unknown
  const take = (answer: EngineAnswer) => {
    if (answer.what === 'begun') log = new RunLog(answer.world)
    if (answer.what === 'chunk') log?.append(structuredClone(answer.chunk))
    if (answer.what === 'ended') result = answer.result
  }
  for (const _ of electionSession(given, algorithm, take));
  const events: TraceEvent[] = []
  const { world, conditions, properties } = prepare(given, algorithm, String)
  const simulation = simulate(world, conditions, properties, { trace: (it) => events.push(it) })
  const expected = resultOf(simulation, simulation.finish())
  return { log: log!, result: result as RunResult, events, expected }
}

const scenarios = fc.record({
  name: fc.constantFrom('chang-roberts', 'hirschberg-sinclair', 'bully', 'wireless', 'singh'),
  n: fc.integer({ min: 3, max: 12 }),
  seed: fc.integer({ min: 0, max: 1000 }),
  crash: fc.constantFrom('none', '1@3', '0@2', '1', '0,2'),
  loss: fc.constantFrom(0, 0.2),
})

describe('a run in the page', () => {
  it('has the events, the counts and the outcome of the simulator', () => {
    fc.assert(
      fc.property(scenarios, ({ name, ...given }) => {
        const { log, result, events, expected } = recorded(name, { ...given, until: 200 })
        expect(log.at.length).toBe(events.length)
        for (const [i, { at, node, event }] of events.entries())
          expect(log.event(i)).toMatchObject({ at, node, kind: event })
        expect(result).toEqual(expected)
        const frame = new RunFrame(log).seek(log.steps)
        expect(frame.messages).toBe(expected.messages.total)
        expect(frame.bits).toBe(expected.bits)
        expect(frame.lost).toBe(expected.messages.lost)
        expect(frame.toDead).toBe(expected.messages.toDead)
        expect(Array.from(frame.status, (status) => STATUSES[status])).toEqual(
          expected.nodes?.map(({ status }) => status),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('looks the same at a step however one gets there', () => {
    const { log } = recorded('chang-roberts', { n: 130, ids: 'decreasing' })
    expect(log.steps).toBeGreaterThan(8000)
    const shown = ({ step, status, state, leader, open, sent }: RunFrame) =>
      structuredClone({ step, status, state, leader, open: [...open], sent })
    const walked = new RunFrame(log)
    const pictures = new Map<number, unknown>()
    for (let step = 0; step <= log.steps; step += 777) pictures.set(step, shown(walked.seek(step)))
    fc.assert(
      fc.property(fc.shuffledSubarray([...pictures.keys()], { minLength: 5 }), (steps) => {
        const jumping = new RunFrame(log)
        for (const step of steps) expect(shown(jumping.seek(step))).toEqual(pictures.get(step))
      }),
      { numRuns: 5 },
    )
  })
})
