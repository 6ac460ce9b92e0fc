export {
  type Aggregate,
  average,
  type Computation,
  type Figures,
  type Findings,
  type Input,
  largest,
  type Part,
  type PartName,
  partName,
  type Rule,
  smallest,
} from './language/aggregate.ts'
export {
  type Algorithm,
  algorithm,
  type Definition,
  type My,
  type Needs,
  type Param,
} from './language/algorithm.ts'
export { list, map, pair, record, set } from './language/collections.ts'
export { ceilLog2, floorLog2, harmonic } from './language/logarithm.ts'
export { type Message, message, type Timer, timer } from './language/message.ts'
export { type Knowledge, type Link, left, type Net, right } from './language/net.ts'
export type { Problem, Property, Situation } from './language/problem.ts'
export type { Bound, Comparison, Facts, Theory } from './language/theory.ts'
export type { Topology } from './language/topology.ts'
export {
  type Fields,
  flag,
  maybe,
  nat,
  oneOf,
  real,
  stable,
  type Type,
  uid,
  type Values,
} from './language/value-types.ts'
export type { World } from './language/world.ts'
export { type NetworkForm, network, networkForms } from './networks/network.ts'
export { ring } from './networks/ring.ts'
export { electedBy } from './runtime/election-keys.ts'
export { Random } from './runtime/random.ts'
export type { Outcome, State, Status } from './runtime/state.ts'
export type { TraceEvent } from './trace/trace-event.ts'
export { Complaint } from './usage-error.ts'
