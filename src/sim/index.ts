export { type BoundResult, factsOf } from './bounds.ts'
export {
  type Conditions,
  type Delay,
  largestDelay,
  type Plan,
  type Watching,
} from './conditions.ts'
export { type Course, isOver } from './cycles/course.ts'
export type { Changes, CycleConditions } from './cycles/cycle-conditions.ts'
export { type CycleResult, cycleResultOf } from './cycles/cycle-result.ts'
export { CycleSimulation } from './cycles/cycle-simulation.ts'
export { Inputs } from './cycles/inputs.ts'
export { type CycleEntry, estimator, observe } from './cycles/observation.ts'
export { type PairingOrder, pairingOrders } from './cycles/pairing.ts'
export { type PeriodConditions, PeriodSimulation } from './cycles/period-simulation.ts'
export { combined, type RunResult, resultOf } from './result.ts'
export { simulate } from './simulate.ts'
export { type Ending, Simulation } from './simulation.ts'
export type { Tamper, Tampered } from './tampering.ts'
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
} from './troubles.ts'
