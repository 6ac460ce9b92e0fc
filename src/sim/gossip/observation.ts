import { type Aggregate, averagesOf } from '../../core/language/aggregate.ts'
import type { Row } from '../../core/language/collections.ts'
import { type AggregationRun, CompensatedSum } from './aggregation-run.ts'

/** The estimates of the live nodes after a cycle; cycle 0 is before the first exchange. */
export interface CycleEntry {
  readonly cycle: number
  /** Statistics of the estimates; null while no node has one. */
  readonly mean: number | null
  readonly variance: number | null
  readonly min: number | null
  readonly max: number | null
  /** The variance relative to that of the cycle before; null where that is undefined. */
  readonly factor: number | null
  /** The fraction of the live nodes whose estimate is near the truth. */
  readonly within: number
  /** The number of live nodes without a finite estimate. */
  readonly unknown: number
  /** The live nodes, and those of them that wait for an epoch and are not counted above. */
  readonly alive: number
  readonly waiting: number
  /**
   * By how much losses and rounding have changed the sum of a number that is averaged, and what
   * that is relative to: the sum at the start, or the spread of the start values if the sum is
   * below 1 % of it. Null if no number is averaged, or where it is undefined.
   */
  readonly massError: number | null
  readonly massScale: 'sum' | 'spread' | null
  /** The exact result for the current values of the live nodes. */
  readonly truth: number
  /** What errors are relative to: |truth|, or the spread of the values if it is below 1 % of it. */
  readonly scale: number
}

/**
 * Computes the statistics of all estimates, in two passes: the difference of two large means would
 * be garbage after twenty cycles.
 */
export function observe(
  run: AggregationRun,
  tolerance: number,
  before: CycleEntry | null,
): CycleEntry {
  const { n, cycle, population } = run
  const { alive, waiting, active } = population
  const estimate = run.aggregate.row ? remembered(run) : estimator(run)
  const truth = run.truth()
  const scale = errorScale(truth, spreadOf(run.aggregate, run.range()))
  const near = tolerance * scale
  const sum = new CompensatedSum()
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
    // The variance of the estimates of one node is 0, and says nothing.
    factor: unknown === 0 && before !== null && known > 1 ? factorOf(before, variance) : null,
    within: active === 0 ? 0 : within / active,
    unknown,
    alive,
    waiting,
    ...massErrorOf(run),
    truth,
    scale,
  }
}

/** The estimate of a node that takes part; NaN for other nodes. */
export function estimator(run: AggregationRun): (node: number) => number {
  const { aggregate, population, column } = run
  if (aggregate.row && aggregate.estimates && column) {
    const { length } = aggregate.row
    const read = aggregate.estimates(column)
    return (node) => (population.takesPart(node) ? read(node * length) : Number.NaN)
  }
  if (aggregate.row) {
    const read = (row: Row, at: number) => aggregate.estimate(row, at)
    return (node) =>
      population.takesPart(node) ? (run.readRow!(node, read) ?? Number.NaN) : Number.NaN
  }
  const parts = new Float64Array(aggregate.parts.length)
  return (node) => {
    if (!population.takesPart(node)) return Number.NaN
    for (let part = 0; part < parts.length; part++) parts[part] = run.valueAt(node, part)
    return aggregate.estimate(parts)
  }
}

/** Each estimate of a row takes a pass over its numbers: it is read once. */
function remembered(run: AggregationRun): (node: number) => number {
  const estimate = estimator(run)
  const all = estimatesOf.get(run) ?? new Float64Array(run.n)
  estimatesOf.set(run, all)
  for (let node = 0; node < all.length; node++) all[node] = estimate(node)
  return (node) => all[node]
}

/** One array for all cycles of a run. */
const estimatesOf = new WeakMap<AggregationRun, Float64Array>()

function factorOf({ variance, unknown }: CycleEntry, after: number): number | null {
  return variance === null || variance === 0 || unknown > 0 ? null : after / variance
}

/** The largest error of the sums of all parts that are averages. */
function massErrorOf(run: AggregationRun): Pick<CycleEntry, 'massError' | 'massScale'> {
  const { aggregate, expected, startSpread, population } = run
  const { active } = population
  let [massError, massScale]: [number | null, CycleEntry['massScale']] = [null, null]
  for (const part of averagesOf(aggregate)) {
    const sum = active * expected[part]
    const scale = errorScale(sum, startSpread[part])
    const error = relativeError(active * run.average(part), sum, scale)
    if (!Number.isFinite(error)) return { massError: null, massScale: null }
    if (massError !== null && massError >= error) continue
    massError = error
    massScale = scale === Math.abs(sum) ? 'sum' : 'spread'
  }
  return { massError, massScale }
}

/** Errors are not relative to a truth below this share of the spread. */
const SMALLEST_TRUTH = 0.01

/** How far apart the values of nodes are: the smallest and the largest of them. */
export interface ValueRange {
  readonly least: number
  readonly most: number
}

/**
 * What the errors of estimates are relative to: |truth|, or the spread if the truth is below 1 % of
 * it. If both are 0, errors are absolute, and only the truth itself is right.
 */
export function errorScale(truth: number, spread: number): number {
  const size = Math.abs(truth)
  return size < SMALLEST_TRUTH * spread ? spread : size
}

export function relativeError(estimate: number, truth: number, scale: number): number {
  return Math.abs(estimate - truth) / (scale === 0 ? 1 : scale)
}

/**
 * The largest less the smallest value, in the unit of the result: the difference that they make to
 * a node that is alone. It is 0 for a count and for a variance.
 */
export function spreadOf({ truth, spread }: Aggregate, { least, most }: ValueRange): number {
  if (spread !== undefined) return spread
  const alone = (value: number) => truth(Float64Array.of(value))
  try {
    return Math.abs(alone(most) - alone(least))
  } catch {
    // A result of one's own may need more than one node.
    return most - least
  }
}

/** In words: what is meant by an error of some share. */
export function nearWords(share: string, limit: string, truth: number, scale: number): string {
  if (scale === 0) return 'exactly right'
  if (scale === Math.abs(truth)) return `within ${share} of it`
  return `within ${limit} of it (${share} of the spread of the values)`
}
