export {
  type At,
  atLeast,
  atMost,
  type Claim,
  exactly,
  fitted,
  grows,
  inInterval,
  nearly,
} from './claims.ts'
export { type Experiment, type ExperimentDocument, readExperiment } from './document.ts'
export { type Job, jobsOf, shardOf } from './jobs.ts'
export { type Findings, findingsOf } from './summary.ts'
export { csvOf, type Row } from './table.ts'
export { alone, threads } from './threads.ts'
export type { Workshop } from './workshop.ts'
