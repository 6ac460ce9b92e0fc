import type { ExperimentJob } from './jobs.ts'
import type { ResultRow } from './table.ts'

/**
 * Where the runs of an experiment are done: here, in threads, or some day by a queue between
 * machines. Jobs and rows are plain data, jobs do not depend on each other, and rows may come in
 * any order.
 */
export interface Executor {
  /** Does the jobs until all are done or somebody asks to stop; `done` hears of each. */
  work(
    jobs: readonly ExperimentJob[],
    done: (row: ResultRow) => void,
    stop: { readonly aborted: boolean },
  ): Promise<void>
}
