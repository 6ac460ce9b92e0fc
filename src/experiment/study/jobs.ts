import { Random } from '../../core/index.ts'
import { permutationAt } from '../../core/numbers.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { type Experiment, repeatsAt, sizeAt } from './document.ts'
import { pointsOf, type SweepPoint, scenarioAt, sweptShares } from './sweep.ts'

/** One run of an experiment, as JSON-like data for a worker. */
export interface ExperimentJob {
  /** Its number in the experiment, from 0. */
  readonly run: number
  readonly point: SweepPoint
  readonly repeat: number
  readonly scenario: ScenarioInput
  readonly measures: readonly string[]
}

/** Seeds are small enough to copy by hand. */
const SEEDS = 2 ** 32

/** All runs, in the order of the table. */
export function jobsOf(experiment: Experiment): ExperimentJob[] {
  const { base, measures, repeat: repeats, sweep } = experiment
  const jobs: ExperimentJob[] = []
  const shares = sweptShares(base, sweep, 'sweep')
  for (const point of pointsOf(sweep)) {
    const scenario = scenarioAt(base, point, shares)
    const count = repeatsAt(experiment, point)
    for (let repeat = 0; repeat < count; repeat++) {
      const seed = scenario.seed ?? seedOf(experiment, point, repeat)
      const ids = repeats === 'all' && { ids: permutationAt(sizeAt(experiment, point), repeat) }
      const run = jobs.length
      jobs.push({ run, point, repeat, scenario: { ...scenario, ...ids, seed }, measures })
    }
  }
  return jobs
}

/**
 * The seed depends only on the point and the repeat, so that more points do not change the others.
 * It does not depend on the algorithm, so that algorithms are compared in the same worlds.
 */
function seedOf({ seed, repeat: repeats }: Experiment, point: SweepPoint, repeat: number): number {
  const { algorithm: _, ...place } = point
  const label = JSON.stringify([place, repeats === 'all' ? 0 : repeat])
  return Random.from(seed).split(label).below(SEEDS)
}

/** The runs of one of several machines: every k-th run. */
export function shardOf(
  jobs: readonly ExperimentJob[],
  shard: { index: number; of: number },
): ExperimentJob[] {
  return jobs.filter(({ run }) => run % shard.of === shard.index - 1)
}
