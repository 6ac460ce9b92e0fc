import { gammaln } from 'simple-statistics'

/** The confidence level of every interval. */
export const CONFIDENCE = 0.95

export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * The interval of Clopper and Pearson (1934) for the probability behind so many successes. It holds
 * the probability at least as often as the level says, for any probability and number of trials.
 */
export function rateInterval(successes: number, trials: number, level = CONFIDENCE): Interval {
  if (!(trials >= 1 && successes >= 0 && successes <= trials))
    throw new RangeError(`${successes} successes in ${trials} trials have no interval`)
  const outside = (1 - level) / 2
  const failures = trials - successes
  return {
    low: successes === 0 ? 0 : betaQuantile(outside, successes, failures + 1),
    high: failures === 0 ? 1 : 1 - betaQuantile(outside, failures, successes + 1),
  }
}

/**
 * The two-sided quantile of Student's t-distribution: it lies within -t and t with this
 * probability. The degrees of freedom need not be whole.
 */
export function studentT(within: number, degrees: number): number {
  const share = betaQuantile(1 - within, degrees / 2, 0.5)
  return Math.sqrt((degrees * (1 - share)) / share)
}

/**
 * The interval of an estimate from its standard error, by Student's t and the transformation of
 * Hall (1992) for the skewness of the estimate. Without skewness it is Student's; with skewness
 * the end on the side of the long tail is farther away.
 */
export function skewedInterval(
  value: number,
  error: number,
  { skew, degrees }: { readonly skew: number; readonly degrees: number },
  level = CONFIDENCE,
): Interval {
  const reach = studentT(level, degrees)
  const errors = (t: number) =>
    Math.abs(skew) < FAINT ? t : (Math.cbrt(1 + skew * (t - skew / 6)) - 1) / (skew / 3)
  return { low: value - error * errors(reach), high: value - error * errors(-reach) }
}

/** A smaller skewness is rounding error. */
const FAINT = 1e-6

/** The probability that an F-distributed number exceeds this one. */
export function exceedsF(value: number, above: number, below: number): number {
  return betaProbability(below / (below + above * value), below / 2, above / 2)
}

/** By bisection, to the last bit. */
function betaQuantile(probability: number, a: number, b: number): number {
  let [low, high] = [0, 1]
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return middle
    if (betaProbability(middle, a, b) < probability) low = middle
    else high = middle
  }
}

/** The regularised incomplete beta function by its continued fraction (Numerical Recipes, 6.4). */
function betaProbability(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1
  if (x > (a + 1) / (a + b + 2)) return 1 - betaProbability(1 - x, b, a)
  const scale = gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log1p(-x)
  return (Math.exp(scale) * betaFraction(x, a, b)) / a
}

/** The continued fraction, by the method of Lentz. */
function betaFraction(x: number, a: number, b: number): number {
  let above = 1
  let below = 1 / (1 - ((a + b) * x) / (a + 1))
  let product = below
  for (let m = 1; ; m++) {
    const steps = [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]
    const before = product
    for (const step of steps) {
      below = 1 / (1 + step * below)
      above = 1 + step / above
      product *= above * below
    }
    // Written so that it ends for NaN, too.
    if (!(Math.abs(product - before) > 2 * Number.EPSILON * product)) return product
  }
}
