import { type Figures, nat, real, record, type Values } from '../../core/index.ts'
import { max, mean, min, variance } from '../gossip/aggregates.ts'

/** `deviations` is the sum of (x - mean)^2. */
const fields = { count: nat, sum: real, deviations: real, min: real, max: real }

/** A summary of some values; two summaries can be merged. */
export type ValueSummary = Values<typeof fields>

export const summary = record(fields)

export function summaryOf(value: number): ValueSummary {
  return { count: 1, sum: value, deviations: 0, min: value, max: value }
}

/**
 * Merges two summaries (Chan, Golub and LeVeque 1979). The mean square minus the squared mean would
 * be rounding noise for large values that are close together; sums of squared deviations are not.
 */
export function mergedSummaries(one: ValueSummary, other: ValueSummary): ValueSummary {
  const count = one.count + other.count
  // The difference of the means times both counts: exact for integers of moderate size.
  const apart = other.sum * one.count - one.sum * other.count
  const between = (apart / (one.count * other.count)) * (apart / count)
  return {
    count,
    sum: one.sum + other.sum,
    deviations: one.deviations + other.deviations + between,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
  }
}

/** The usual statistics of a summary. */
export function statisticsOf({ min, max, sum, count, deviations }: ValueSummary): Figures {
  return { min, max, sum, count, mean: sum / count, variance: deviations / count }
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0)

/** The same statistics from all values, the variance in a second pass. */
export function truthOf(values: Float64Array): Figures {
  return {
    min: min.truth(values),
    max: max.truth(values),
    sum: sumOf(values),
    count: values.length,
    mean: mean.truth(values),
    variance: variance.truth(values),
  }
}

/** Rounding errors are relative to the values; extremes and counts are exact. */
export function roundingScaleOf(values: Float64Array): Figures {
  const sizes = values.map(Math.abs)
  const largest = max.truth(sizes)
  const spread = max.truth(values) - min.truth(values)
  return {
    min: 0,
    max: 0,
    count: 0,
    sum: sumOf(sizes),
    mean: largest,
    variance: largest * spread,
  }
}
