import { mean, medianSorted, quantileSorted, sampleStandardDeviation } from 'simple-statistics'
import type { Random } from '../../core/index.ts'

/** The confidence level of every interval. */
export const CONFIDENCE = 0.95

/** A sample in a few numbers; null where a single observation does not determine them. */
export interface SampleSummary {
  readonly count: number
  readonly mean: number
  readonly median: number
  /** The sample standard deviation, with count - 1 in the denominator. */
  readonly deviation: number | null
  /** The 95 % confidence interval of the mean, by Student's t. */
  readonly low: number | null
  readonly high: number | null
  readonly min: number
  readonly max: number
  /** By percentage, with linear interpolation. */
  readonly quantiles: Readonly<Record<5 | 25 | 75 | 95, number>>
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/** Computes relative to the smallest value, so that equal values have exactly no spread. */
export function summarize(sample: readonly number[]): SampleSummary {
  if (sample.length === 0 || !sample.every(Number.isFinite))
    throw new RangeError('a summary needs at least one number, all of them finite')
  const sorted = sample.toSorted((a, b) => a - b)
  const [smallest, largest] = [sorted[0], sorted.at(-1)!]
  const above = sorted.map((value) => value - smallest)
  const middle = Math.min(smallest + mean(above), largest)
  const deviation = above.length > 1 ? sampleStandardDeviation(above) : null
  const reach = deviation === null ? null : deviation * errorsOfMean(above.length)
  return {
    count: sorted.length,
    mean: middle,
    median: medianSorted(sorted),
    deviation,
    low: reach === null ? null : middle - reach,
    high: reach === null ? null : middle + reach,
    min: smallest,
    max: largest,
    quantiles: {
      5: quantileSorted(sorted, 0.05),
      25: quantileSorted(sorted, 0.25),
      75: quantileSorted(sorted, 0.75),
      95: quantileSorted(sorted, 0.95),
    },
  }
}

/** Half the width of the interval of a mean, in sample standard deviations. */
function errorsOfMean(count: number): number {
  return studentT(CONFIDENCE, count - 1) / Math.sqrt(count)
}

/**
 * The percentile bootstrap (Efron 1979), for statistics such as the median, to which Student's t
 * does not apply.
 */
export function bootstrapInterval(
  sample: readonly number[],
  statistic: (resample: number[]) => number,
  random: Random,
  resamples = 2000,
): Interval | null {
  if (sample.length < 2) return null
  const drawn = Array.from({ length: resamples }, () =>
    statistic(sample.map(() => sample[random.below(sample.length)])),
  ).sort((a, b) => a - b)
  const outside = (1 - CONFIDENCE) / 2
  return { low: quantileSorted(drawn, outside), high: quantileSorted(drawn, 1 - outside) }
}

/**
 * The two-sided quantile of Student's t-distribution: it lies within -t and t with this
 * probability. For integer degrees of freedom the distribution is a finite sum, so no approximation
 * is needed; it is inverted by bisection on the angle whose tangent is t / sqrt(degrees).
 */
export function studentT(within: number, degrees: number): number {
  let [low, high] = [0, Math.PI / 2]
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return Math.sqrt(degrees) * Math.tan(middle)
    if (probabilityWithin(middle, degrees) < within) low = middle
    else high = middle
  }
}

/** Abramowitz and Stegun, 1964, 26.7.3 (odd degrees) and 26.7.4 (even ones). */
function probabilityWithin(angle: number, degrees: number): number {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const odd = degrees % 2 === 1
  let term = odd ? cosine : 1
  let sum = 0
  for (let power = odd ? 1 : 0; power <= degrees - 2 && term > 0; power += 2) {
    sum += term
    term *= cosine * cosine * ((power + 1) / (power + 2))
  }
  return odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum
}
