export { type CheckOptions, type CheckResult, type Counterexample, check } from './check.ts'
export {
  type Figure,
  refuseUnmeasurable,
  type SampleRun,
  type WorstCase,
  worstCase,
} from './cost/worst-case.ts'
export type { Step, Story } from './counterexample/explain.ts'
export { sampleRun } from './counterexample/random-run.ts'
export { type Replay, replay } from './counterexample/replay.ts'
export { type Scene, scenesOf } from './counterexample/snapshots.ts'
export type { PlainMove } from './counterexample/transition-json.ts'
export { boundedDelay, defaultMode, defaultOptions } from './default-options.ts'
export { Systems } from './model/system-cache.ts'
export {
  anyFault,
  type FaultRules,
  type Mode,
  modeText,
  type Rules,
  renewing,
  ringCloses,
} from './options.ts'
export { BESIDES, type Verdict } from './properties/verdicts.ts'
export { Arrangements, kindsOfPositions, type Share, Tally } from './reduction/symmetry.ts'
export type { Progress } from './search/breadth-first.ts'
export type { Limits } from './search/budget.ts'
