import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Tinypool } from 'tinypool'
import { BUILT } from '../../core/built.ts'
import { UsageError } from '../../core/index.ts'
import { readInputFile } from './input-files.ts'
import type { ExperimentJob } from './jobs.ts'
import type { OwnMeasures } from './own-measures.ts'
import { type DefinitionLookup, runJob } from './run-job.ts'
import type { ResultRow } from './table.ts'
import type { JobBatchResult } from './worker.ts'

/**
 * Executes the runs of an experiment: in this thread, in several, or some day on other machines.
 * Jobs and rows are JSON-like data, jobs are independent, and rows may arrive in any order.
 */
export interface Executor {
  /** Runs the jobs until all are done or `stop` is aborted; calls `done` after each. */
  work(
    jobs: readonly ExperimentJob[],
    done: (row: ResultRow) => void,
    stop: { readonly aborted: boolean },
  ): Promise<void>
}

/** Batches per thread: enough for balance, and few enough that posting them costs little. */
const BATCHES = 32
const LARGEST_BATCH = 64

/** Runs all jobs in this thread, and yields to the event loop between two of them. */
export function singleThread(
  definitionFor?: DefinitionLookup,
  ownMeasures?: OwnMeasures,
): Executor {
  return {
    async work(jobs, done, stop) {
      for (const job of jobs) {
        if (stop.aborted) return
        done(runJob(job, { definitionFor, readFile: readInputFile, ownMeasures }))
        await setImmediate()
      }
    },
  }
}

/** The code of the threads: a built file, and what it is given with every batch. */
export interface ThreadEntry {
  readonly file: string
  given(jobs: readonly ExperimentJob[]): unknown
}

const CATALOGUE: ThreadEntry = { file: 'experiment/study/worker.js', given: (jobs) => jobs }

/** Runs the jobs in a pool of worker threads. */
export function threads(count: number, entry = CATALOGUE): Executor {
  return {
    async work(jobs, done, stop) {
      const pool = new Tinypool({
        filename: fileURLToPath(new URL(entry.file, BUILT)),
        minThreads: count,
        maxThreads: count,
      })
      try {
        const queue = batches(jobs, count)
        const drain = async () => {
          for (let batch = queue.shift(); batch && !stop.aborted; batch = queue.shift()) {
            const { rows, error }: JobBatchResult = await pool.run(entry.given(batch), {
              name: 'work',
            })
            for (const row of rows) done(row)
            if (error !== null) throw new UsageError(...error)
          }
        }
        await Promise.all(Array.from({ length: count }, drain))
      } finally {
        await pool.destroy()
      }
    },
  }
}

function batches(jobs: readonly ExperimentJob[], count: number): ExperimentJob[][] {
  const size = Math.min(LARGEST_BATCH, Math.max(1, Math.floor(jobs.length / (count * BATCHES))))
  return Array.from({ length: Math.ceil(jobs.length / size) }, (_, i) =>
    jobs.slice(i * size, (i + 1) * size),
  )
}
