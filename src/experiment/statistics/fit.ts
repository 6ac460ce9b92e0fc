import { UsageError } from '../../core/index.ts'
import { digits } from '../../core/text-format.ts'
import { CONFIDENCE, exceedsF, skewedInterval, studentT } from './distributions.ts'
import { formulaOf } from './form-text.ts'
import type { Form, Sum } from './forms.ts'
import { dot, leastSquares } from './least-squares.ts'
import { type DataPoint, type Noise, noiseOf, sumOf } from './noise.ts'

export interface Coefficient {
  /** Its term; `1` for the constant; c and k of a power law. */
  readonly name: string
  readonly value: number
  /** The 95 % confidence interval; null if nothing tells how uncertain the value is. */
  readonly low: number | null
  readonly high: number | null
}

/**
 * Which errors are squared: those of y in standard errors of each mean, where runs were repeated;
 * else those of y, or those of y relative to its value, so that small networks count as much as
 * large ones; those of its logarithm, for power laws.
 */
export type Errors = 'measured' | 'absolute' | 'relative' | 'logarithmic'

export interface Fit {
  readonly form: string
  readonly errors: Errors
  /** `5.96 n - 15.2` */
  readonly formula: string
  readonly coefficients: readonly Coefficient[]
  /** The coefficient of determination; null if y does not vary. */
  readonly r2: number | null
  /** Akaike's criterion, for small samples if no spread is known; comparable at the same points. */
  readonly aicc: number | null
  /** The residual standard error; null if there are no more points than coefficients. */
  readonly deviation: number | null
  /**
   * How probable residuals of this size are if the form is true (F test for lack of fit); null if
   * the spread of the runs is unknown, or if there are no more points than coefficients.
   */
  readonly lackOfFit: number | null
  /** Whether the residuals are only rounding errors. */
  readonly exact: boolean
  readonly points: number
  at(x: number): number
}

/** The least-squares fit of a form; an error if the points do not determine it. */
export function fitForm(
  form: Form,
  points: readonly DataPoint[],
  errors: 'absolute' | 'relative' = 'absolute',
  where = 'fit',
): Fit {
  const found =
    form.kind === 'power' ? fitPower(form.variable, points) : fitSum(form, points, errors)
  if (found !== null) return found
  throw fitErrorOf(form, points, where)
}

/** The same for a sum; null if the points do not determine the form. */
export function fitSum(
  form: Sum,
  points: readonly DataPoint[],
  errors: 'absolute' | 'relative',
  noise = noiseOf(points),
): Fit | null {
  const scales =
    noise?.scales ?? (errors === 'absolute' ? points.map(() => 1) : relativeScales(points))
  const columns = form.terms.map(({ at }) => points.map(({ x }) => at(x)))
  const goal = points.map(({ y }) => y)
  const solved = solve(columns, { goal, scales, units: scales, noise })
  if (solved === null) return null
  const matters = (i: number) =>
    columns[i].some(
      (entry, row) => Math.abs(solved.values[i] * entry) > ROUNDING * Math.abs(goal[row]),
    )
  const coefficients = form.terms.map(({ name }, i) => {
    const value = matters(i) ? solved.values[i] : 0
    return { name: name || '1', value, ...solved.intervals[i] }
  })
  const used = form.terms.flatMap(({ at }, i) => {
    const { value } = coefficients[i]
    return value === 0 ? [] : [(x: number) => value * at(x)]
  })
  const at = (x: number) => used.reduce((sum, part) => sum + part(x), 0)
  // Large terms that cancel to 0 leave their rounding errors.
  const slack = (x: number) => ROUNDING * used.reduce((sum, part) => sum + Math.abs(part(x)), 0)
  return {
    form: form.name,
    errors: noise === null ? errors : 'measured',
    formula: formulaOf(coefficients),
    coefficients,
    ...solved.quality,
    exact: points.every(({ x, y }) => Math.abs(at(x) - y) <= EXACT * Math.abs(y) + slack(x)),
    points: points.length,
    at,
  }
}

/** A smaller share of y is rounding error: of one term, and of a whole fit. */
const [ROUNDING, EXACT] = [1e-12, 1e-10]

/** The size of y, or the smallest other size where y is 0. */
function relativeScales(points: readonly DataPoint[]): number[] {
  const sizes = points.map(({ y }) => Math.abs(y))
  const smallest = Math.min(...sizes.filter((size) => size > 0))
  return sizes.map((size) => size || (Number.isFinite(smallest) ? smallest : 1))
}

function fitPower(variable: string, points: readonly DataPoint[]): Fit | null {
  if (points.some(({ x, y }) => x <= 0 || y <= 0)) return null
  const goal = points.map(({ y }) => Math.log(y))
  const ones = points.map(() => 1)
  const noise = relativeNoise(points)
  const columns = [ones, points.map(({ x }) => Math.log(x))]
  const units = points.map(({ y }) => y)
  const solved = solve(columns, { goal, scales: noise?.scales ?? ones, units, noise })
  if (solved === null) return null
  const { values, intervals, quality } = solved
  const [level, slope] = intervals
  const [c, k] = [Math.exp(values[0]), values[1]]
  const exp = (bound: number | null) => (bound === null ? null : Math.exp(bound))
  const at = (x: number) => c * x ** k
  return {
    form: `${variable}^k`,
    errors: 'logarithmic',
    formula: `${digits(c)} ${variable}^${digits(k)}`,
    coefficients: [
      { name: 'c', value: c, low: exp(level.low), high: exp(level.high) },
      { name: 'k', value: k, ...slope },
    ],
    ...quality,
    exact: points.every(({ x, y }) => Math.abs(at(x) - y) <= EXACT * y),
    points: points.length,
    at,
  }
}

/** The noise of the logarithms of the means. */
function relativeNoise(points: readonly DataPoint[]): Noise | null {
  const noise = noiseOf(points)
  return (
    noise && {
      scales: noise.scales.map((scale, i) => scale / points[i].y),
      variances: noise.variances.map((variance, i) => variance / points[i].y ** 2),
      degrees: noise.degrees,
      skews: noise.skews,
    }
  )
}

interface Equations {
  readonly goal: readonly number[]
  /** By which every equation is divided. */
  readonly scales: readonly number[]
  /** By which residuals are divided in comparisons with other fits. */
  readonly units: readonly number[]
  readonly noise: Noise | null
}

/** Fits below this relative error count as equally good. */
const EQUAL = 1e-9
const TINY = 1e-200
/** A form of a smaller probability is not what the means follow. */
export const UNLIKELY = 0.01

function solve(columns: readonly (readonly number[])[], equations: Equations) {
  const { goal, scales, noise } = equations
  const divided = (column: readonly number[]) => column.map((entry, row) => entry / scales[row])
  const design = columns.map(divided)
  const wanted = divided(goal)
  if (!design.flat().every(Number.isFinite)) return null
  const solution = leastSquares(design, wanted)
  if (solution === null) return null
  const squares = dot(solution.residuals, solution.residuals)
  const free = goal.length - columns.length
  const mean = free > 0 ? squares / free : null
  const total = sumOf(noise?.degrees ?? [])
  const lackOfFit = noise === null || mean === null ? null : exceedsF(mean, free, total)
  // What does not fit makes the coefficients uncertain, too: then the residuals say how much.
  const known = lackOfFit !== null && lackOfFit < UNLIKELY ? null : noise
  const intervals = solution.shares.map((shares, i) => {
    const value = solution.values[i]
    if (known !== null)
      return intervalOf(
        value,
        shares.map((share, row) => share / scales[row]),
        known,
      )
    if (mean === null) return { low: null, high: null }
    const reach = Math.sqrt(mean) * Math.hypot(...shares) * studentT(CONFIDENCE, free)
    return { low: value - reach, high: value + reach }
  })
  const level = leastSquares([divided(goal.map(() => 1))], wanted)!.residuals
  const floor = Math.max(EQUAL ** 2 * dot(wanted, wanted), TINY)
  const quality = {
    r2: dot(level, level) > floor ? 1 - squares / dot(level, level) : null,
    aicc: akaike(Math.max(squares, floor), columns.length, equations),
    deviation: mean === null ? null : Math.sqrt(mean),
    lackOfFit,
  }
  return { values: solution.values, intervals, quality }
}

/** By the spread of the runs, with Satterthwaite's degrees of freedom (1946). */
function intervalOf(value: number, shares: readonly number[], noise: Noise) {
  const errors = shares.map((share, i) => share * Math.sqrt(noise.variances[i]))
  const largest = Math.max(...errors.map(Math.abs))
  if (largest === 0) return { low: value, high: value }
  // Relative to the largest, since squares of the coefficients of 2^n are too small for a number.
  const parts = errors.map((error) => error / largest)
  const variance = dot(parts, parts)
  const doubt = sumOf(parts.map((part, i) => part ** 4 / noise.degrees[i]))
  const cubes = sumOf(parts.map((part, i) => part ** 3 * noise.skews[i]))
  return skewedInterval(value, largest * Math.sqrt(variance), {
    skew: cubes / variance ** 1.5,
    degrees: variance ** 2 / doubt,
  })
}

function akaike(squares: number, unknowns: number, { goal, units, noise }: Equations) {
  if (noise !== null) return squares + 2 * unknowns
  const [count, known] = [goal.length, unknowns + 1]
  if (count <= known + 1) return null
  const stretch = sumOf(units.map(Math.log))
  const penalty = (2 * known * count) / (count - known - 1)
  return count * Math.log(squares / count) + 2 * stretch + penalty
}

/** Why the points do not determine a form: it is undefined at one of them, or they are too few. */
function fitErrorOf(form: Form, points: readonly DataPoint[], where: string): UsageError {
  const { variable } = form
  const error = (problem: string, hint: string) =>
    new UsageError(where, `the form ${form.name} ${problem}.`, hint)
  const bad = points.find((point) => !isUsable(form, point))
  if (bad !== undefined && form.kind === 'power')
    return error(
      `needs positive means, but at ${variable} = ${bad.x} the mean is ${digits(bad.y)}`,
      `Leave that point out, or fit a sum such as ${variable} instead.`,
    )
  if (bad !== undefined)
    return error(
      `has no value at ${variable} = ${bad.x}`,
      `Sweep other values of ${variable}, or choose another form.`,
    )
  const different = new Set(points.map(({ x }) => x)).size
  const unknowns = form.kind === 'power' ? 2 : form.terms.length
  if (different >= unknowns)
    return error(
      `has linearly dependent terms at these ${different} values of ${variable}`,
      'Choose a form with fewer terms.',
    )
  return error(
    `needs at least ${unknowns} different values of ${variable}, but there ${different === 1 ? 'is' : 'are'} ${different}`,
    `Sweep more values of ${variable}, or choose a form with fewer terms.`,
  )
}

function isUsable(form: Form, { x, y }: DataPoint): boolean {
  if (form.kind === 'power') return x > 0 && y > 0
  return form.terms.every(({ at }) => Number.isFinite(at(x)))
}
