export { Arrangements, kindsOfPositions, type Share, Tally } from './arrangements.ts'
export { type CheckOptions, type CheckResult, type Counterexample, check } from './check.ts'
export type { Limits } from './limits.ts'
export type { PlainMove } from './plain-move.ts'
export { type Replay, replay } from './replay.ts'
export { anyFault, type FaultRules, type Mode, type Rules, renewing, ringCloses } from './rules.ts'
export { sampleRun } from './sample.ts'
export { type Scene, scenesOf } from './scenes.ts'
export type { Progress } from './search.ts'
export type { Step, Story } from './story.ts'
export { Systems } from './systems.ts'
export { BESIDES, type Verdict } from './verdicts.ts'
export {
  type Figure,
  refuseUnmeasurable,
  type SampleRun,
  type WorstCase,
  worstCase,
} from './worst-case.ts'
