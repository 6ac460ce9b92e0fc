import { leastSquares } from './least-squares.ts'
import type { SampleSummary } from './statistics.ts'

export interface DataPoint {
  readonly x: number
  /** The mean of the repeats at x. */
  readonly y: number
  /** The runs behind the mean; without them, and without their spread, it counts as exact. */
  readonly summary?: Pick<SampleSummary, 'count' | 'deviation' | 'skewness' | 'low'>
}

/** How far the means are from the truth, by the spread of the runs. */
export interface Noise {
  /** The standard error of each mean, smoothed: a few runs determine a spread badly. */
  readonly scales: readonly number[]
  /** The variance of each mean as it was measured. */
  readonly variances: readonly number[]
  /** The degrees of freedom of each variance. */
  readonly degrees: readonly number[]
  /** The skewness of each mean. */
  readonly skews: readonly number[]
}

/**
 * The noise of means, if runs were repeated and differ. The variance of a run is taken to be a
 * power of x, with a whole exponent: the weights must not follow the single means, since in skewed
 * runs small means have small spreads and would pull the curve down.
 */
export function noiseOf(points: readonly DataPoint[]): Noise | null {
  const spreads = points.map(({ x, summary }) => ({
    x,
    count: summary?.count ?? 1,
    degrees: (summary?.count ?? 1) - 1,
    skewness: summary?.skewness ?? 0,
    variance: (summary && summary.low !== null && summary.deviation! ** 2) || 0,
  }))
  const varying = spreads.filter(({ variance }) => variance > 0)
  if (varying.length === 0) return null
  const weights = varying.map(({ degrees }) => Math.sqrt(degrees))
  const line = points.every(({ x }) => x > 0)
    ? leastSquares(
        [weights, varying.map(({ x }, i) => weights[i] * Math.log(x))],
        varying.map(({ variance }, i) => weights[i] * Math.log(variance)),
      )
    : null
  const exponent = Math.floor((line?.values[1] ?? 0) + ROUNDED_UP)
  const total = sumOf(varying.map(({ degrees }) => degrees))
  const level = sumOf(varying.map((one) => one.degrees * one.variance * one.x ** -exponent)) / total
  const smooth = spreads.map(({ x, count }) => (level * x ** exponent) / count)
  return {
    scales: smooth.map(Math.sqrt),
    variances: spreads.map(({ count, variance }, i) => (count > 1 ? variance / count : smooth[i])),
    degrees: spreads.map(({ degrees, skewness }) => degreesOf(degrees, skewness) || total),
    skews: points.map(({ summary }) => (summary?.skewness ?? 0) / Math.sqrt(summary?.count ?? 1)),
  }
}

/** The share of exponents that are rounded up: weights that are too equal only cost precision. */
const ROUNDED_UP = 0.3

/** Skewed runs determine their variance badly; their kurtosis is taken to be that of a gamma. */
function degreesOf(degrees: number, skewness: number): number {
  return degrees / (1 + (0.75 * skewness ** 2 * degrees) / (degrees + 1))
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
