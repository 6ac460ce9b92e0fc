export { type CheckOptions, type CheckResult, check, type Verdict } from './check.ts'
export type { Limits, Progress } from './search.ts'
export type { Step, Story } from './story.ts'
export type { Mode } from './system.ts'
