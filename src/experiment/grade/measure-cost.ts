import type { Algorithm } from '../../core/index.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { type Growth, growthOf } from '../statistics/growth.ts'
import type { DataPoint } from '../statistics/noise.ts'
import { summarize } from '../statistics/statistics.ts'
import { type MeasuredRun, measured } from '../study/measures.ts'
import { explicitWorld } from './random-worlds.ts'

/** The cost of the definition and of a reference in the same worlds. */
export interface GradeMeasurement {
  readonly measure: 'cost' | 'time'
  /** The mean over random ids, or the maximum over ascending, descending and bit-reversed ids. */
  readonly on: 'random' | 'worst'
  readonly growth: Growth
  /** The largest size, and the value there. */
  readonly at: number
  readonly value: number
  readonly reference: {
    readonly name: string
    readonly value: number | null
    readonly bound: number | null
  }
}

type MeasuredWorld = ScenarioInput & { readonly n: number }

/** Permutations that are the best or worst case of many elections. */
const NOTABLE = ['increasing', 'decreasing', 'bit-reversal']

/** Measures on random ids, and on the worst of some notable permutations. */
export function* measureCost(
  runs: GradedRuns,
  reference: GradedRuns,
  sizes: readonly number[],
): Generator<string, GradeMeasurement[]> {
  // Where nodes meet there are no messages to count.
  if (runs.algorithm.meet !== null) return []
  const at = sizes[sizes.length - 1]
  const on: GradeMeasurement['on'][] =
    runs.algorithm.needs.ids === undefined ? ['random'] : ['random', 'worst']
  const found: GradeMeasurement[] = []
  for (const name of ['cost', 'time'] as const)
    for (const ids of on) {
      yield 'measuring the cost'
      const value = (of: GradedRuns, n: number, what: string) =>
        ids === 'random' ? meanOf(of.random(n, what)) : largestOf(of.notable(n, what))
      const points = sizes.map((n): DataPoint => {
        const sample = ids === 'random' ? runs.random(n, name) : []
        const summary = sample.length > 1 && { summary: summarize(sample) }
        return { x: n, y: value(runs, n, name) ?? 0, ...summary }
      })
      if (points.every(({ y }) => y === 0)) continue
      const bound = name === 'cost' ? 'bound.messages' : 'bound.time'
      const known = { value: value(reference, at, name), bound: value(reference, at, bound) }
      found.push({
        measure: name,
        on: ids,
        growth: growthOf(points),
        at,
        value: points[points.length - 1].y,
        reference: { name: reference.algorithm.name, ...known },
      })
    }
  return found
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

function largestOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values)
}

/** The largest value over random ids and, where nodes have ids, over notable permutations. */
export function largestValue(
  runs: GradedRuns,
  n: number,
  name: string,
): { readonly links: number; readonly value: number | null } {
  const notable = runs.algorithm.needs.ids === undefined ? [] : runs.notable(n, name)
  return {
    links: runs.random(n, 'links')[0] ?? 0,
    value: largestOf([...runs.random(n, name), ...notable]),
  }
}

/** The measures of an algorithm's runs; each world is run once. */
export class GradedRuns {
  private readonly outcomes = new Map<string, MeasuredRun | null>()

  constructor(
    readonly algorithm: Algorithm,
    private readonly repeats: number,
    /** Runs a world; null if the definition throws an error. */
    private readonly run: (given: ScenarioInput) => MeasuredRun | null,
  ) {}

  /** In worlds of random ids. */
  random(n: number, name: string): number[] {
    const seeds = Array.from({ length: this.repeats }, (_, i) => i + 1)
    return this.values(
      seeds.map((seed) => ({ n, seed })),
      name,
    )
  }

  /** In worlds of notable permutations. */
  notable(n: number, name: string): number[] {
    const usable = NOTABLE.filter((ids) => ids !== 'bit-reversal' || Number.isInteger(Math.log2(n)))
    return this.values(
      usable.map((ids) => ({ n, ids })),
      name,
    )
  }

  private values(worlds: readonly MeasuredWorld[], name: string): number[] {
    const runs = worlds.map((world) => this.outcome(world)).filter((run) => run !== null)
    return runs.map((run) => measured(name, run)).filter((value) => value !== null)
  }

  private outcome(world: MeasuredWorld): MeasuredRun | null {
    const key = JSON.stringify(world)
    const known = this.outcomes.get(key)
    if (known !== undefined) return known
    const run = this.run(explicitWorld(this.algorithm, world))
    this.outcomes.set(key, run)
    return run
  }
}
