export { type CheckOptions, type CheckResult, check, type Verdict } from './check.ts'
export { anyFault, type FaultRules, type Mode, ringCloses } from './rules.ts'
export type { Limits, Progress } from './search.ts'
export type { Step, Story } from './story.ts'
