import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { UsageError } from '../../core/index.ts'
import { type Experiment, readExperiment } from '../../experiment/study/document.ts'
import { jobsOf } from '../../experiment/study/jobs.ts'
import { csvOf, type ResultRow, rowsOf } from '../../experiment/study/table.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { readJsonObject, readText } from '../input/read-file.ts'
import { writeWhole } from '../terminal/output-file.ts'

const JOURNAL = 'journal.jsonl'
const DOCUMENT = 'experiment.json'

/** An experiment, and the command that runs it again. */
export interface StudyFiles {
  readonly experiment: Experiment
  readonly command: string
}

/**
 * The folder of an experiment. Runs are noted in a journal as they end, so that one who is
 * interrupted keeps what is done; the results replace it as whole files in the end.
 */
export class ResultsFolder {
  private readonly journal: string
  private readonly made: boolean
  private readonly fingerprint: string

  constructor(
    private readonly path: string,
    private readonly experiment: Experiment,
    /** Which share of the runs it is for; empty for all. */
    share = '',
  ) {
    this.fingerprint = fingerprintOf(experiment, share)
    this.journal = join(path, JOURNAL)
    try {
      this.made = mkdirSync(path, { recursive: true }) !== undefined
    } catch {
      throw new UsageError(
        '--out',
        `a folder that can be made is needed, but ${path} cannot be.`,
        'Name another one.',
      )
    }
  }

  /** The runs that were done before, if they are to be kept. */
  open(resume: boolean): ResultRow[] {
    this.refuseOther()
    const kept = existsSync(this.journal) ? this.kept() : []
    if (resume) {
      // A line that was cut off in the middle must not swallow the next.
      this.begin(kept)
      return kept
    }
    if (kept.length > 0) {
      throw new UsageError(
        '--out',
        `a folder without work that was interrupted is needed, but ${this.path} holds ${kept.length} finished runs.`,
        'Add --resume to go on with them, or remove the folder.',
      )
    }
    this.begin([])
    return []
  }

  /** Results of another experiment are not replaced without a word. */
  private refuseOther(): void {
    const document = join(this.path, DOCUMENT)
    if (!existsSync(document)) return
    const { experiment } = readJsonObject(document) as { experiment?: Experiment }
    if (experiment && fingerprintOf(experiment, '') === fingerprintOf(this.experiment, '')) return
    throw new UsageError(
      '--out',
      `a folder of this experiment, or a new one, is needed, but ${this.path} holds the results of another.`,
      'Name another folder, or remove this one.',
    )
  }

  note(row: ResultRow): void {
    appendFileSync(this.journal, `${JSON.stringify(row)}\n`)
  }

  /** Writes the results and forgets the journal. */
  finish(files: Readonly<Record<string, string | Uint8Array>>): void {
    rmSync(join(this.path, 'figures'), { recursive: true, force: true })
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.path, name)
      mkdirSync(dirname(path), { recursive: true })
      writeWhole(path, content, '--out')
    }
    rmSync(this.journal, { force: true })
  }

  /** Nothing stays of an experiment that was refused. */
  drop(): void {
    rmSync(this.journal, { force: true })
    if (this.made && readdirSync(this.path).length === 0) rmdirSync(this.path)
  }

  private begin(rows: readonly ResultRow[]): void {
    const lines = [this.fingerprint, ...rows.map((row) => JSON.stringify(row))]
    writeFileSync(this.journal, `${lines.join('\n')}\n`)
  }

  private kept(): ResultRow[] {
    const [head, ...lines] = readFileSync(this.journal, 'utf8').split('\n')
    if (head !== this.fingerprint) {
      throw new UsageError(
        '--out',
        `a folder of the same experiment is needed, but ${this.path} holds runs of another one.`,
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

/** What a share of an experiment says of itself, so that it can be joined to the others. */
export function shareFiles({ experiment, command }: StudyFiles, rows: readonly ResultRow[]) {
  // Claims are code, and cannot be written.
  const { claims: _, ...document } = experiment
  return {
    [DOCUMENT]: `${JSON.stringify({ command, experiment: document }, null, 2)}\n`,
    'results.csv': csvOf(rows, Object.keys(experiment.sweep), experiment.measures),
  }
}

/** The experiment of which all folders are shares, with all of its runs. */
export function joined(folders: readonly string[]): { study: StudyFiles; rows: ResultRow[] } {
  const documents = folders.map((folder) => readJsonObject(join(folder, DOCUMENT)))
  const stranger = documents.findIndex((one) => !isDeepStrictEqual(one, documents[0]))
  if (stranger > 0) {
    throw new UsageError(
      folders[stranger],
      `a share of the experiment in ${folders[0]} is needed, but it is one of another experiment.`,
      'Merge the shares of one experiment.',
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
        throw new UsageError(
          path,
          `runs that no other share has are needed, but run ${row.run} is in two of them.`,
          'Name every share once.',
        )
      }
      rows.set(row.run, row)
    }
  }
  const missing = jobs.filter(({ run }) => !rows.has(run))
  if (missing.length === 0) return { study: { experiment, command }, rows: [...rows.values()] }
  throw new UsageError(
    'experiment merge',
    `all ${jobs.length} runs are needed, but ${missing.length} are missing, the first is run ${missing[0].run}.`,
    'Name the folders of all shares.',
  )
}

/** What tells an experiment from others: what is run and measured, and which share of it. */
function fingerprintOf(experiment: Experiment, share: string): string {
  const { base, sweep, repeat, seed, measures } = experiment
  return JSON.stringify({ base, sweep, repeat, seed, measures, share })
}
