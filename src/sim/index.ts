export type { BoundResult, FailureResult } from './bounds.ts'
export { factsForBounds } from './bounds.ts'
export type { CoinScript } from './coins.ts'
export {
  type Conditions,
  type Delay,
  largestDelay,
  type NodeSchedule,
  type Observers,
} from './conditions.ts'
export {
  cutLink,
  type FaultEvent,
  type FaultPlan,
  noFaults,
  type Partition,
  partition,
} from './faults/faults.ts'
export type { MessageOverride, OverrideResult } from './faults/message-overrides.ts'
export { type AggregationRun, aggregationCycles } from './gossip/aggregation-run.ts'
export { type CycleResult, cycleResultOf, reachedIn } from './gossip/cycle-result.ts'
export { CycleSimulation } from './gossip/cycle-simulation.ts'
export type { Changes, CycleConditions } from './gossip/inputs.ts'
export { Inputs } from './gossip/inputs.ts'
export {
  type CycleEntry,
  errorScale,
  estimator,
  nearWords,
  observe,
  relativeError,
  spreadOf,
} from './gossip/observation.ts'
export { pairingOrders } from './gossip/pairing.ts'
export { type PeriodConditions, PeriodSimulation } from './gossip/period-simulation.ts'
export { simulationOf } from './meetings/meeting-simulation.ts'
export { combinedResults, type NodeResult, nodesOf, type RunResult, resultOf } from './result.ts'
export { type RunEnd, Simulation } from './simulation.ts'
