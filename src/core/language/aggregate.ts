import { ROUNDING } from '../numbers.ts'
import type { Row } from './collections.ts'
import type { Real } from './value-types.ts'

/** What a rule may consist of; a rule has exactly one of these. */
interface ExchangeRules {
  /** In pairs: the amount that the node with `mine` adds and the other node subtracts. */
  readonly change: (mine: number, theirs: number) => number
  /** In pairs: the number that both have afterwards. */
  readonly better: (mine: number, theirs: number) => number
  /** In calls: the amount that a node gives to the node it calls, and no longer has. */
  readonly share: (mine: number) => number
  /**
   * With all neighbours at once: the part of the difference to a neighbour that a node takes, given
   * both degrees. The sum is kept if it is the same for both nodes.
   */
  readonly weight: (degree: number, theirs: number) => number
  /** With all neighbours at once, by flows over links that a node keeps. */
  readonly flow: FlowRule
}

/**
 * One round of a node with its value, and the flow and the neighbour's estimate of each of its
 * links, from one index up to another: it changes them and returns the estimate of the node.
 */
export type FlowRule = (
  value: number,
  flow: number[] | Float64Array,
  estimate: number[] | Float64Array,
  from: number,
  to: number,
) => number

type Only<K extends keyof ExchangeRules> = Pick<ExchangeRules, K> & {
  readonly [Other in Exclude<keyof ExchangeRules, K>]?: never
}

/** How two nodes exchange a number: both sides of an exchange follow the same rule. */
export type PairRule = Only<'change'> | Only<'better'>

/** How nodes exchange a number. Those beside pairs work in rounds that are decided together. */
export type ExchangeRule = PairRule | Only<'share'> | Only<'weight'> | Only<'flow'>

/** Both take the mean: the sum is invariant, and all nodes converge to the average. */
export const average: PairRule = { change: (mine, theirs) => (theirs - mine) / 2 }
/** Both keep the larger number. */
export const largest: PairRule = { better: (mine, theirs) => Math.max(mine, theirs) }
/** Both keep the smaller number. */
export const smallest: PairRule = { better: (mine, theirs) => Math.min(mine, theirs) }
/** A node gives half of its number to the node it calls: the sum is invariant. */
export const half: ExchangeRule = { share: (mine) => mine / 2 }
/** Every neighbour pulls, the less the more neighbours one of the two has (Xiao and Boyd 2004). */
export const metropolisWeights: ExchangeRule = {
  weight: (degree, theirs) => 1 / (1 + Math.max(degree, theirs)),
}

/** Whether the sum of a number that is exchanged by the rule never changes. */
export function keepsSum({ change, share, weight }: ExchangeRule): boolean {
  return change !== undefined || share !== undefined || weight !== undefined
}

/**
 * Calls that not all nodes make and answer, as those that spread a rumor: the number of a node is 1
 * where it knows the rumor, and 0 elsewhere.
 */
export interface CallRule {
  /** The type of the message that calls; an answer is the rumor itself. */
  readonly call: string
  /** Whether a node calls, given how many of the nodes it has called knew the rumor already. */
  calls(knows: boolean, met: number): boolean
  /** Whether a called node answers with the rumor. */
  answers(knows: boolean, callerKnows: boolean): boolean
  /** Whether a called node that knows the rumor says so to a caller that knows it, too. */
  readonly feedback: boolean
}

/** The input of a node to an aggregation. */
export interface NodeInput {
  readonly value: Real
  /** The index among the nodes that were chosen to hold a 1; -1 for all other nodes. */
  readonly chosen: number
}

/** A number that nodes exchange. */
export interface AggregateField {
  /** Its name in states and messages; p0, p1 and so on if left out. */
  readonly name?: string
  readonly rule: ExchangeRule
  start(input: NodeInput): number
}

/** What both nodes take of the two numbers at a place. The largest is that of bytes. */
export type ElementRule = 'mean' | 'smallest' | 'largest'

/**
 * How two nodes exchange rows of numbers. The passive node takes in the row of the other one, and
 * the active node its answer. Rows may lie in a larger array, from an index on.
 */
export interface RowRule {
  /**
   * Whether it makes no difference how often and in which order rows are taken in: losses and
   * repeats do no harm, and rows can be flooded.
   */
  readonly idempotent: boolean
  /** Where an exchange does the same at every place: what. Engines may do many at a time. */
  readonly elements?: ElementRule
  /** The elements that are averages: their sums are kept. */
  readonly averages: readonly number[]
  /** Takes in a received row and turns it into the answer; returns whether the own row changed. */
  answer(mine: Row, at: number, received: Row, from: number): boolean
  /** Takes in the answer; returns whether the own row changed. */
  conclude(mine: Row, at: number, answer: Row, from: number): boolean
  /**
   * An exchange at once between the active node, whose row begins at a, and the passive one: the
   * same as an answer and its conclusion. Returns 1 if the first has learnt something, 2 if the
   * second has, 3 for both.
   */
  exchange(rows: Row, a: number, b: number): number
  /** The same for rows of bytes, four at a time: a and b count words. */
  exchangeWords?(words: Int32Array, a: number, b: number): number
}

/** The input of a node to a row. */
export interface RowInput extends NodeInput {
  /** The position of the node, where rows name their owners. */
  readonly id?: number
}

/** A computation in stages: all nodes go on to the next stage after the same number of cycles. */
export interface RowStages {
  /** The cycles of a stage. */
  readonly cycles: number
  /** Draws the conclusion of a stage from the own row, and begins the next one. */
  next(row: Row, at: number, input: RowInput): void
  /** Begins the stage that another node is in already, with what its row says. */
  enter(row: Row, at: number, theirs: Row, from: number, input: RowInput): void
}

/** A row of numbers that nodes exchange as a whole, in place of single numbers. */
export interface AggregateRow {
  readonly length: number
  /** Whether its numbers are bytes. */
  readonly bytes: boolean
  /** Whether rows name their owners: nodes then have ids. */
  readonly owners?: boolean
  readonly rule: RowRule
  /** The one message that carries rows both ways; left out: `PUSH` there and `ANSWER` back. */
  readonly message?: string
  /** Whether start rows are drawn at random. */
  readonly drawn?: boolean
  /** Fills in the start row of a node. */
  start(row: Row, at: number, input: RowInput, random: () => number): void
  /**
   * Returns by a share to the own start row; by default each number does so by itself. It is called
   * only if the rule has averages.
   */
  evaporate?(row: Row, at: number, own: Row, share: number): void
  readonly stages?: RowStages
  /** Whether nodes tell all neighbours at once what they learn. */
  readonly floods?: boolean
  /** Why no row of this kind exists; null where it is one. */
  readonly invariant?: { readonly name: string; broken(row: Row, at: number): string | null }
}

/** A function of all values that is computed by exchanges of numbers. */
export interface Aggregate {
  readonly parts: readonly AggregateField[]
  /** In place of parts: a row of numbers. */
  readonly row?: AggregateRow
  /** The number of nodes that are chosen to hold a 1. */
  readonly chosen: number
  /** Where not all nodes call and answer: who does. */
  readonly calls?: CallRule
  /** Whether the value is in its domain. */
  accepts?(value: number): boolean
  /** The domain in words, and what to do about other values. */
  readonly domain?: string
  readonly remedy?: string
  /** The estimate of a node, given its parts, which begin at an index of the list. */
  estimate(parts: ArrayLike<number>, at?: number): number
  /** The same where that is faster for all rows of one array: given it, then each index. */
  estimates?(rows: Row): (at: number) => number
  /** The exact result, from the values of all nodes. */
  truth(values: Float64Array): number
  /**
   * The spread to which errors are relative if the truth is near 0; by default how much the result
   * of a node that is alone differs between the largest and the smallest value.
   */
  readonly spread?: number
  /** What a row says in full, for results; the estimate is one number of it. */
  found?(row: ArrayLike<number>, at?: number): FoundInRow
  /** The number of cycles after which all nodes have a result; without it 30 are run. */
  cycles?(values: Float64Array): number
}

/** Named numbers and lists of them that a row says in full. */
export type FoundInRow = Readonly<Record<string, number | null | readonly (number | null)[]>>

/**
 * The aggregate that an algorithm computes. Its states and messages have the parts of the aggregate
 * in the fields p0, p1 and so on, or under their names.
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

/** A row returns by a share to the start row of its node. */
export function evaporateRow(
  { length, evaporate }: AggregateRow,
  row: Row,
  at: number,
  own: Row,
  share: number,
): void {
  if (evaporate !== undefined) evaporate(row, at, own, share)
  else for (let i = 0; i < length; i++) row[at + i] += share * (own[i] - row[at + i])
}

/** The state and message field that holds the row of an aggregate. */
export const ROW = 'row'

/** The name of the state and message field that holds a number of an aggregate. */
export function aggregateFieldName(part: number): AggregateFieldName {
  return `p${part}`
}

/** The same where the numbers of an aggregate may have names of their own. */
export function partName({ parts }: Pick<Aggregate, 'parts'>, part: number): string {
  return parts[part].name ?? aggregateFieldName(part)
}

/**
 * With whom nodes exchange: in pairs, where one answers the other; by calls that carry something
 * one way; or with all neighbours at once.
 */
export function partnersOf({ parts, calls, row }: Aggregate): 'pairs' | 'calls' | 'neighbours' {
  if (row !== undefined) return 'pairs'
  const [{ rule }] = parts
  if (rule.weight !== undefined || rule.flow !== undefined) return 'neighbours'
  return calls !== undefined || rule.share !== undefined ? 'calls' : 'pairs'
}

/** How many numbers a node has. */
export function numbersOf({ parts, row }: Aggregate): number {
  return row?.length ?? parts.length
}

/** The numbers whose sums are kept, by their index: averages and shares. */
export function averagesOf({ parts, row }: Aggregate): readonly number[] {
  return row?.rule.averages ?? parts.flatMap(({ rule }, i) => (keepsSum(rule) ? [i] : []))
}

/** Whether estimates are averages of pairs, or a linear function of such averages. */
export function estimatesAverage(aggregate: Aggregate): boolean {
  const { parts, row, estimate } = aggregate
  const averages =
    row === undefined
      ? parts.every(({ rule }) => rule.change !== undefined)
      : averagesOf(aggregate).length === row.length
  if (!averages) return false
  // Tried with some numbers, since a function cannot be asked.
  const tried = [1, 2, 3, 4].map((by) =>
    Array.from({ length: numbersOf(aggregate) }, (_, i) => ((by * (i + 2)) % 7) + 0.5 / by),
  )
  return tried.slice(1).every((one, i) => {
    const other = tried[i]
    const middle = estimate(one.map((number, place) => (number + other[place]) / 2))
    const wanted = (estimate(one) + estimate(other)) / 2
    return Math.abs(middle - wanted) <= ROUNDING * Math.abs(wanted)
  })
}
