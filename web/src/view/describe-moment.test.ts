import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import { type Algorithm, algorithm, message } from '../../../src/core/index.ts'
import { leaderPerTerm } from '../../../src/problems/leader-per-term.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { RunResult } from '../../../src/sim/index.ts'
import type { EngineAnswer } from '../engine/protocol.ts'
import { electionSession } from '../engine/run-session.ts'
import { RunFrame } from '../recording/frame.ts'
import { RunLog } from '../recording/run-log.ts'
import { describeMoment } from './describe-moment.ts'
import { describeStep } from './describe-step.ts'

/** A whole run, with a frame to look at it from. */
function run(name: string | Algorithm, given: ScenarioInput) {
  const algorithm = typeof name === 'string' ? catalogue.find((one) => one.name === name)! : name
  let log!: RunLog
  let result!: RunResult
  const take = (answer: EngineAnswer) => {
    if (answer.what === 'begun') log = new RunLog(answer.world)
    if (answer.what === 'chunk') log.append(answer.chunk)
    if (answer.what === 'ended') result = answer.result as RunResult
  }
  for (const _ of electionSession(given, algorithm, take));
  const frame = new RunFrame(log)
  return { log, result, tell: (step: number) => describeMoment(frame.seek(step), result) }
}

const RING = [3, 2, 7, 8, 5, 4, 1, 6]

describe('the description of a run', () => {
  it('which node becomes leader, and after how many messages', () => {
    const { log, tell } = run('chang-roberts', { ids: RING })
    const step = log.stepsUntil(8)
    // How far each id goes until it meets a larger one, and the first message of the announcement.
    const sent = 2 + 1 + 1 + 8 + 3 + 2 + 1 + 3 + 1
    expect(tell(step).text).toBe(`Position 3 (id 8) becomes leader after ${sent} messages.`)
    expect(tell(step).notable).toBe(true)
  })

  it('in which term a node leads', () => {
    const NOTE = message({})
    const termed = algorithm({
      name: 'termed',
      needs: { topology: 'ring', ids: 'unique' },
      messages: { NOTE },
      state: {},
      wakes: false,
      problem: leaderPerTerm,
      start: (_, net) => net.lead({ term: 7 }),
      on: { NOTE() {} },
    })
    const { log, tell } = run(termed, { ids: '1,2', wake: '1@0,0@5' })
    expect(tell(1).text).toBe('Position 1 (id 2) becomes leader in term 7 after 0 messages.')
    expect(describeStep(log, 0)).toContain('becomes leader in term 7')
  })

  it('how it begins and ends', () => {
    const { log, result, tell } = run('chang-roberts', { ids: RING })
    expect(tell(0).text).toBe('Nothing has happened yet: chang-roberts with 8 nodes on ring:8.')
    const { total } = result.messages
    expect(tell(log.steps).text).toBe(
      `The end: position 3 (id 8) leads, after ${total} messages in all.`,
    )
  })

  it('that something is violated, in the moment in which it is', () => {
    const { log, tell } = run('bully', { n: 4, ids: 'increasing', wake: '0', set: { patience: 1 } })
    const told = tell(log.stepsUntil(1))
    expect(told.grave).toBe(true)
    expect(told.text).toMatch(/^Violated: at most one leader\. Nodes .* lead at once\.$/)
    expect(tell(log.stepsUntil(0)).grave).toBe(false)
  })

  it('crashes, recoveries and messages to crashed nodes', () => {
    const given = { ids: [0, 1, 2, 3], wake: '0', crash: '3@5', recover: '3@20', detect: 'off' }
    const { log, tell } = run('bully', given)
    expect(tell(log.stepsUntil(5)).text).toBe('Position 3 (id 3) crashes at time 5.')
    expect(tell(log.stepsUntil(20)).text).toMatch(
      /^Position 3 \(id 3\) recovers and becomes leader after \d+ messages/,
    )
    const { log: dead } = run('bully', { ids: [0, 1, 2], crash: '2', wake: '0', detect: 'off' })
    const sentences = Array.from({ length: dead.steps }, (_, step) => describeStep(dead, step))
    expect(sentences).toContain(
      'Position 2 (id 2) has crashed, so election from position 0 is lost.',
    )
    expect(sentences).toContain('Position 0 (id 0) wakes and sends election to 2 others.')
  })

  it('every step of every run is a sentence', () => {
    const worlds = fc.record({
      name: fc.constantFrom(...catalogue.map(({ name }) => name)),
      n: fc.integer({ min: 1, max: 9 }),
      seed: fc.nat(1000),
      crash: fc.constantFrom('none', '0@3'),
      loss: fc.constantFrom(0, 0.2),
    })
    fc.assert(
      fc.property(worlds, ({ name, ...given }) => {
        const { log, tell } = run(name, { ...given, until: 100, 'max-messages': 2000 })
        for (let step = 0; step <= log.steps; step++) {
          const sentences = [tell(step).text, ...(step > 0 ? [describeStep(log, step - 1)] : [])]
          for (const sentence of sentences) {
            expect(sentence).toMatch(/^[A-Z].*\.$/)
            expect(sentence).not.toMatch(/undefined|NaN|null|object|\.\.$/)
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
