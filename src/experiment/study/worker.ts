import { HandlerError, UsageError } from '../../core/index.ts'
import { readInputFile } from './input-files.ts'
import type { ExperimentJob } from './jobs.ts'
import { type JobSources, runJob } from './run-job.ts'
import type { ResultRow } from './table.ts'

/** The result of a batch. Errors lose their class between threads, so their parts are posted. */
export interface JobBatchResult {
  readonly rows: readonly ResultRow[]
  readonly error: ConstructorParameters<typeof UsageError> | null
}

/** The entry of a thread. */
export function work(jobs: readonly ExperimentJob[]): JobBatchResult {
  return runBatch(jobs)
}

export function runBatch(
  jobs: readonly ExperimentJob[],
  sources: Pick<JobSources, 'definitionFor' | 'ownMeasures'> = {},
): JobBatchResult {
  const rows: ResultRow[] = []
  try {
    for (const job of jobs) rows.push(runJob(job, { ...sources, readFile: readInputFile }))
  } catch (thrown) {
    if (!(thrown instanceof UsageError) || thrown instanceof HandlerError) throw thrown
    return { rows, error: thrown.parts }
  }
  return { rows, error: null }
}
