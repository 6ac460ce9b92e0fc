/**
 * How two nodes exchange a number. `change` is the amount that the node with `mine` adds and the
 * other node subtracts; `better` is the number that both have afterwards.
 */
export type ExchangeRule =
  | { readonly change: (mine: number, theirs: number) => number; readonly better?: never }
  | { readonly better: (mine: number, theirs: number) => number; readonly change?: never }

/** Both take the mean: the sum is invariant, and all nodes converge to the average. */
export const average: ExchangeRule = { change: (mine, theirs) => (theirs - mine) / 2 }
/** Both keep the larger number. */
export const largest: ExchangeRule = { better: (mine, theirs) => Math.max(mine, theirs) }
/** Both keep the smaller number. */
export const smallest: ExchangeRule = { better: (mine, theirs) => Math.min(mine, theirs) }

/** The input of a node to an aggregation. */
export interface NodeInput {
  readonly value: number
  /** The index among the nodes that were chosen to hold a 1; -1 for all other nodes. */
  readonly chosen: number
}

/** A number that nodes exchange. */
export interface AggregateField {
  readonly rule: ExchangeRule
  start(input: NodeInput): number
}

/** A function of all values that is computed by exchanges of numbers. */
export interface Aggregate {
  readonly parts: readonly AggregateField[]
  /** The number of nodes that are chosen to hold a 1. */
  readonly chosen: number
  /** Whether the value is in its domain. */
  accepts?(value: number): boolean
  /** The domain in words. */
  readonly domain?: string
  /** The estimate of a node, given its parts, which begin at an index of the list. */
  estimate(parts: ArrayLike<number>, at?: number): number
  /** The exact result, from the values of all nodes. */
  truth(values: Float64Array): number
}

/**
 * The aggregate that an algorithm computes. Its states and messages have the parts of the aggregate
 * in the fields p0, p1 and so on.
 */
export interface Computation<M extends string = string> {
  readonly aggregate: Aggregate
  /** The message that carries mass: while it is in flight, no node has its numbers. */
  readonly carrier: M | null
}

/** Named numbers, such as the mean and the variance. */
export type Figures = Readonly<Record<string, number>>

/** A result that nodes learn at once, not by gradual convergence. */
export interface AggregateReport<M = never> {
  /** The result as a node knows it; null while it does not. */
  known(my: M): Figures | null
  /** The exact result, from the values of all nodes. */
  truth(values: Float64Array): Figures
  /** The magnitude to which rounding errors are relative; 0 where there are none. */
  scale(values: Float64Array): Figures
}

export type AggregateFieldName = `p${number}`

/** The name of the state and message field that holds a number of an aggregate. */
export function aggregateFieldName(part: number): AggregateFieldName {
  return `p${part}`
}
