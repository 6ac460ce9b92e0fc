import { describe, expect, it } from 'vitest'
import { type Aggregation, aggregations, catalogue } from '../../src/algorithms/index.ts'
import { check as explore } from '../../src/api/check.ts'
import { simulate } from '../../src/api/simulate.ts'
import { checkWorld } from '../../src/check/index.ts'
import { defaultMode } from '../../src/check/options.ts'
import { runInMemory } from '../../src/cluster/index.ts'
import { type Algorithm, Random, type TraceEvent } from '../../src/core/index.ts'
import { isRestartable } from '../../src/core/runtime/restart.ts'
import { sealed } from '../../src/core/runtime/sealed/sealed.ts'
import { propertiesOf } from '../../src/problems/algorithm-properties.ts'
import type { ScenarioInput } from '../../src/scenario/index.ts'
import { sample } from '../support/campaign.ts'
import { clustered, named, observe, possibleSize, preparation } from '../support/random-worlds.ts'

/*
 * Sealing changes nothing of algorithms that keep to their definitions, as all of the catalogue do:
 * the same events in runs, the same states in explorations.
 */

const elections = named(catalogue.filter(({ quiet }) => quiet === null))

function synchronous({ needs }: Algorithm): boolean {
  return needs.time === 'rounds'
}

/** Faults that the algorithm survives, or at least answers. */
function faultsFor(algorithm: Algorithm): ScenarioInput {
  const crash = { crash: '1@2', ...(algorithm.lasting && { recover: '1@30' }) }
  return algorithm.lasting || isRestartable(algorithm) ? crash : { loss: '0.1' }
}

function expectSameRun(algorithm: Algorithm, given: ScenarioInput): void {
  const [usual, checked] = [algorithm, sealed(algorithm)].map((one) => {
    const { result, events } = observe(one, given)
    return { result, events }
  })
  expect(checked.events).toEqual(usual.events)
  expect(checked.result).toEqual(usual.result)
}

describe.each(sample(elections, 3))('%s, sealed', (_, algorithm) => {
  const timings = synchronous(algorithm) ? ['sync'] : ['sync', 'async']

  it.each(timings)('runs as before: %s', (timing) => {
    const delay = timing === 'async' ? { delay: 'uniform:1:10' } : {}
    for (const size of process.env.LONG_TESTS ? [1, 2, 3, 8, 21] : [1, 2, 3, 8])
      for (const seed of [1, 2])
        expectSameRun(algorithm, { n: possibleSize(algorithm, size), timing, seed, ...delay })
  })

  it('runs as before with faults', () => {
    if (synchronous(algorithm)) return
    for (const seed of [1, 2, 3])
      expectSameRun(algorithm, { n: possibleSize(algorithm, 6), seed, ...faultsFor(algorithm) })
  })

  it('is explored as before', () => {
    const { world } = preparation(algorithm, { n: possibleSize(algorithm, 3) })
    const options = {
      ...{ mode: defaultMode(algorithm), order: 'fifo' as const, limits: { states: 20_000 } },
      wake: algorithm.needs.start === 'together' ? [0, 1, 2] : 'any',
      properties: propertiesOf(algorithm, false),
    } as const
    const usual = checkWorld(world, options)
    const checked = checkWorld({ ...world, algorithm: sealed(algorithm) }, options)
    expect(checked).toEqual(usual)
    expect(checked.states).toBeGreaterThan(3)
  })

  it('is explored as before with faults', () => {
    if (synchronous(algorithm)) return
    const { crash } = faultsFor(algorithm)
    const faults = crash === undefined ? { losses: 1 } : { crashes: 1, recoveries: 1 }
    const coins = algorithm.needs.coins ? { draws: 2 } : {}
    const options = {
      n: possibleSize(algorithm, 3),
      ...faults,
      ...coins,
      states: 3000,
      allowWeaker: true,
    }
    expect(explore(sealed(algorithm), options)).toEqual(explore(algorithm, options))
  })

  it('is run between processes as before', async () => {
    // With timers the outcome depends on the real time.
    if (algorithm.needs.time !== undefined || !clustered.includes(algorithm)) return
    const topology = algorithm.needs.topology === 'any' ? { topology: 'complete:5' } : {}
    const { world } = preparation(algorithm, { n: '5', ...topology })
    const run = (one: Algorithm) =>
      runInMemory({ ...world, algorithm: one }, { random: Random.from(5), unit: 1 })
    expect(await run(sealed(algorithm))).toEqual(await run(algorithm))
  })
})

const computed = aggregations.map((one) => [one.name, one] as const)

describe.each(sample(computed, 3))('%s, sealed', (_, one) => {
  const sealedOne = { ...one, algorithm: (settings: never) => sealed(one.algorithm(settings)) }

  it('runs by messages as before', () => {
    const options = { n: 12, timing: 'async', until: 8, crash: [{ node: 1, at: 30 }] } as const
    const run = (aggregation: Aggregation) => {
      const events: TraceEvent[] = []
      const result = simulate(aggregation, { ...options, trace: (event) => events.push(event) })
      return { result, events }
    }
    expect(run(sealedOne)).toEqual(run(one))
  })
})
