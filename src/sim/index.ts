export { type BoundResult, factsOf } from './bounds.ts'
export {
  type Conditions,
  type Delay,
  largestDelay,
  type Plan,
  type Watching,
} from './conditions.ts'
export { combined, type RunResult, resultOf } from './result.ts'
export { simulate } from './simulate.ts'
export { type Ending, Simulation } from './simulation.ts'
export {
  type Change,
  cutLink,
  losesNodes,
  noTroubles,
  partition,
  type Troubles,
  unsettles,
  type Wall,
} from './troubles.ts'
