import { UsageError } from '../../core/index.ts'
import { grouped } from '../../core/text-format.ts'
import { type ExperimentJob, experimentRuns, type ResultRow } from '../../experiment/index.ts'
import type { StudyListener } from '../../jobs/executor.ts'
import type { Io } from '../io.ts'
import { chosenExecutor } from '../jobs/chosen-executor.ts'
import type { ExecutionSummary } from '../jobs/execution-report.ts'
import type { ExecutorFlags } from '../jobs/executor-flags.ts'
import { Interruption } from '../jobs/interruption.ts'
import { bar } from '../terminal/format.ts'
import { CATALOGUE_ONLY, type OwnSources } from './experiment-work.ts'
import type { OwnDefinitions } from './own-definitions.ts'
import type { ResultsFolder } from './results-folder.ts'

const CELLS = 24

/** How the runs of a study are executed. */
export interface RunSettings {
  /** The number of threads. */
  readonly workers: number
  readonly place: ExecutorFlags
  /** Whether results on other machines are used that an interrupted call has not fetched. */
  readonly resume: boolean
  readonly json: boolean
  /** Tells experiments apart. */
  readonly study: string
  /** The files of networks by their paths. */
  readonly texts: Readonly<Record<string, string>>
}

/** How the runs ended, besides their rows. */
export interface RunsEnded {
  /** Whether the user pressed Ctrl-C. */
  readonly interrupted: boolean
  /** What happened on other machines; null if there were none. */
  readonly execution: ExecutionSummary | null
}

/** Runs the remaining jobs and appends their rows. */
export async function runJobs(
  jobs: readonly ExperimentJob[],
  rows: ResultRow[],
  folder: ResultsFolder | null,
  settings: RunSettings,
  own: OwnDefinitions | null,
  io: Io,
): Promise<RunsEnded> {
  const known = new Set(rows.map(({ run }) => run))
  const rest = jobs.filter(({ run }) => !known.has(run))
  const stop = new AbortController()
  const before = rows.length
  const { workers, place, texts, ...wanted } = settings
  const loaded = experimentRuns({ definitionFor: own?.find, ownMeasures: own?.ownMeasures })
  const local = place.on === undefined
  const drop = (error: unknown): never => {
    // What others have computed is kept: a server may only be gone for a while.
    if (error instanceof UsageError && (local || rows.length === 0)) folder?.drop()
    throw error
  }
  const { executor, remote, report } = await chosenExecutor(place, io, {
    ...wanted,
    threads: workers,
    ...(workers === 1 && { prepared: { experiment: async () => loaded } }),
    code: own === null ? [] : codeOf(own.given.sources),
  }).catch(drop)
  const given = { ...(own?.given ?? CATALOGUE_ONLY), ...(remote && { texts }) }
  const text = () => progressText(rows.length, before, jobs.length, report.elapsedMs)
  const listener: StudyListener<ResultRow> = {
    done(_, row) {
      rows.push(row)
      folder?.note(row)
      report.show(text, rows.length, jobs.length)
    },
    event: report.event,
    ...(remote && {
      failed: (index: number, why: string) => report.failed(`run ${rest[index].run}`, why),
    }),
  }
  const interruption = new Interruption(() => stop.abort())
  interruption.expect()
  try {
    await executor.execute({ kind: 'experiment', given }, rest, listener, stop.signal)
  } catch (error) {
    drop(error)
  } finally {
    await executor.close()
    report.clear()
    interruption.end()
  }
  report.end()
  return { interrupted: interruption.happened, execution: report.summary() }
}

/** A bar with the number of runs, their rate and the time left. */
function progressText(count: number, before: number, all: number, elapsedMs: number): string {
  const rate = ((count - before) / elapsedMs) * 1000
  const left = Math.ceil((all - count) / rate)
  const cells = bar(count / all, CELLS).padEnd(CELLS, '░')
  const runs = `${grouped(count)} of ${grouped(all)} runs`
  return `${cells} ${runs}, ${grouped(rate)} per second, ${left} s left`
}

/** The own files of a study. */
function codeOf(sources: OwnSources | null): readonly string[] {
  if (sources === null) return []
  const { files, document } = sources
  return [...Object.values(files), ...(document === null ? [] : [document])]
}
