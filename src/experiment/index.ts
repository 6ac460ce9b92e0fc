export { type ExperimentFindings, findingsOf } from './statistics/summary.ts'
export {
  type At,
  atLeast,
  atMost,
  type Claim,
  claimedBy,
  exactly,
  fitted,
  grows,
  inInterval,
  nearly,
} from './study/claims.ts'
export { type Experiment, type ExperimentDocument, readExperiment } from './study/document.ts'
export { experimentRuns, type RunExecutor, singleThread, threads } from './study/executor.ts'
export { type ExperimentJob, jobsOf, shardOf } from './study/jobs.ts'
export type { OwnMeasure, OwnMeasures } from './study/own-measures.ts'
export { type DefinitionLookup, refuseUnknownTypes } from './study/run-job.ts'
export { csvOf, type ResultRow } from './study/table.ts'
