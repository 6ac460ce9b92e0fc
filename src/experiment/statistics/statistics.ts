import { mean, medianSorted, quantileSorted, sampleStandardDeviation } from 'simple-statistics'
import { type Interval, rateInterval, skewedInterval } from './distributions.ts'

/** A sample in a few numbers; null where a single observation does not determine them. */
export interface SampleSummary {
  readonly count: number
  readonly mean: number
  readonly median: number
  /** The sample standard deviation, with count - 1 in the denominator. */
  readonly deviation: number | null
  /** Of the sample; 0 without a spread. */
  readonly skewness: number | null
  /** Whether it is the share of the runs in which something is so. */
  readonly rate?: true
  /** The 95 % confidence interval of the mean. */
  readonly low: number | null
  readonly high: number | null
  readonly min: number
  readonly max: number
  /** By percentage, with linear interpolation. */
  readonly quantiles: Readonly<Record<5 | 25 | 75 | 95, number>>
}

/** Computes relative to the smallest value, so that equal values have exactly no spread. */
export function summarize(sample: readonly number[], rate = false): SampleSummary {
  if (sample.length === 0 || !sample.every(Number.isFinite))
    throw new RangeError('a summary needs at least one number, all of them finite')
  const sorted = sample.toSorted((a, b) => a - b)
  const [smallest, largest] = [sorted[0], sorted.at(-1)!]
  const above = sorted.map((value) => value - smallest)
  const middle = Math.min(smallest + mean(above), largest)
  const deviation = above.length > 1 ? sampleStandardDeviation(above) : null
  const moments = {
    count: sorted.length,
    mean: middle,
    deviation,
    skewness: deviation === null ? null : skewnessOf(above, deviation),
    ...(rate && { rate }),
  }
  return {
    ...moments,
    median: medianSorted(sorted),
    ...(intervalOfMean(moments) ?? { low: null, high: null }),
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

/** The confidence interval of a mean; null for a single run. */
export function intervalOfMean(
  sample: Pick<SampleSummary, 'count' | 'mean' | 'deviation' | 'skewness' | 'rate'>,
  level?: number,
): Interval | null {
  const { count, mean, deviation, skewness, rate } = sample
  if (rate) return rateInterval(Math.round(mean * count), count, level)
  if (deviation === null) return null
  const root = Math.sqrt(count)
  const shape = { skew: skewness! / root, degrees: count - 1 }
  return skewedInterval(mean, deviation / root, shape, level)
}

function skewnessOf(sample: readonly number[], deviation: number): number {
  if (deviation === 0) return 0
  const middle = mean([...sample])
  const cubes = sample.reduce((sum, value) => sum + ((value - middle) / deviation) ** 3, 0)
  const count = sample.length
  return (cubes / count) * (count / (count - 1)) ** 1.5
}
