import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import {
  type Algorithm,
  algorithm,
  left,
  message,
  nat,
  type TraceEvent,
  uid,
} from '../../../src/core/index.ts'
import { prepare } from '../../../src/scenario/index.ts'
import { type RunResult, resultOf, simulationOf } from '../../../src/sim/index.ts'
import { campaign } from '../../../test/support/campaign.ts'
import type { EngineAnswer } from '../engine/protocol.ts'
import { recordingSession } from '../engine/sessions.ts'
import { STATUSES } from './events.ts'
import { RunFrame } from './frame.ts'
import { RunLog } from './run-log.ts'

const HOP = message({ id: uid })
const STAY = message({ id: uid })

type Given = Readonly<Record<string, unknown>>

/** A run as the page gets it, and as the simulator tells it by itself. */
function recorded(which: string | Algorithm, given: Given) {
  const found = catalogue.find((one) => one.name === which)
  const running = found ?? (which as Algorithm)
  let log: RunLog | undefined
  let result: unknown
  const take = (answer: EngineAnswer) => {
    if (answer.what === 'begun') log = new RunLog(answer.world)
    if (answer.what === 'chunk') log?.append(structuredClone(answer.chunk))
    if (answer.what === 'ended') result = answer.result
  }
  for (const _ of recordingSession(given, running, take));
  const events: TraceEvent[] = []
  const { world, conditions, properties } = prepare(given, running, String)
  const simulation = simulationOf(world, conditions, properties, { trace: (it) => events.push(it) })
  const expected = resultOf(simulation, simulation.finish())
  const { scenario: _, ...told } = result as RunResult & { scenario: unknown }
  return { log: log!, result: told, events, expected }
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
      { numRuns: campaign(480) },
    )
  })

  it('has reasons by definition or by the change of a state, and survives mistakes', () => {
    const own = algorithm({
      name: 'odd-display',
      needs: { topology: 'ring', ids: 'unique' },
      messages: { HOP, STAY },
      state: { hops: nat },
      wakes: true,
      start: (my, net) => net.send(left, HOP, { id: my.id }),
      on: {
        HOP(my, { id }, net) {
          my.hops++
          net.send(left, STAY, { id })
        },
        STAY: (my) => {
          my.hops++
        },
      },
      display: {
        badge: { name: 'hops', of: (my) => my.hops },
        pointer: {
          name: 'none',
          of(my) {
            return my.hops === 2 ? 7 : left
          },
        },
      },
      reasons: { HOP: (my, { id }, name) => `hops over ${name.order(id, my.id)}` },
    })
    const { log, result, expected, events } = recorded(own, { n: 3, ids: [1, 3, 2] })
    expect(result).toEqual(expected)
    expect(log.at.length).toBe(events.length)
    expect(log.problems).toEqual(['the display names 7, which is no link of the node'])
    const steps = Array.from({ length: log.steps }, (_, step) => log.reason(step))
    expect(steps.slice(0, 6)).toEqual([
      ...[null, null, null, 'hops over 1 < 3', 'hops over 3 > 2', 'hops over 2 > 1'],
    ])
    expect(new Set(steps.slice(6))).toEqual(new Set(['changes hops from 1 to 2']))
    const frame = new RunFrame(log)
    expect(frame.display(0)).toBeNull()
    expect(frame.seek(4).display(1)).toEqual({ badge: '1', pointer: 2 })
    expect(frame.seek(log.steps).display(1)).toBeNull()
    expect(frame.seek(1).display(0)).toEqual({ badge: '0', pointer: 1 })
    expect(log.world.display).toEqual({ badge: 'hops', pointer: 'none', decides: {} })
  })

  it('has the facts of what is to be seen: weights by link, and values that decide', () => {
    const given = { topology: 'path:3', weights: '4,7', ids: [5, 1, 9], values: [3, 8, 2] }
    const { log } = recorded('ghs', { ...given, 'elect-by': 'value' })
    const { weights, values, display } = log.world
    expect([[...(weights as Float64Array)], [...(values as Float64Array)]]).toEqual([
      [0, 1, 4, 1, 2, 7],
      [3, 8, 2],
    ])
    expect(display).toMatchObject({ group: 'fragment', badge: 'level', edges: true })
    const frame = new RunFrame(log).seek(log.steps)
    const roles = [0, 1, 2].flatMap((node) => frame.display(node)!.edges!)
    expect(roles.map(([, role]) => role).toSorted()).toEqual(['core', 'tree', 'tree', 'tree'])
    const groups = new Set([0, 1, 2].map((node) => frame.display(node)!.group))
    expect([...groups].every((group) => ['5', '1', '9'].includes(group!))).toBe(true)
    expect(groups.size).toBe(1)
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
