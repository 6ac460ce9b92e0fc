import { Complaint } from '../../core/index.ts'
import type { Job } from './jobs.ts'
import { runTrial } from './run-job.ts'
import type { Row } from './table.ts'

/** What comes back from a thread. Errors lose their class on the way: a complaint goes in parts. */
export interface Parcel {
  readonly rows: readonly Row[]
  readonly complaint: ConstructorParameters<typeof Complaint> | null
}

export function work(jobs: readonly Job[]): Parcel {
  const rows: Row[] = []
  try {
    for (const job of jobs) rows.push(runTrial(job))
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    const { where, needed, given, remedy } = error
    return { rows, complaint: [where, needed, given, remedy] }
  }
  return { rows, complaint: null }
}
