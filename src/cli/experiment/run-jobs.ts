import { UsageError } from '../../core/index.ts'
import { alone, type ExperimentJob, type ResultRow, threads } from '../../experiment/index.ts'
import type { Io } from '../io.ts'
import { bar, grouped } from '../terminal/format.ts'
import type { ResultsFolder } from './results-folder.ts'

const CELLS = 24
const QUIET_MS = 1000
const REFRESH_MS = 200

/**
 * Does the jobs that are not done yet and adds their rows to those that are; true when all are,
 * false when somebody pressed Ctrl-C.
 */
export async function runJobs(
  jobs: readonly ExperimentJob[],
  rows: ResultRow[],
  folder: ResultsFolder | null,
  workers: number,
  io: Io,
): Promise<boolean> {
  const done = new Set(rows.map(({ run }) => run))
  const rest = jobs.filter(({ run }) => !done.has(run))
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  const progress = new Progress(jobs.length, rows.length, io)
  try {
    const workshop = workers === 1 ? alone : threads(workers)
    await workshop.work(
      rest,
      (row) => {
        rows.push(row)
        folder?.note(row)
        progress.show(rows.length)
      },
      stop.signal,
    )
  } catch (error) {
    if (error instanceof UsageError) folder?.drop()
    throw error
  } finally {
    progress.clear()
    process.off('SIGINT', interrupt)
  }
  return rows.length === jobs.length
}

/** A bar with count, rate and time left, on a terminal and where it takes long. */
class Progress {
  private readonly begun = Date.now()
  private shown = 0

  constructor(
    private readonly all: number,
    private readonly before: number,
    private readonly io: Io,
  ) {}

  show(count: number): void {
    const now = Date.now()
    if (!this.io.progress || now - this.begun < QUIET_MS || now - this.shown < REFRESH_MS) return
    this.shown = now
    const rate = ((count - this.before) / (now - this.begun)) * 1000
    const left = Math.ceil((this.all - count) / rate)
    const filled = bar(count / this.all, CELLS).padEnd(CELLS, '░')
    const counts = `${grouped(count)} of ${grouped(this.all)} runs`
    this.io.err(`\r\x1b[K${filled} ${counts}, ${grouped(rate)} a second, ${left} s left`)
  }

  clear(): void {
    if (this.shown > 0) this.io.err('\r\x1b[K')
  }
}
