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
} from './aggregate.ts'
export {
  type Algorithm,
  algorithm,
  type Definition,
  type My,
  type Needs,
  type Param,
} from './algorithm.ts'
export { list, map, pair, record, set } from './collections.ts'
export { Complaint } from './complaint.ts'
export { electedBy } from './keys.ts'
export { ceilLog2, floorLog2, harmonic } from './logarithm.ts'
export { type Message, message, type Timer, timer } from './message.ts'
export { type Knowledge, type Link, left, type Net, right } from './net.ts'
export { type NetworkForm, network, networkForms } from './networks/network.ts'
export { ring } from './networks/ring.ts'
export type { Problem, Property, Situation } from './problem.ts'
export { Random } from './random.ts'
export type { Outcome, State, Status } from './state.ts'
export type { Bound, Comparison, Facts, Theory } from './theory.ts'
export type { Topology } from './topology.ts'
export type { TraceEvent } from './trace.ts'
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
} from './value.ts'
export type { World } from './world.ts'
