import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Algorithm, type TraceEvent, UsageError } from '../../../src/core/index.ts'
import { fork, type Intervention } from '../../../src/scenario/index.ts'
import { sample } from '../../support/campaign.ts'
import { granted, makesSense, overtaken, runsOf, wishes } from '../../support/forks.ts'
import { ending, named, observe, preparation } from '../../support/random-worlds.ts'

/** What comes before a moment, line by line. */
function past(events: readonly TraceEvent[], at: number) {
  return events.filter((event) => event.at < at).map((event) => JSON.stringify(event))
}

function forked(given: Record<string, unknown>, algorithm: Algorithm, intervention: Intervention) {
  try {
    return fork(given, algorithm, intervention)
  } catch (complaint) {
    if (complaint instanceof UsageError) return null
    throw complaint
  }
}

/** What must be seen of an intervention; nothing where the limit on messages came first. */
function expectDone(intervention: Intervention, events: readonly TraceEvent[]) {
  const { at } = intervention
  if (intervention.what === 'crash' || intervention.what === 'recover')
    expect(events).toContainEqual(
      expect.objectContaining({ event: intervention.what, at, node: intervention.node }),
    )
  if (intervention.what === 'wake')
    expect(
      // A node that crashes at that very moment does not wake.
      events.find(
        ({ node, event }) => node === intervention.node && /wake|receive|crash/.test(event),
      ),
    ).toMatchObject({ at })
  if (!('message' in intervention)) return
  const ends = events.filter(
    (event) =>
      'message' in event &&
      event.message === intervention.message &&
      event.at >= at &&
      /receive|vanish|lose/.test(event.event),
  )
  expect(ends.length).toBeGreaterThan(0)
  for (const end of ends) {
    if (intervention.what === 'drop') expect(end).toMatchObject({ event: 'lose', at })
    else
      expect(end).toMatchObject({
        event: expect.stringMatching(/receive|vanish/),
        at: intervention.to,
      })
  }
}

describe('a forked run', () => {
  it.each(named(sample(ending, 3)))('of %s is the same before the intervention', (_, algorithm) => {
    fc.assert(
      fc.property(
        runsOf(algorithm),
        fc.array(wishes, { minLength: 1, maxLength: 3 }),
        (given, interventions) => {
          let scenario: Record<string, unknown> = { ...preparation(algorithm, given).scenario }
          for (const wish of interventions) {
            const before = preparation(algorithm, scenario)
            const { events } = observe(algorithm, scenario)
            const { synchronous, fifo } = before.conditions
            const intervention = granted(wish, events, before.world.topology, synchronous)
            const next = forked(scenario, algorithm, intervention)
            const sensible = makesSense(intervention, events, { fifo, again: scenario.again })
            if (sensible !== null && intervention.at > (synchronous ? 1 : 0))
              expect([intervention, next !== null]).toEqual([intervention, sensible])
            if (next === null) continue
            scenario = { ...next }
            const after = observe(algorithm, scenario)
            expect(past(after.events, intervention.at)).toEqual(past(events, intervention.at))
            if (after.result.messages.total < 500) expectDone(intervention, after.events)
            if (fifo) expect(overtaken(after.events)).toBeUndefined()
          }
        },
      ),
      { numRuns: 12 },
    )
  })
})
