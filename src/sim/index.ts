export { type BoundResult, factsOf } from './bounds.ts'
export {
  type Conditions,
  type Delay,
  largestDelay,
  type Plan,
  type Watching,
} from './conditions.ts'
export {
  type Change,
  cutLink,
  isTroubled,
  losesNodes,
  noTroubles,
  partition,
  type Troubles,
  unsettles,
  type Wall,
} from './faults/faults.ts'
export type { Tamper, Tampered } from './faults/message-overrides.ts'
export { type Course, isOver } from './gossip/aggregation-run.ts'
export type { Changes, CycleConditions } from './gossip/cycle-conditions.ts'
export { type CycleResult, cycleResultOf } from './gossip/cycle-result.ts'
export { CycleSimulation } from './gossip/cycle-simulation.ts'
export { Inputs } from './gossip/inputs.ts'
export { type CycleEntry, estimator, observe } from './gossip/observation.ts'
export { type PairingOrder, pairingOrders } from './gossip/pairing.ts'
export { type PeriodConditions, PeriodSimulation } from './gossip/period-simulation.ts'
export { combined, type RunResult, resultOf } from './result.ts'
export { simulate } from './simulate.ts'
export { type Ending, Simulation } from './simulation.ts'
