import type { Aggregate } from '../../core/language/aggregate.ts'

/** Errors are not relative to a truth below this share of the spread. */
const SMALLEST_TRUTH = 0.01

/** How far apart the values of nodes are: the smallest and the largest of them. */
export interface ValueRange {
  readonly least: number
  readonly most: number
}

/**
 * What the errors of estimates are relative to: |truth|, or the spread if the truth is below 1 % of
 * it. If both are 0, errors are absolute, and only the truth itself is right.
 */
export function errorScale(truth: number, spread: number): number {
  const size = Math.abs(truth)
  return size < SMALLEST_TRUTH * spread ? spread : size
}

export function relativeError(estimate: number, truth: number, scale: number): number {
  return Math.abs(estimate - truth) / (scale === 0 ? 1 : scale)
}

/**
 * The largest less the smallest value, in the unit of the result: the difference that they make to
 * a node that is alone. It is 0 for a count and for a variance.
 */
export function spreadOf({ truth, spread }: Aggregate, { least, most }: ValueRange): number {
  if (spread !== undefined) return spread
  const alone = (value: number) => truth(Float64Array.of(value))
  try {
    return Math.abs(alone(most) - alone(least))
  } catch {
    // A result of one's own may need more than one node.
    return most - least
  }
}

/** In words: what is meant by an error of some share. */
export function nearWords(share: string, limit: string, truth: number, scale: number): string {
  if (scale === 0) return 'exactly right'
  if (scale === Math.abs(truth)) return `within ${share} of it`
  return `within ${limit} of it (${share} of the spread of the values)`
}
