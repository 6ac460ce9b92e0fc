import { appendFileSync, existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { makeFolder } from '../../cluster/node/folder.ts'
import { UsageError } from '../../core/index.ts'
import { grouped } from '../../core/text-format.ts'
import { type Experiment, readExperiment } from '../../experiment/study/document.ts'
import { jobsOf } from '../../experiment/study/jobs.ts'
import { csvOf, type ResultRow, rowsOf } from '../../experiment/study/table.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { readJsonObject } from '../input/json-file.ts'
import { fileProblem, readText } from '../input/read-file.ts'
import { makeOutputFolder, writeWhole } from '../terminal/output-file.ts'

const JOURNAL = 'journal.jsonl'
const DOCUMENT = 'experiment.json'

/** An experiment, and the command that reproduces it. */
export interface StudyFiles {
  readonly experiment: Experiment
  readonly command: string
}

/**
 * The folder of an experiment. Finished runs are appended to a journal, so that an interrupted
 * experiment can be resumed; at the end the result files replace the journal.
 */
export class ResultsFolder {
  private readonly journal: string
  private readonly made: boolean
  private readonly fingerprint: string
  /** The number of runs in the journal. */
  private noted = 0
  private failed = false

  constructor(
    private readonly path: string,
    private readonly experiment: Experiment,
    /** Which shard of the runs it is for; empty for all. */
    shard = '',
  ) {
    this.fingerprint = fingerprintOf(experiment, shard)
    this.journal = join(path, JOURNAL)
    this.made = makeOutputFolder(path, '--out') !== null
    this.refuseForeign()
  }

  /** Files that no experiment has written are never mixed with results. */
  private refuseForeign(): void {
    const found = readdirSync(this.path).filter((name) => name !== '.DS_Store')
    if (found.length === 0 || found.some((name) => name === DOCUMENT || name === JOURNAL)) return
    throw new UsageError(
      '--out',
      `${this.path} has files that are no results of an experiment, such as ${found.sort()[0]}.`,
      'Name a new or empty folder.',
    )
  }

  /** Starts the journal; returns the finished runs of an interrupted experiment to resume. */
  open(resume: boolean): ResultRow[] {
    this.refuseOther()
    const kept = existsSync(this.journal) ? this.kept() : []
    if (resume) {
      // Rewritten, since the last line may be incomplete.
      this.begin(kept)
      return kept
    }
    if (kept.length > 0) {
      throw new UsageError(
        '--out',
        `${this.path} holds ${kept.length} finished runs of an interrupted experiment.`,
        'Add --resume to continue it, or remove the folder.',
      )
    }
    this.begin([])
    return []
  }

  /** Results of another experiment are never overwritten. */
  private refuseOther(): void {
    const document = join(this.path, DOCUMENT)
    if (!existsSync(document)) return
    const { experiment } = readJsonObject(document) as { experiment?: Experiment }
    if (experiment && fingerprintOf(experiment, '') === fingerprintOf(this.experiment, '')) return
    throw new UsageError(
      '--out',
      `${this.path} holds the results of another experiment.`,
      'Name another folder, or remove this one.',
    )
  }

  note(row: ResultRow): void {
    this.writing(() => appendFileSync(this.journal, `${JSON.stringify(row)}\n`))
    this.noted++
  }

  /** Writes the results and removes the journal. */
  finish(files: Readonly<Record<string, string | Uint8Array>>): void {
    rmSync(join(this.path, 'figures'), { recursive: true, force: true })
    this.add(files)
    rmSync(this.journal, { force: true })
  }

  add(files: Readonly<Record<string, string | Uint8Array>>): void {
    this.writing(() => {
      for (const [name, content] of Object.entries(files)) {
        const path = join(this.path, name)
        makeFolder(dirname(path))
        writeWhole(path, content, '--out')
      }
    })
  }

  /** If the file system refuses to write, the journal stays, and the error says what is in it. */
  private writing(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.failed = true
      const why =
        error instanceof UsageError
          ? error.problem
          : `${this.path} cannot be written: ${fileProblem(error)}.`
      const runs = this.noted === 1 ? '1 run is' : `${grouped(this.noted)} runs are`
      const saved =
        this.noted === 0
          ? 'No run is saved.'
          : `${runs} saved in ${this.journal}: make room, then add --resume to continue.`
      throw new UsageError('--out', why, saved)
    }
  }

  /** Removes the traces of an experiment that was rejected, not of one that was not written. */
  drop(): void {
    if (this.failed) return
    rmSync(this.journal, { force: true })
    if (this.made && readdirSync(this.path).length === 0) rmdirSync(this.path)
  }

  private begin(rows: readonly ResultRow[]): void {
    const lines = [this.fingerprint, ...rows.map((row) => JSON.stringify(row))]
    this.noted = rows.length
    // As a whole: if there is no room for it, the former journal stays.
    this.writing(() => writeWhole(this.journal, `${lines.join('\n')}\n`, '--out'))
  }

  private kept(): ResultRow[] {
    const [head, ...lines] = readFileSync(this.journal, 'utf8').split('\n')
    if (head !== this.fingerprint) {
      throw new UsageError(
        '--out',
        `${this.path} holds runs of another experiment.`,
        'Name another folder, or remove this one.',
      )
    }
    return lines.flatMap((line) => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
  }
}

/** The files of a shard, from which shards are merged. */
export function shardFiles({ experiment, command }: StudyFiles, rows: readonly ResultRow[]) {
  // Claims and measures of one's own are code: of the latter the names are kept.
  const { claims: _, ownMeasures, ...rest } = experiment
  const document = { ...rest, ...(ownMeasures && { ownMeasures: Object.keys(ownMeasures) }) }
  return {
    [DOCUMENT]: jsonFile({ command, experiment: document }),
    'results.csv': csvOf(rows, Object.keys(experiment.sweep), experiment.measures),
  }
}

export function jsonFile(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`
}

/** Merges the shards in these folders. */
export function merged(folders: readonly string[]): { study: StudyFiles; rows: ResultRow[] } {
  const documents = folders.map((folder) => readJsonObject(join(folder, DOCUMENT)))
  const stranger = documents.findIndex((one) => !isDeepStrictEqual(one, documents[0]))
  if (stranger > 0) {
    throw new UsageError(
      folders[stranger],
      `this is not a shard of the experiment in ${folders[0]}.`,
      'Merge the shards of one experiment.',
    )
  }
  const { command, experiment: given } = documents[0] as {
    command: string
    experiment: ScenarioInput
  }
  const experiment = readExperiment(given ?? {}, (field) => `${folders[0]}: ${field}`)
  const jobs = jobsOf(experiment)
  const rows = new Map<number, ResultRow>()
  for (const folder of folders) {
    const path = join(folder, 'results.csv')
    for (const row of rowsOf(readText(path), jobs, path)) {
      if (rows.has(row.run)) {
        throw new UsageError(path, `run ${row.run} is in two shards.`, 'Name every shard once.')
      }
      rows.set(row.run, row)
    }
  }
  const missing = jobs.filter(({ run }) => !rows.has(run))
  if (missing.length === 0) return { study: { experiment, command }, rows: [...rows.values()] }
  throw new UsageError(
    'experiment merge',
    `${missing.length} of ${jobs.length} runs are missing, the first is run ${missing[0].run}.`,
    'Name the folders of all shards.',
  )
}

/** Identifies an experiment: what is run and measured, and which shard. */
export function fingerprintOf(experiment: Experiment, share: string): string {
  const { base, sweep, repeat, seed, measures } = experiment
  return JSON.stringify({ base, sweep, repeat, seed, measures, share })
}
