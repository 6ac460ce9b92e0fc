import { type Aggregation, defaultAlgorithm, defaultsOf } from '../../algorithms/index.ts'
import type { Algorithm } from '../../core/index.ts'

/** Functions of all values that people ask for, by name. */
const FUNCTIONS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  average: mean,
  sum: (values) => values.length * mean(values),
  count: (values) => values.length,
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  median: (values) => values.toSorted((a, b) => a - b)[(values.length - 1) / 2],
  variance: (values) => mean(values.map((value) => value ** 2)) - mean(values) ** 2,
  product: (values) => values.reduce((product, value) => product * value, 1),
}

export const COMPUTED = Object.keys(FUNCTIONS)

/** No two of the functions have the same result for these; one value occurs twice. */
const SAMPLE = [3, 1.5, 4, 0.25, 9, 3, 2]
const ROUNDING = 1e-9

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Whether an aggregation computes a function: its truth about a sample says so. */
export function aggregates(aggregation: Aggregation, what: string): boolean {
  const { settings, aggregate } = aggregation
  return isResult(what, () => aggregate(defaultsOf(settings)).truth(Float64Array.from(SAMPLE)))
}

/** Whether one of the figures that the nodes of an algorithm learn is that function. */
export function finds({ finds: report }: Algorithm, what: string): boolean {
  if (report === null) return false
  const figures = report.truth(Float64Array.from(SAMPLE))
  return Object.values(figures).some((figure) => isResult(what, () => figure))
}

function isResult(what: string, result: () => unknown): boolean {
  const expected = FUNCTIONS[what]?.(SAMPLE)
  if (expected === undefined) return false
  try {
    const found = result()
    return typeof found === 'number' && Math.abs(found - expected) < ROUNDING * expected
  } catch {
    // It has no truth about such values.
    return false
  }
}

/** The algorithm behind a definition. */
export function algorithmBehind(definition: Algorithm | Aggregation): Algorithm {
  return 'aggregate' in definition ? defaultAlgorithm(definition) : definition
}
