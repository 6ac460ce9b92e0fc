import {
  type Aggregate,
  type AggregateField,
  average,
  largest,
  type RowRule,
  smallest,
} from '../../core/language/aggregate.ts'

type Truth = Aggregate['truth']

const identity = (value: number) => value

/** The average of a number that every node can compute locally. */
const averaged = (start: AggregateField['start']): AggregateField => ({ rule: average, start })

/** An aggregate of a single part. */
function single(
  part: AggregateField,
  truth: Truth,
  read: (part: number) => number = identity,
): Aggregate {
  return { parts: [part], chosen: 0, estimate: (parts, at = 0) => read(parts[at]), truth }
}

/** An aggregate that is computed from two others. */
function composed(
  first: Aggregate,
  second: Aggregate,
  estimate: (first: number, second: number) => number,
  truth: Truth,
): Aggregate {
  const offset = first.parts.length
  return {
    parts: [...first.parts, ...second.parts],
    chosen: Math.max(first.chosen, second.chosen),
    estimate: (parts, at = 0) =>
      estimate(first.estimate(parts, at), second.estimate(parts, at + offset)),
    truth,
  }
}

function meanOf(values: Float64Array, of: (value: number) => number = identity): number {
  let sum = 0
  for (const value of values) sum += of(value)
  return sum / values.length
}

const positive = { accepts: (value: number) => value > 0, domain: 'values above 0' }

export const max = single({ rule: largest, start: ({ value }) => value }, (values) =>
  values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
)

export const min = single({ rule: smallest, start: ({ value }) => value }, (values) =>
  values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
)

/**
 * The quasi-arithmetic mean of a function: with the logarithm the geometric mean, with 1/x the
 * harmonic mean.
 */
function meanThrough(
  transform: (value: number) => number,
  invert: (mean: number) => number,
): Aggregate {
  const part = averaged(({ value }) => transform(value))
  return single(part, (values) => invert(meanOf(values, transform)), invert)
}

export const mean = single(
  averaged(({ value }) => value),
  (values) => meanOf(values),
)

export const geometricMean: Aggregate = { ...meanThrough(Math.log, Math.exp), ...positive }

const inverse = (value: number) => 1 / value

export const harmonicMean: Aggregate = { ...meanThrough(inverse, inverse), ...positive }

export function powerMean(p: number): Aggregate {
  const root = 1 / p
  return {
    ...meanThrough(
      (value) => value ** p,
      (power) => power ** root,
    ),
    ...positive,
  }
}

const square = (value: number) => value * value

/** The numbers of a node for the variance, by their place in its row. */
const CENTER = 0
const SQUARED = 1
const BETWEEN = 2

/**
 * Both nodes take the mean of two groups of the same size, and their joint variance (Chan, Golub
 * and LeVeque 1983). It is the exchange of the averages of x and x^2, whose sums it keeps, but the
 * large squares are never subtracted: only differences between values are squared. An answer also
 * says what the mean was between both, since the active node may have another one by now.
 */
const pooled: RowRule = {
  idempotent: false,
  averages: [CENTER],
  answer(mine, at, received, from) {
    const moved = (received[from + CENTER] - mine[at + CENTER]) / 2
    const change = (received[from + SQUARED] - mine[at + SQUARED]) / 2
    mine[at + CENTER] += moved
    mine[at + SQUARED] += change + square(moved)
    received[from + CENTER] = 0 - moved
    received[from + SQUARED] = 0 - change
    received[from + BETWEEN] = mine[at + CENTER]
    return true
  },
  conclude(mine, at, answer, from) {
    const moved = answer[from + CENTER]
    const away = answer[from + BETWEEN] - mine[at + CENTER]
    mine[at + SQUARED] += answer[from + SQUARED] + moved * (2 * away - moved)
    mine[at + CENTER] += moved
    return true
  },
  exchange(rows, a, b) {
    const moved = (rows[a + CENTER] - rows[b + CENTER]) / 2
    const joint = (rows[a + SQUARED] + rows[b + SQUARED]) / 2 + square(moved)
    rows[a + CENTER] -= moved
    rows[b + CENTER] += moved
    rows[a + SQUARED] = joint
    rows[b + SQUARED] = joint
    return 3
  },
}

export const variance: Aggregate = {
  parts: [],
  chosen: 0,
  row: {
    length: 3,
    bytes: false,
    rule: pooled,
    start(row, at, { value }) {
      row[at + CENTER] = value
      row[at + SQUARED] = 0
      row[at + BETWEEN] = 0
    },
    evaporate(row, at, own, share) {
      const away = own[CENTER] - row[at + CENTER]
      row[at + SQUARED] = (1 - share) * (row[at + SQUARED] + share * square(away))
      row[at + CENTER] += share * away
    },
  },
  estimate: (row, at = 0) => Math.max(0, row[at + SQUARED]),
  estimates: (rows) => (at) => Math.max(0, rows[at + SQUARED]),
  truth(values) {
    const center = meanOf(values)
    return meanOf(values, (value) => square(value - center))
  },
}

/**
 * One node holds 1 and all others 0: the average is 1/n. The median of several instances, each with
 * a holder of its own, tolerates single instances that lose their 1.
 */
export function count(instances: number): Aggregate {
  const parts = Array.from({ length: instances }, (_, place) =>
    averaged(({ chosen }) => (chosen === place ? 1 : 0)),
  )
  const sorted = new Float64Array(instances)
  const middle = instances >> 1
  return {
    parts,
    chosen: instances,
    estimate(held, at = 0) {
      if (instances === 1) return 1 / held[at]
      for (let i = 0; i < instances; i++) sorted[i] = 1 / held[at + i]
      sorted.sort()
      return instances % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    },
    truth: (values) => values.length,
  }
}

const times = (average: number, nodes: number) => average * nodes

export function sum(instances: number): Aggregate {
  return composed(mean, count(instances), times, (values) => values.length * meanOf(values))
}

export function product(instances: number): Aggregate {
  const ofAll = (logarithm: number, nodes: number) => Math.exp(logarithm * nodes)
  const logarithms = meanThrough(Math.log, identity)
  const truth: Truth = (values) => ofAll(logarithms.truth(values), values.length)
  // A product is above 0, and its unit is no other number's.
  return { ...composed(logarithms, count(instances), ofAll, truth), ...positive, spread: 0 }
}

/** The number of values from the threshold on: their fraction times the count. */
export function countWhere(threshold: number, instances: number): Aggregate {
  const share = meanThrough((value) => (value >= threshold ? 1 : 0), identity)
  const truth: Truth = (values) => values.filter((value) => value >= threshold).length
  return composed(share, count(instances), times, truth)
}
