import type { Executor, WorkModule } from '../../jobs/executor.ts'
import { IN_NODE, thisThread } from '../../jobs/this-thread.ts'
import type { ExperimentJob } from './jobs.ts'
import type { OwnMeasures } from './own-measures.ts'
import { type DefinitionLookup, type JobSources, measureJob } from './run-job.ts'
import type { ResultRow } from './table.ts'

/** The kind of work that an experiment is: a job is a run, and its output is a row. */
export function experimentRuns(
  sources: JobSources = {},
): WorkModule<unknown, ExperimentJob, ResultRow> {
  return {
    async open() {
      const files = IN_NODE && {
        readFile: (await import('../../jobs/input-files.ts')).readInputFile,
      }
      return (job) => measureJob(job, { ...files, ...sources })
    },
  }
}

/** Executes the runs of an experiment; rows may arrive in any order. */
export interface RunExecutor {
  /** Runs the jobs until all are done or `stop` is aborted; calls `done` after each. */
  work(
    jobs: readonly ExperimentJob[],
    done: (row: ResultRow) => void,
    stop: { readonly aborted: boolean },
  ): Promise<void>
}

/** Runs all jobs in this thread, and yields to the event loop between two of them. */
export function singleThread(
  definitionFor?: DefinitionLookup,
  ownMeasures?: OwnMeasures,
): RunExecutor {
  const runs = experimentRuns({ definitionFor, ownMeasures })
  return runsOf(async () => thisThread({ experiment: async () => runs }))
}

/** Runs the jobs in worker threads. */
export function threads(count: number): RunExecutor {
  const kinds = { experiment: async () => experimentRuns() }
  return runsOf(async () => {
    const { jobThreads } = await import('../../jobs/threads.ts')
    return jobThreads({ kinds, count, entry: 'experiment/study/worker.js' })
  })
}

function runsOf(make: () => Promise<Executor>): RunExecutor {
  return {
    async work(jobs, done, stop) {
      const executor = await make()
      const stopped = stop instanceof AbortSignal ? null : new AbortController()
      const listener = {
        done(_: number, row: ResultRow) {
          done(row)
          if (stop.aborted) stopped?.abort()
        },
      }
      try {
        const signal = stopped?.signal ?? (stop as AbortSignal)
        if (stop.aborted) return
        await executor.execute({ kind: 'experiment', given: null }, jobs, listener, signal)
      } finally {
        await executor.close()
      }
    },
  }
}
