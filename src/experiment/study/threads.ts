import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Tinypool } from 'tinypool'
import { UsageError } from '../../core/index.ts'
import { BUILT } from '../built.ts'
import type { Executor } from './executor.ts'
import type { ExperimentJob } from './jobs.ts'
import { type DefinitionLookup, runJob } from './run-job.ts'
import type { JobBatch } from './worker.ts'

/** Parcels per thread: enough that nobody waits long for the last, and each worth posting. */
const PARCELS = 32
const LARGEST_PARCEL = 64

/** One after the other in this thread; other work gets its turn between two of them. */
export function singleThread(definitionFor?: DefinitionLookup): Executor {
  return {
    async work(jobs, done, stop) {
      for (const job of jobs) {
        if (stop.aborted) return
        done(runJob(job, definitionFor))
        await setImmediate()
      }
    },
  }
}

/** Several at once, in threads of this process. */
export function threads(count: number): Executor {
  return {
    async work(jobs, done, stop) {
      const pool = new Tinypool({
        filename: fileURLToPath(new URL('experiment/study/worker.js', BUILT)),
        minThreads: count,
        maxThreads: count,
      })
      try {
        const queue = parcels(jobs, count)
        const carry = async () => {
          for (let parcel = queue.shift(); parcel && !stop.aborted; parcel = queue.shift()) {
            const { rows, complaint }: JobBatch = await pool.run(parcel, { name: 'work' })
            for (const row of rows) done(row)
            if (complaint !== null) throw new UsageError(...complaint)
          }
        }
        await Promise.all(Array.from({ length: count }, carry))
      } finally {
        await pool.destroy()
      }
    },
  }
}

function parcels(jobs: readonly ExperimentJob[], count: number): ExperimentJob[][] {
  const size = Math.min(LARGEST_PARCEL, Math.max(1, Math.floor(jobs.length / (count * PARCELS))))
  return Array.from({ length: Math.ceil(jobs.length / size) }, (_, i) =>
    jobs.slice(i * size, (i + 1) * size),
  )
}
