import { UsageError } from '../../core/index.ts'
import { digits } from '../../core/text-format.ts'
import type { Form, Sum } from './forms.ts'
import { formulaOf } from './formula.ts'
import { leastSquares, type Solution } from './least-squares.ts'

export interface DataPoint {
  readonly x: number
  /** The mean of the repeats at x. */
  readonly y: number
}

export interface Coefficient {
  /** Its term; `1` for the constant; c and k of a power law. */
  readonly name: string
  readonly value: number
  /** The 95 % confidence interval; null if there are no more points than coefficients. */
  readonly low: number | null
  readonly high: number | null
}

/**
 * Which errors are squared: those of y, those of y relative to the measured value, so that small
 * networks count as much as large ones, or those of its logarithm (always for power laws).
 */
export type Errors = 'absolute' | 'relative' | 'logarithmic'

export interface Fit {
  readonly form: string
  readonly errors: Errors
  /** `5.96 n - 15.2` */
  readonly formula: string
  readonly coefficients: readonly Coefficient[]
  /** The coefficient of determination; null if y does not vary. */
  readonly r2: number | null
  /** Akaike's criterion for small samples; comparable between fits to the same points. */
  readonly aicc: number | null
  /** The residual standard error; null if there are no more points than coefficients. */
  readonly deviation: number | null
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

/** A smaller share of y is rounding error. */
const ROUNDING = 1e-12

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

/** Fits below this relative error count as equally good. */
const EXACT = 1e-9
const TINY = 1e-200

/**
 * `level` is the column of a constant. Errors were divided by the scales; Akaike's criterion undoes
 * that, so that fits to the same points are comparable.
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
