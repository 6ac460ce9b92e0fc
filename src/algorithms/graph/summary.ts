import { type Figures, nat, real, record, type Values } from '../../core/index.ts'
import { max, mean, min, variance } from '../gossip/aggregates.ts'

/** `deviations` is the sum of (x - mean)^2. */
const fields = { count: nat, sum: real, deviations: real, min: real, max: real }

/** Some values in a few numbers that can be put together. */
export type ValueSummary = Values<typeof fields>

export const summary = record(fields)

export function ofOne(value: number): ValueSummary {
  return { count: 1, sum: value, deviations: 0, min: value, max: value }
}

/**
 * Chan, Golub and LeVeque 1979. A sum of squares less the square of the sum would be nothing but
 * rounding where values are large and lie close together; sums of deviations are not.
 */
export function ofBoth(one: ValueSummary, other: ValueSummary): ValueSummary {
  const count = one.count + other.count
  // How far apart the means are, times both counts: exact for whole numbers of a sensible size.
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

/** What people ask for. */
export function figuresOf({ min, max, sum, count, deviations }: ValueSummary): Figures {
  return { min, max, sum, count, mean: sum / count, variance: deviations / count }
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0)

/** The same from all values at once, the variance by a second pass. */
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

/** Differences are as uncertain as the values are large; extremes and counts are exact. */
export function scaleOf(values: Float64Array): Figures {
  const sizes = values.map(Math.abs)
  const largest = max.truth(sizes)
  const spread = max.truth(values) - min.truth(values)
  return {
    ...{ min: 0, max: 0, count: 0, sum: sumOf(sizes) },
    ...{ mean: largest, variance: largest * spread },
  }
}
