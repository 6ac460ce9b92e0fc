import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { type Algorithm, algorithm, message } from '../../../src/core/index.ts'
import { leaderPerTerm } from '../../../src/problems/leader-per-term.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { CycleResult, RunResult } from '../../../src/sim/index.ts'
import { possibleSize } from '../../../test/support/random-worlds.ts'
import type { EngineAnswer } from '../engine/protocol.ts'
import { recordingSession } from '../engine/sessions.ts'
import { RunFrame } from '../recording/frame.ts'
import { RunLog } from '../recording/run-log.ts'
import { describeMoment, type MomentContext } from './describe-moment.ts'
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
  for (const _ of recordingSession(given, algorithm, take));
  const frame = new RunFrame(log)
  return {
    log,
    result,
    /** The moment after a number of steps. */
    tell: (step: number, context: MomentContext = {}) =>
      describeMoment(frame.seek(step), { result, ...context }),
    /** The last of a number of steps. */
    say: (step: number) => describeStep(frame.seek(step)),
  }
}

const RING = [3, 2, 7, 8, 5, 4, 1, 6]

describe('the description of a run', () => {
  it('which node becomes leader, and after how many messages', () => {
    const { log, tell } = run('chang-roberts', { ids: RING })
    const step = log.stepsUntil(8)
    // How far each id goes until it meets a larger one; the announcement comes after.
    const sent = 2 + 1 + 1 + 8 + 3 + 2 + 1 + 3
    expect(tell(step).text).toBe(`8 becomes leader after ${sent} messages: its own id 8 is back.`)
    expect(tell(step).notable).toBe(true)
  })

  it('what a node does and why, for a single event', () => {
    const { log, tell } = run('chang-roberts', { ids: RING })
    const first = log.stepsUntil(0)
    expect(tell(first + 1, { single: true }).text).toMatch(/^\d (swallows|passes on) \d, since /)
    // 3 swallows 2 at time 1: a whole moment names what few nodes do first.
    const moment = tell(log.stepsUntil(1)).text
    expect(moment).toMatch(/^[A-Z0-9].*(swallows|passes on|become passive).*\.$/)
    expect(moment).not.toMatch(/messages arrive/)
  })

  it('counts exactly, however many messages there are', () => {
    const { log, tell } = run('lcr', { n: 3000, ids: 'decreasing', 'max-messages': 9000 })
    expect(tell(log.stepsUntil(1)).text).toContain('3,000 messages arrive')
  })

  it('names several leaders, at the violation and after it', () => {
    const given = { ids: [0, 1, 2, 3, 4], wake: '0', set: { patience: 1 }, until: 30 }
    const { log, tell } = run('bully', given)
    const after = log.violations[0].step
    const two = Array.from({ length: log.steps - after }, (_, i) =>
      tell(after + i, { result: null }),
    )
    expect(two.some(({ text, grave }) => grave && / lead at once\.$/.test(text))).toBe(true)
  })

  it('that nobody notices a crash, where no detector reports it', () => {
    const given = { ids: [0, 1, 2, 3], wake: '0', crash: '3@5', detect: 'off' }
    const { log, tell } = run('bully', given)
    const unnoticed = 'Nobody notices: this scenario has no failure detector.'
    expect(tell(log.stepsUntil(5), { unnoticed, result: null }).text).toBe(
      `3 crashes at time 5. ${unnoticed}`,
    )
  })

  it('names a node that has come back under another id', () => {
    const given = { ids: [0, 1, 2, 3], crash: '1@8', recover: '1@16:id=3', until: 40 }
    const { log, say } = run('bully', given)
    const sentences = Array.from({ length: log.steps }, (_, i) => say(i + 1))
    expect(sentences.find((one) => one.includes('recovers'))).toMatch(/^1 recovers as 3/)
    expect(sentences.some((one) => /\b3 at position [13]\b/.test(one))).toBe(true)
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
    const { tell, say } = run(termed, { ids: '1,2', wake: '1@0,0@5' })
    expect(tell(1).text).toBe('2 becomes leader in term 7 after 0 messages.')
    expect(say(1)).toContain('becomes leader in term 7')
  })

  it('how it begins and ends', () => {
    const { log, result, tell } = run('chang-roberts', { ids: RING })
    expect(tell(0).text).toBe('Nothing has happened yet: 8 nodes, no message.')
    const { total } = result.messages
    expect(tell(log.steps).text).toBe(`The end: 8 leads, after ${total} messages in all.`)
  })

  it('that something is violated, in the moment in which it is', () => {
    const { log, tell } = run('bully', { n: 4, ids: 'increasing', wake: '0', set: { patience: 1 } })
    const told = tell(log.stepsUntil(1))
    expect(told.grave).toBe(true)
    expect(told.text).toMatch(/^Violated: at most one leader\. \d+ and \d+ lead at once\.$/)
    expect(tell(log.stepsUntil(0)).grave).toBe(false)
  })

  it('crashes, recoveries and messages to crashed nodes', () => {
    const given = { ids: [0, 1, 2, 3], wake: '0', crash: '3@5', recover: '3@20', detect: 'off' }
    const { log, tell } = run('bully', given)
    expect(tell(log.stepsUntil(5)).text).toBe('3 crashes at time 5.')
    expect(tell(log.stepsUntil(20)).text).toMatch(
      /^3 recovers and becomes leader after \d+ messages/,
    )
    const dead = run('bully', { ids: [0, 1, 2], crash: '2', wake: '0', detect: 'off' })
    const sentences = Array.from({ length: dead.log.steps }, (_, i) => dead.say(i + 1))
    expect(sentences).toContain('2 has crashed, so election from 0 is lost.')
    expect(sentences).toContain('0 wakes and sends election to 2 others.')
  })

  it('what becomes of nodes in cycles', () => {
    const given = { n: 4, values: [4, 0, 0, 0], timing: 'cycles', crash: '1@2', until: 3 }
    let log!: RunLog
    const take = (answer: EngineAnswer) => {
      if (answer.what === 'begun') log = new RunLog(answer.world)
      if (answer.what === 'chunk') log.append(answer.chunk)
    }
    const average = aggregations.find(({ name }) => name === 'gossip-average')!
    for (const _ of recordingSession(given, average, take));
    const frame = new RunFrame(log)
    const sentences = Array.from({ length: log.steps }, (_, i) => describeStep(frame.seek(i + 1)))
    expect(sentences[0]).toBe('Node 0 estimates 4.')
    expect(sentences).toContain('Node 1 has crashed.')
    for (const one of sentences) expect(one).toMatch(/^Node \d (estimates [\d.]+|has crashed)\.$/)
  })

  it('no truth that is not a number, as where nobody is left or a sum overflows', () => {
    const average = aggregations.find(({ name }) => name === 'gossip-average')!
    const cases = [
      { timing: 'cycles', crash: '100%@2' },
      { timing: 'async', crash: '100%@2' },
      { values: [1e308, 1e308, 1e308, 1e308] },
    ]
    for (const one of cases) {
      let log!: RunLog
      let result!: CycleResult
      const take = (answer: EngineAnswer) => {
        if (answer.what === 'begun') log = new RunLog(answer.world)
        if (answer.what === 'chunk') log.append(answer.chunk)
        if (answer.what === 'ended') result = answer.result as CycleResult
      }
      const given = { n: 4, until: 30, ...one }
      for (const _ of recordingSession(given, average, take));
      const { text } = describeMoment(new RunFrame(log).seek(log.steps), { result })
      expect(text).toMatch(/^The end, after/)
      expect(text).not.toMatch(/NaN|Infinity|truth/)
    }
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
      fc.property(worlds, ({ name, seed, n: size, ...faults }) => {
        const one = catalogue.find((each) => each.name === name)!
        const n = possibleSize(one, size)
        const given = { n, seed, ...(one.meet === null && faults) }
        const { log, tell, say } = run(name, { ...given, until: 100, 'max-messages': 2000 })
        for (let step = 0; step <= log.steps; step++) {
          const sentences = [
            tell(step).text,
            ...(step > 0 ? [say(step), tell(step, { single: true }).text] : []),
          ]
          for (const sentence of sentences) {
            expect(sentence).toMatch(/^[A-Z0-9].*\.$/)
            expect(sentence).not.toMatch(/undefined|NaN|null|object|\.\.$/)
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})
