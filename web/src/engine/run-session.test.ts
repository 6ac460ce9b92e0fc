import { describe, expect, it } from 'vitest'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { CycleResult } from '../../../src/sim/index.ts'
import { aggregationNamed, outcome } from '../../../test/support/gossip-fixture.ts'
import { gallery } from '../panel/gallery.ts'
import { RunFrame } from './../recording/frame.ts'
import { RunLog } from './../recording/run-log.ts'
import type { EngineAnswer } from './protocol.ts'
import { aggregationSession } from './run-session.ts'

/** A run as the lab records it. */
function recorded(given: ScenarioInput) {
  let log: RunLog | undefined
  let result: unknown
  const take = (answer: EngineAnswer) => {
    if (answer.what === 'begun') log = new RunLog(answer.world)
    if (answer.what === 'chunk') log?.append(structuredClone(answer.chunk))
    if (answer.what === 'ended') result = answer.result
  }
  for (const _ of aggregationSession(given, aggregationNamed(given.algorithm), take));
  return { log: log!, result: result as CycleResult }
}

const exhibits = gallery
  .flatMap((room) => room.exhibits)
  .filter(({ scenario }) => aggregationNamed(scenario.algorithm) && scenario.timing !== 'cycles')

describe('an exhibit of gossip by messages in the lab', () => {
  it.each(exhibits)('$title shows what the simulator computes', ({ scenario }) => {
    const { log, result } = recorded(scenario)
    const expected = outcome(scenario, null)
    expect(result).toEqual(expected.result)
    expect(log.at.length).toBe(expected.events.length)
    const frame = new RunFrame(log).seek(log.steps)
    expect(frame.messages).toBe(expected.result.messages.total)
    for (const [node, estimate] of expected.estimates.entries())
      if (!Number.isNaN(estimate)) expect(frame.estimate[node]).toBe(estimate)
  })
})
