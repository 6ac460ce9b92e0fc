import {
  type Aggregate,
  type AggregateField,
  average,
  largest,
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

const meanSquare = meanThrough(square, identity)

export const variance = composed(
  mean,
  meanSquare,
  (center, squares) => Math.max(0, squares - center * center),
  (values) => {
    const center = meanOf(values)
    return meanOf(values, (value) => square(value - center))
  },
)

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
  return { ...composed(logarithms, count(instances), ofAll, truth), ...positive }
}

/** The number of values from the threshold on: their fraction times the count. */
export function countWhere(threshold: number, instances: number): Aggregate {
  const share = meanThrough((value) => (value >= threshold ? 1 : 0), identity)
  const truth: Truth = (values) => values.filter((value) => value >= threshold).length
  return composed(share, count(instances), times, truth)
}
