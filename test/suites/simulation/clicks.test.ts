import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Aggregation, aggregations, bully, lcr } from '../../../src/algorithms/index.ts'
import { type Algorithm, UsageError } from '../../../src/core/index.ts'
import {
  type AggregationScenario,
  forkedRun,
  type Intervention,
  prepare,
  type ScenarioInput,
  type SeenRun,
} from '../../../src/scenario/index.ts'
import type { EngineAnswer } from '../../../web/src/engine/protocol.ts'
import { recordingSession, sessionOf } from '../../../web/src/engine/sessions.ts'
import { recordedBefore } from '../../../web/src/recording/moment.ts'
import { RunLog } from '../../../web/src/recording/run-log.ts'
import { sample } from '../../support/campaign.ts'
import { granted, runsOf, wishes } from '../../support/forks.ts'
import { ending, named, observe } from '../../support/random-worlds.ts'

/** A run as the page knows it. */
function recorded(what: Algorithm | Aggregation, given: ScenarioInput) {
  let log: RunLog | undefined
  let scenario: ScenarioInput = {}
  let params: SeenRun['params'] = {}
  let isWhole = false
  const take = (answer: EngineAnswer) => {
    if (answer.what === 'begun') {
      log = new RunLog(answer.world)
      scenario = { ...answer.scenario }
      params = answer.params
    }
    if (answer.what === 'chunk') log!.append(structuredClone(answer.chunk))
    if (answer.what === 'ended') isWhole = !answer.cut
  }
  for (const _ of recordingSession(given, what, take));
  const seenBefore = (intervention: Intervention, period: number | null): SeenRun | undefined => {
    const snapshot = recordedBefore(log!, isWhole, intervention, period)
    return snapshot ? { params, snapshot } : undefined
  }
  return { scenario, seenBefore }
}

/** The changed scenario, or why there is none. */
function outcome(
  scenario: ScenarioInput,
  what: Algorithm | Aggregation,
  intervention: Intervention,
  seen?: SeenRun,
) {
  try {
    return forkedRun(scenario, what, intervention, { seen }).scenario
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

describe('a change to what was recorded', () => {
  let compared = 0

  it.each(named(sample(ending, 3)))('of %s is the one to what is simulated', (_, algorithm) => {
    fc.assert(
      fc.property(runsOf(algorithm), wishes, (given, wish) => {
        const { scenario, seenBefore } = recorded(algorithm, given)
        const { world, conditions } = prepare(scenario, algorithm, String)
        const { events } = observe(algorithm, scenario)
        const intervention = granted(wish, events, world.topology, conditions.synchronous)
        const seen = seenBefore(intervention, null)
        if (seen === undefined) return
        compared++
        expect(outcome(scenario, algorithm, intervention, seen)).toEqual(
          outcome(scenario, algorithm, intervention),
        )
      }),
      { numRuns: 24 },
    )
  })

  it('needs no simulation in many of these cases', () => {
    expect(compared).toBeGreaterThan(60)
  })

  it.each(['gossip-average', 'push-sum', 'flow-updating', 'rumor'])('of %s, too', (name) => {
    const aggregation = aggregations.find((one) => one.name === name)!
    const given = { n: 6, until: 8, crash: '2@3', wake: '0,1,2,3,4', delay: 'uniform:1:10' }
    const known = recorded(aggregation, { ...given, timing: 'async' })
    const whole = known.scenario as unknown as AggregationScenario
    const period = Number(whole.set.period)
    const one = (intervention: Intervention) => {
      const seen = known.seenBefore(intervention, period)
      expect(seen, JSON.stringify(intervention)).toBeDefined()
      const scenario = { ...known.scenario }
      expect(outcome(scenario, aggregation, intervention, seen)).toEqual(
        outcome(scenario, aggregation, intervention),
      )
    }
    for (const at of [2, 4])
      for (const what of ['crash', 'recover', 'wake'] as const)
        for (const node of [0, 2, 5, 6]) one({ what, node, at })
    for (let message = 0; message < 30; message++) {
      one({ what: 'drop', message, at: 1.5 * period })
      one({ what: 'arrive', message, at: 1.5 * period, to: 1.7 * period })
    }
  })

  it('in cycles, too', () => {
    const aggregation = aggregations.find(({ name }) => name === 'gossip-average')!
    const known = recorded(aggregation, { n: 6, until: 8, crash: '2@3', timing: 'cycles' })
    for (const node of [0, 2, 6])
      for (const at of [2, 3, 4]) {
        const intervention = { what: 'crash', node, at } as const
        const seen = known.seenBefore(intervention, null)
        expect(seen).toBeDefined()
        expect(outcome(known.scenario, aggregation, intervention, seen)).toEqual(
          outcome(known.scenario, aggregation, intervention),
        )
      }
  })

  it('is looked up by a simulation where the recording does not reach it', () => {
    const { seenBefore } = recorded(lcr, { n: 5 })
    expect(seenBefore({ what: 'recover', node: 1, at: 0 }, null)).toBeUndefined()
    const late = { what: 'arrive', message: 3, at: 0.5, to: 900 } as const
    expect(seenBefore(late, null)).toMatchObject({ snapshot: { inFlight: true } })
  })
})

describe('a click', () => {
  /** Counts how often its parameters are derived, and how often id 7 starts in a simulation. */
  function counted(algorithm: Algorithm) {
    const counts = { preparations: 0, simulations: 0 }
    const [[name, parameter]] = Object.entries(algorithm.params)
    const value: typeof parameter.value = (facts) => {
      counts.preparations++
      return parameter.value(facts)
    }
    const start: Algorithm['start'] = (my, net) => {
      if (my.id === 7) counts.simulations++
      algorithm.start(my, net)
    }
    const params = { ...algorithm.params, [name]: { ...parameter, value } }
    return { counts, watched: { ...algorithm, params, start } }
  }

  it.each<Intervention>([
    { what: 'crash', node: 2, at: 1.5 },
    { what: 'drop', message: 1, at: 0.5 },
    { what: 'arrive', message: 1, at: 0.5, to: 3 },
    { what: 'cut', link: [0, 1], at: 1.5 },
  ])('that makes $what takes one preparation and one simulation', (intervention) => {
    const { counts, watched } = counted(bully)
    const known = recorded(watched, { ids: [7, 1, 2, 3], wake: 'all', until: 40 })
    expect(counts).toEqual({ preparations: 1, simulations: 1 })
    const { scenario, seenBefore } = known
    const seen = seenBefore(intervention, null)
    const request = { scenario, code: null, intervention, seen, want: 'run' } as const
    for (const _ of sessionOf(watched, request, () => {}));
    expect(counts).toEqual({ preparations: 2, simulations: 2 })
  })
})
