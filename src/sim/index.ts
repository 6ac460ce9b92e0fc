export { type BoundResult, factsOf } from './bounds.ts'
export {
  type Conditions,
  type Delay,
  largestDelay,
  type Plan,
  type Watching,
} from './conditions.ts'
export { type RunResult, resultOf } from './result.ts'
export { type Ending, Simulation } from './simulation.ts'
