import { UsageError } from '../../core/index.ts'
import type { Form, Sum } from './forms.ts'
import { digits, formulaOf } from './formula.ts'
import { leastSquares, type Solution } from './least-squares.ts'

export interface DataPoint {
  readonly x: number
  /** The mean of the repeats at x. */
  readonly y: number
}

export interface Coefficient {
  /** The term that it stands before; `1` for the constant; c and k of a power law. */
  readonly name: string
  readonly value: number
  /** 95 % confidence; null where there are no more points than coefficients. */
  readonly low: number | null
  readonly high: number | null
}

/**
 * Which errors the squares are of: of y itself, of y relative to what was measured, so that small
 * networks count as much as large ones, or of its logarithm (power laws, always).
 */
export type Errors = 'absolute' | 'relative' | 'logarithmic'

export interface Fit {
  readonly form: string
  readonly errors: Errors
  /** `5.96 n - 15.2` */
  readonly formula: string
  readonly coefficients: readonly Coefficient[]
  /** The share of the variance around the mean that is explained; null where nothing varies. */
  readonly r2: number | null
  /** Akaike's criterion, corrected for few points; all fits to the same points compare. */
  readonly aicc: number | null
  /** Of the residuals; null where there are no more points than coefficients. */
  readonly deviation: number | null
  readonly points: number
  at(x: number): number
}

/** Least squares of a form through points. Complains where the points do not determine it. */
export function fitForm(
  form: Form,
  points: readonly DataPoint[],
  errors: 'absolute' | 'relative' = 'absolute',
  where = '--fit',
): Fit {
  const found =
    form.kind === 'power' ? fitPower(form.variable, points) : fitSum(form, points, errors)
  if (found !== null) return found
  throw fitErrorOf(form, points, where)
}

/** The same, or null where the points do not determine the form. */
export function fitSum(
  form: Sum,
  points: readonly DataPoint[],
  errors: 'absolute' | 'relative',
): Fit | null {
  const scales = errors === 'absolute' ? points.map(() => 1) : relativeScales(points)
  const columns = form.terms.map(({ at }) => points.map(({ x }, i) => at(x) / scales[i]))
  if (!columns.flat().every(Number.isFinite)) return null
  const goal = points.map(({ y }, i) => y / scales[i])
  const solution = leastSquares(columns, goal)
  if (solution === null) return null
  const matters = (i: number) =>
    columns[i].some(
      (entry, row) => Math.abs(solution.values[i] * entry) > ROUNDING * Math.abs(goal[row]),
    )
  const coefficients = form.terms.map(({ name }, i) => {
    const value = matters(i) ? solution.values[i] : 0
    return { name: name || '1', value, ...around(value, solution.reaches[i]) }
  })
  const used = form.terms.flatMap(({ at }, i) => {
    const { value } = coefficients[i]
    return value === 0 ? [] : [(x: number) => value * at(x)]
  })
  return {
    form: form.name,
    errors,
    formula: formulaOf(coefficients),
    coefficients,
    ...qualityOf(
      solution,
      goal,
      scales.map((scale) => 1 / scale),
      scales,
    ),
    points: points.length,
    at: (x) => used.reduce((sum, part) => sum + part(x), 0),
  }
}

/** A share of y that small is the arithmetic's own error. */
const ROUNDING = 1e-12

/** What y is, and where it is 0, the smallest that it is elsewhere. */
function relativeScales(points: readonly DataPoint[]): number[] {
  const sizes = points.map(({ y }) => Math.abs(y))
  const smallest = Math.min(...sizes.filter((size) => size > 0))
  return sizes.map((size) => size || (Number.isFinite(smallest) ? smallest : 1))
}

function fitPower(variable: string, points: readonly DataPoint[]): Fit | null {
  if (points.some(({ x, y }) => x <= 0 || y <= 0)) return null
  const goal = points.map(({ y }) => Math.log(y))
  const ones = points.map(() => 1)
  const solution = leastSquares([ones, points.map(({ x }) => Math.log(x))], goal)
  if (solution === null) return null
  const { values, reaches } = solution
  const bounds = around(values[0], reaches[0])
  const [c, k] = [Math.exp(values[0]), values[1]]
  const exp = (bound: number | null) => (bound === null ? null : Math.exp(bound))
  return {
    form: `${variable}^k`,
    errors: 'logarithmic',
    formula: `${digits(c)} ${variable}^${digits(k)}`,
    coefficients: [
      { name: 'c', value: c, low: exp(bounds.low), high: exp(bounds.high) },
      { name: 'k', value: k, ...around(k, reaches[1]) },
    ],
    ...qualityOf(
      solution,
      goal,
      ones,
      points.map(({ y }) => y),
    ),
    points: points.length,
    at: (x) => c * x ** k,
  }
}

function around(value: number, reach: number | null) {
  return { low: reach === null ? null : value - reach, high: reach === null ? null : value + reach }
}

/** The exactness beyond which one fit is no better than another. */
const EXACT = 1e-9
const TINY = 1e-200

/**
 * `level` is the column of a constant. Errors were divided by the scales; Akaike's criterion takes
 * that back, so that all fits to the same points compare.
 */
function qualityOf(
  { squares, values }: Solution,
  goal: readonly number[],
  level: readonly number[],
  scales: readonly number[],
) {
  const count = goal.length
  const known = values.length + 1
  const whole = goal.reduce((sum, wanted) => sum + wanted * wanted, 0)
  const floor = Math.max(EXACT ** 2 * whole, TINY)
  const varying = leastSquares([level], goal)!.squares
  const stretch = scales.reduce((sum, scale) => sum + Math.log(scale), 0)
  return {
    r2: varying > floor ? 1 - squares / varying : null,
    aicc:
      count > known + 1
        ? count * Math.log(Math.max(squares, floor) / count) +
          2 * stretch +
          (2 * known * count) / (count - known - 1)
        : null,
    deviation: count > values.length ? Math.sqrt(squares / (count - values.length)) : null,
  }
}

/** Why the points do not determine a form: it has no value at one of them, or they are too few. */
function fitErrorOf(form: Form, points: readonly DataPoint[], where: string): UsageError {
  const { variable } = form
  const complain = (needed: string, given: string, remedy: string) =>
    new UsageError(where, `the form ${form.name} needs ${needed}, but ${given}.`, remedy)
  const bad = points.find((point) => !isUsable(form, point))
  if (bad !== undefined && form.kind === 'power')
    return complain(
      'numbers above 0, since it takes logarithms',
      `at ${variable} = ${bad.x} the mean is ${digits(bad.y)}`,
      `Leave that point out, or fit a sum such as ${variable} instead.`,
    )
  if (bad !== undefined)
    return complain(
      `a value at every ${variable}`,
      `it has none at ${variable} = ${bad.x}`,
      `Sweep other values of ${variable}, or choose another form.`,
    )
  const different = new Set(points.map(({ x }) => x)).size
  const unknowns = form.kind === 'power' ? 2 : form.terms.length
  if (different >= unknowns)
    return complain(
      'terms that differ',
      `at these ${different} values of ${variable} one is like the sum of others`,
      'Choose a form with fewer terms.',
    )
  return complain(
    `at least ${unknowns} different values of ${variable}`,
    `${different} ${different === 1 ? 'was' : 'were'} swept`,
    `Sweep more values of ${variable}, or choose a form with fewer terms.`,
  )
}

function isUsable(form: Form, { x, y }: DataPoint): boolean {
  if (form.kind === 'power') return x > 0 && y > 0
  return form.terms.every(({ at }) => Number.isFinite(at(x)))
}
