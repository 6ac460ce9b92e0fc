import { UsageError } from '../../core/index.ts'
import type { ExperimentJob } from './jobs.ts'
import { runJob } from './run-job.ts'
import type { ResultRow } from './table.ts'

/** What comes back from a thread. Errors lose their class on the way: a complaint goes in parts. */
export interface JobBatch {
  readonly rows: readonly ResultRow[]
  readonly complaint: ConstructorParameters<typeof UsageError> | null
}

export function work(jobs: readonly ExperimentJob[]): JobBatch {
  const rows: ResultRow[] = []
  try {
    for (const job of jobs) rows.push(runJob(job))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { rows, complaint: error.parts }
  }
  return { rows, complaint: null }
}
