import { describe, expect, it } from 'vitest'
import type { Aggregation } from '../../../src/algorithms/index.ts'
import { flagged, prepare } from '../../../src/scenario/index.ts'
import { aggregationCycles, estimator, observe } from '../../../src/sim/index.ts'
import { compiled } from '../../support/mutant.ts'
import { simulate } from '../../support/random-worlds.ts'
import {
  type AggregationMutant,
  aggregationMutants,
  endlessMutants,
} from '../../support/run-mutants.ts'

describe('a planted bug is found by a run, and nothing where there is none', () => {
  it.each(endlessMutants)('$file: $bug', async (mutant) => {
    const { breaks, world } = mutant
    const wrong = simulate(await compiled(mutant, true), world).verdict
    expect(wrong.properties.find(({ name }) => name === breaks)?.holds, breaks).toBe(false)
    expect(simulate(await compiled(mutant, false), world).verdict.ok).toBe(true)
  })

  it.each(aggregationMutants)('$file: $bug', async (mutant) => {
    expect(judged(await compiled<Aggregation>(mutant, false), mutant)).toBe(true)
    expect(judged(await compiled<Aggregation>(mutant, true), mutant)).toBe(false)
  })
})

/** Whether a run keeps what the mutant breaks. */
function judged(aggregation: Aggregation, { world, breaks, error }: AggregationMutant): boolean {
  const { scenario, begin } = prepare(world, aggregation, flagged)
  const run = begin()
  for (const _ of aggregationCycles(run, scenario));
  if (breaks === 'sum') return (observe(run, 0.01, null).massError ?? 0) < 1e-9
  const estimate = estimator(run)
  const truth = run.truth()
  return Array.from({ length: run.n }, (_, node) => estimate(node)).every(
    (found) => Math.abs(found - truth) <= error * truth,
  )
}
