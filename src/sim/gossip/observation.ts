import { type AggregationRun, ExactSum } from './aggregation-run.ts'

/** What the live nodes know after a cycle; cycle 0 is before the first exchange. */
export interface CycleEntry {
  readonly cycle: number
  /** Of the estimates; null while nobody has one. */
  readonly mean: number | null
  readonly variance: number | null
  readonly min: number | null
  readonly max: number | null
  /** The variance over the one before; null where there is nothing to compare. */
  readonly factor: number | null
  /** The share of the live nodes whose estimate is near the truth. */
  readonly within: number
  /** How many live nodes have no estimate, because it is no finite number. */
  readonly unknown: number
  /** How many are alive, and how many of them wait for an epoch and do not count above. */
  readonly alive: number
  readonly waiting: number
  /**
   * By how much averages were moved by what got lost and by rounding, relative; null where there
   * are no averages, or where it cannot be told.
   */
  readonly massError: number | null
  /** The result for the values that the live nodes have now. */
  readonly truth: number
}

/**
 * Looks at all estimates, twice: the difference of two large means would be garbage after twenty
 * cycles. `tolerance` is relative to the truth, unless that is 0.
 */
export function observe(
  course: AggregationRun,
  tolerance: number,
  before: CycleEntry | null,
): CycleEntry {
  const { n, cycle, population } = course
  const { alive, waiting, active } = population
  const estimate = estimator(course)
  const truth = course.truth()
  const near = tolerance * (truth === 0 ? 1 : Math.abs(truth))
  const sum = new ExactSum()
  let [known, within] = [0, 0]
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let node = 0; node < n; node++) {
    const value = estimate(node)
    if (!Number.isFinite(value)) continue
    known++
    sum.add(value)
    if (value < min) min = value
    if (value > max) max = value
    if (Math.abs(value - truth) <= near) within++
  }
  const mean = sum.value / known
  let squares = 0
  for (let node = 0; node < n; node++) {
    const value = estimate(node)
    if (Number.isFinite(value)) squares += (value - mean) * (value - mean)
  }
  const variance = squares / known
  const unknown = active - known
  const entry = { mean, variance, min, max }
  return {
    cycle,
    ...(known > 0 ? entry : { mean: null, variance: null, min: null, max: null }),
    factor: unknown === 0 && before !== null ? factorOf(before, variance) : null,
    within: active === 0 ? 0 : within / active,
    unknown,
    alive,
    waiting,
    massError: massError(course),
    truth,
  }
}

/** The estimate of a node that takes part; NaN for any other. */
export function estimator(course: AggregationRun): (node: number) => number {
  const { aggregate, population } = course
  const parts = new Float64Array(aggregate.parts.length)
  return (node) => {
    if (!population.takesPart(node)) return Number.NaN
    for (let part = 0; part < parts.length; part++) parts[part] = course.valueAt(node, part)
    return aggregate.estimate(parts)
  }
}

function factorOf({ variance, unknown }: CycleEntry, after: number): number | null {
  return variance === null || variance === 0 || unknown > 0 ? null : after / variance
}

/** The largest of the parts that are averages. */
function massError(course: AggregationRun): number | null {
  const { aggregate, expected, scale } = course
  const errors = aggregate.parts.flatMap(({ rule }, part) => {
    if (rule.change === undefined || scale[part] === 0) return []
    return Math.abs(course.average(part) - expected[part]) / scale[part]
  })
  const worst = Math.max(...errors)
  return errors.length === 0 || !Number.isFinite(worst) ? null : worst
}
