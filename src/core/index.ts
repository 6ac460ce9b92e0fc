/*
 * What layers above import from core: the algorithm language, and what engines and scenarios need
 * beside it.
 */
export {
  type AggregateFieldName,
  type AggregateRow,
  averagesOf,
  estimatesAverage,
  type FoundInRow,
  numbersOf,
  ROW,
  type RowInput,
} from './language/aggregate.ts'
export type { Settings } from './language/algorithm.ts'
export { type Row, rowText } from './language/collections.ts'
export * from './language/index.ts'
export type { TheoryComparison } from './language/theory.ts'
export type { Topology } from './language/topology.ts'
export type { World } from './language/world.ts'
export { type NetworkForm, network, networkForms } from './networks/network.ts'
export { ring } from './networks/ring.ts'
export { electedBy } from './runtime/election-keys.ts'
export { Random } from './runtime/random.ts'
export type { TraceEvent } from './trace/trace-event.ts'
