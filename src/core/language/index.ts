/*
 * The algorithm language: all that a definition imports from `conclave`, but for the problems.
 */

/* Properties that must hold, and what is known about an algorithm. */
export { ceilLog2, floorLog2, harmonic } from '../numbers.ts'
export type { Outcome, State, Status } from '../runtime/state.ts'
export { UsageError } from '../usage-error.ts'
/* What an algorithm computes, where it is not an election alone. */
export {
  type Aggregate,
  type AggregateField,
  type AggregateReport,
  aggregateFieldName,
  average,
  type Computation,
  type ExchangeRule,
  type Figures,
  half,
  largest,
  metropolisWeights,
  type NodeInput,
  type RowRule,
  smallest,
} from './aggregate.ts'
/* The definition of an algorithm. */
export {
  type Algorithm,
  algorithm,
  type Definition,
  type My,
  type Needs,
  type NetOf,
  type Param,
  type StateOf,
} from './algorithm.ts'
/* Invariants, for proofs. */
export {
  type Clause,
  type Clauses,
  type Invariant,
  LED,
  type LinkSetView,
  type MessageView,
  type NodeView,
  type Relations,
  type StepClause,
} from './clause.ts'
/* The types of values that state and messages hold. */
export { bytes, list, map, pair, record, set, vector } from './collections.ts'
export {
  type Counter,
  counter,
  countOf,
  isLess,
  next,
  one,
  type Term,
  term,
  twoTo,
  type UnknownCounter,
  zero,
} from './counter.ts'
/* What pictures show of nodes, and why nodes do what they do. */
export type {
  Display,
  DisplayedValue,
  EdgeRole,
  EventContext,
  NodeDisplay,
  Reasons,
  Seen,
  ShownId,
} from './display.ts'
export { type Body, type Message, message, type Timer, timer } from './message.ts'
export {
  type Knowledge,
  type Link,
  left,
  type MeetingNet,
  type Net,
  type Office,
  type RandomDelay,
  right,
} from './net.ts'
export type { GlobalState, Problem, Property, TermLeader, Verdict } from './problem.ts'
export type { Bound, NetworkFacts, Theory, TheoryComparison } from './theory.ts'
/* What is thrown where a handler makes a mistake. */
export { HandlerError, type HandlerPlace } from './validation/handler-error.ts'
export {
  below,
  compareIds,
  type Fields,
  flag,
  incarnation,
  type JsonValues,
  larger,
  link,
  maybe,
  nat,
  numericUid,
  oneOf,
  type Real,
  real,
  smaller,
  stable,
  type Uid,
  uid,
  type Values,
  type ValueType,
} from './value-types.ts'
