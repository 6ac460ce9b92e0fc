import type { Algorithm } from '../../core/index.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import type { DataPoint } from '../statistics/fit.ts'
import { type Growth, growthOf } from '../statistics/growth.ts'
import { measured } from '../study/measures.ts'
import { measuredElection } from '../study/run-job.ts'

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

/** Permutations that are the best or worst case of many elections. */
const NOTABLE = ['increasing', 'decreasing', 'bit-reversal']

/** Measures on random ids, and on the worst of some notable permutations. */
export function* measureCost(
  algorithm: Algorithm,
  reference: Algorithm,
  sizes: readonly number[],
  repeats: number,
): Generator<string, GradeMeasurement[]> {
  // Where nodes meet there are no messages to count.
  if (algorithm.meet !== null) return []
  const at = sizes[sizes.length - 1]
  const on: GradeMeasurement['on'][] =
    algorithm.needs.ids === undefined ? ['random'] : ['random', 'worst']
  const found: GradeMeasurement[] = []
  for (const name of ['cost', 'time'] as const)
    for (const ids of on) {
      yield 'measuring the cost'
      const value = (of: Algorithm, n: number, what: string) =>
        ids === 'random' ? meanOf(of, n, repeats, what) : worstOf(of, n, what)
      const points = sizes.map((n): DataPoint => ({ x: n, y: value(algorithm, n, name) ?? 0 }))
      if (points.every(({ y }) => y === 0)) continue
      const bound = name === 'cost' ? 'bound.messages' : 'bound.time'
      const known = { value: value(reference, at, name), bound: value(reference, at, bound) }
      found.push({
        ...{ measure: name, on: ids, growth: growthOf(points), at },
        value: points[points.length - 1].y,
        reference: { name: reference.name, ...known },
      })
    }
  return found
}

function meanOf(algorithm: Algorithm, n: number, repeats: number, name: string): number | null {
  const known = valuesOf(algorithm, n, repeats, name)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function valuesOf(algorithm: Algorithm, n: number, repeats: number, name: string): number[] {
  const seeds = Array.from({ length: repeats }, (_, i) => i + 1)
  const values = seeds.map((seed) => valueIn(algorithm, { n, seed }, name))
  return values.filter((value) => value !== null)
}

function worstOf(algorithm: Algorithm, n: number, name: string): number | null {
  const known = notableValues(algorithm, n, name)
  return known.length === 0 ? null : Math.max(...known)
}

function notableValues(algorithm: Algorithm, n: number, name: string): number[] {
  const usable = NOTABLE.filter((ids) => ids !== 'bit-reversal' || Number.isInteger(Math.log2(n)))
  const values = usable.map((ids) => valueIn(algorithm, { n, ids }, name))
  return values.filter((value) => value !== null)
}

/** The largest value over random ids and, where nodes have ids, over notable permutations. */
export function largestValue(
  algorithm: Algorithm,
  n: number,
  repeats: number,
  name: string,
): { readonly links: number; readonly value: number | null } {
  const notable = algorithm.needs.ids === undefined ? [] : notableValues(algorithm, n, name)
  const values = [...valuesOf(algorithm, n, repeats, name), ...notable]
  return {
    links: valueIn(algorithm, { n, seed: 1 }, 'links') ?? 0,
    value: values.length === 0 ? null : Math.max(...values),
  }
}

function valueIn(algorithm: Algorithm, given: ScenarioInput, name: string): number | null {
  const rounds = algorithm.needs.time === 'rounds' && { timing: 'sync' }
  const run = measuredElection({ ...given, ...rounds }, algorithm, (field) => field)
  return measured(name, run)
}
