import { UsageError } from '../../core/index.ts'
import { grouped } from '../../core/text-format.ts'
import {
  type ExperimentJob,
  type ResultRow,
  singleThread,
  threads,
} from '../../experiment/index.ts'
import type { Io } from '../io.ts'
import { bar } from '../terminal/format.ts'
import { ProgressLine } from '../terminal/progress.ts'
import type { OwnDefinitions } from './own-definitions.ts'
import type { ResultsFolder } from './results-folder.ts'

const CELLS = 24

/** Runs the remaining jobs and appends their rows; returns false if the user pressed Ctrl-C. */
export async function runJobs(
  jobs: readonly ExperimentJob[],
  rows: ResultRow[],
  folder: ResultsFolder | null,
  workers: number,
  own: OwnDefinitions | null,
  io: Io,
): Promise<boolean> {
  const done = new Set(rows.map(({ run }) => run))
  const rest = jobs.filter(({ run }) => !done.has(run))
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  process.once('SIGINT', interrupt)
  const before = rows.length
  const line = new ProgressLine(io)
  try {
    const executor =
      workers === 1 ? singleThread(own?.find, own?.ownMeasures) : threads(workers, own?.entry)
    await executor.work(
      rest,
      (row) => {
        rows.push(row)
        folder?.note(row)
        line.show(() => progressText(rows.length, before, jobs.length, line.elapsedMs))
      },
      stop.signal,
    )
  } catch (error) {
    if (error instanceof UsageError) folder?.drop()
    throw error
  } finally {
    line.clear()
    process.off('SIGINT', interrupt)
  }
  return rows.length === jobs.length
}

/** A bar with the number of runs, their rate and the time left. */
function progressText(count: number, before: number, all: number, elapsedMs: number): string {
  const rate = ((count - before) / elapsedMs) * 1000
  const left = Math.ceil((all - count) / rate)
  const cells = bar(count / all, CELLS).padEnd(CELLS, '░')
  const runs = `${grouped(count)} of ${grouped(all)} runs`
  return `${cells} ${runs}, ${grouped(rate)} per second, ${left} s left`
}
