/**
 * How two nodes exchange a number. `change` is what the one whose number comes first must add to
 * it, and the other subtract; `better` is the number that both have afterwards.
 */
export type ExchangeRule =
  | { readonly change: (mine: number, theirs: number) => number; readonly better?: never }
  | { readonly better: (mine: number, theirs: number) => number; readonly change?: never }

/** Both go half the way to each other: their sum stays, and all come to the average. */
export const average: ExchangeRule = { change: (mine, theirs) => (theirs - mine) / 2 }
export const largest: ExchangeRule = { better: (mine, theirs) => Math.max(mine, theirs) }
export const smallest: ExchangeRule = { better: (mine, theirs) => Math.min(mine, theirs) }

/** What a node brings to an aggregation. */
export interface NodeInput {
  readonly value: number
  /** Its number among the nodes that were chosen to hold a 1, from 0 on; -1 for all others. */
  readonly chosen: number
}

/** A number that nodes exchange. */
export interface AggregateField {
  readonly rule: ExchangeRule
  start(input: NodeInput): number
}

/** A function of all values that is computed by exchanges: of what, and how it is read off. */
export interface Aggregate {
  readonly parts: readonly AggregateField[]
  /** How many nodes are chosen to hold a 1. */
  readonly chosen: number
  /** Whether it can be computed of this value. */
  accepts?(value: number): boolean
  /** Which values those are, in words. */
  readonly domain?: string
  /** What a node takes for the result, given its parts, which begin at a place of the list. */
  estimate(parts: ArrayLike<number>, at?: number): number
  /** The result, from the values of all nodes. */
  truth(values: Float64Array): number
}

/**
 * What an algorithm computes. Its nodes have the parts of the aggregate in the fields p0, p1 and so
 * on, and so have its messages.
 */
export interface Computation<M extends string = string> {
  readonly aggregate: Aggregate
  /** The message whose numbers belong to nobody else while it is in flight, if there is one. */
  readonly carrier: M | null
}

/** Numbers with names, such as the mean and the variance. */
export type Figures = Readonly<Record<string, number>>

/** What nodes find out about the values of all at once, not little by little. */
export interface AggregateReport<M = never> {
  /** What a node knows of it; null while it knows nothing. */
  known(my: M): Figures | null
  /** The same, from the values of all. */
  truth(values: Float64Array): Figures
  /** How large the numbers are that rounding may be off by a part of; 0 where it has no part. */
  scale(values: Float64Array): Figures
}

export type AggregateFieldName = `p${number}`

export function aggregateFieldName(part: number): AggregateFieldName {
  return `p${part}`
}
