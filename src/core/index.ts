export {
  type Aggregate,
  type AggregateField,
  type AggregateFieldName,
  type AggregateReport,
  aggregateFieldName,
  average,
  type Computation,
  type ExchangeRule,
  type Figures,
  largest,
  type NodeInput,
  smallest,
} from './language/aggregate.ts'
export {
  type Algorithm,
  algorithm,
  type Definition,
  type My,
  type Needs,
  type NetOf,
  type Param,
  type Settings,
  type StateOf,
} from './language/algorithm.ts'
export { list, map, pair, record, set } from './language/collections.ts'
export { ceilLog2, floorLog2, harmonic } from './language/logarithm.ts'
export { type Message, message, type Timer, timer } from './language/message.ts'
export { type Knowledge, type Link, left, type Net, right } from './language/net.ts'
export type { GlobalState, Problem, Property, Verdict } from './language/problem.ts'
export type { Bound, NetworkFacts, Theory, TheoryComparison } from './language/theory.ts'
export type { Topology } from './language/topology.ts'
export {
  type Fields,
  flag,
  type JsonValues,
  maybe,
  nat,
  oneOf,
  real,
  stable,
  uid,
  type Values,
  type ValueType,
} from './language/value-types.ts'
export type { World } from './language/world.ts'
export { type NetworkForm, network, networkForms } from './networks/network.ts'
export { ring } from './networks/ring.ts'
export { electedBy } from './runtime/election-keys.ts'
export { Random } from './runtime/random.ts'
export type { Outcome, State, Status } from './runtime/state.ts'
export type { TraceEvent } from './trace/trace-event.ts'
export { UsageError } from './usage-error.ts'
