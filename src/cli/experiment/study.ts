import { availableParallelism } from 'node:os'
import { definitionNamed } from '../../algorithms/index.ts'
import { UsageError } from '../../core/index.ts'
import {
  findingsOf,
  jobsOf,
  type ResultRow,
  readExperiment,
  refuseUnknownTypes,
  shardOf,
} from '../../experiment/index.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { integer, quoted } from '../../scenario/fields/reading.ts'
import { type FieldLocator, flagged, type ScenarioInput } from '../../scenario/index.ts'
import { readJsonObject } from '../input/read-file.ts'
import { givenOf } from '../input/scenario-flags.ts'
import { isCode } from '../input/user-algorithm.ts'
import { userModule } from '../input/user-module.ts'
import { EXIT, type Io } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'
import { joined, ResultsFolder, type StudyFiles, shareFiles } from './results-folder.ts'
import { runJobs } from './run-jobs.ts'
import { experimentText, summaryJson } from './text-report.ts'

export interface ExperimentFlags extends Record<string, unknown> {
  readonly out?: string
  readonly resume?: true
  readonly workers?: string
  readonly shard?: string
  readonly quick?: true
  readonly json?: true
}

/** Flags that are fields of the document, by their name there. */
const DOCUMENT_FLAGS: Readonly<Record<string, string>> = {
  sweep: 'sweep',
  repeat: 'repeat',
  measure: 'measures',
  fit: 'fits',
  x: 'x',
  log: 'log',
  title: 'title',
}

/** More threads than any machine has are a slip of the pen. */
const MOST_WORKERS = 1024

/** Joins the shares of an experiment as if it had been run as a whole. */
export async function merge(
  folders: readonly string[],
  { out, json }: ExperimentFlags,
  io: Io,
): Promise<number> {
  if (folders.length === 0 || out === undefined) {
    throw new UsageError(
      'experiment merge',
      `folders of shares, and --out for the whole, are needed, but ${out === undefined ? 'there is no --out' : 'there are no folders'}.`,
      'Write conclave experiment merge one two three --out whole.',
    )
  }
  const { study, rows } = joined(folders)
  const folder = new ResultsFolder(out, study.experiment)
  return tell(study, rows, folder, json, io)
}

export async function studyOf(
  names: readonly string[],
  options: ExperimentFlags,
): Promise<StudyFiles> {
  if (names.length > 1) {
    throw new UsageError(
      'experiment',
      `one algorithm or one file is needed, but ${names.join(' and ')} were given.`,
      'Sweep over algorithms with --sweep algorithm=lcr,peterson.',
    )
  }
  const [name] = names
  const { seed, ...base } = givenOf(options)
  const fields = Object.entries(DOCUMENT_FLAGS).filter(([flag]) => options[flag] !== undefined)
  const given = {
    ...Object.fromEntries(fields.map(([flag, field]) => [field, options[flag]])),
    ...(options.sweep !== undefined && { sweep: sweepOf(options.sweep as string[]) }),
    ...(seed !== undefined && { seed }),
  }
  const file = await documentIn(name, options.quick)
  if (options.quick && file === null) throw noDocument()
  const where: FieldLocator = (field) => {
    const flag = Object.keys(DOCUMENT_FLAGS).find((one) => DOCUMENT_FLAGS[one] === field) ?? field
    return file === null || field in given ? flagged(flag) : `${name}: ${field}`
  }
  const own = file === null ? { algorithm: name } : ((file.base ?? {}) as ScenarioInput)
  const experiment = readExperiment({ ...file, ...given, base: { ...own, ...base } }, where)
  refuseUnknownTypes(experiment, where('measures'), (one) =>
    definitionNamed(one, file === null ? 'algorithm' : where('base')),
  )
  const shown = Object.fromEntries(
    Object.keys(DOCUMENT_FLAGS).flatMap((flag) =>
      options[flag] === undefined ? [] : [[flag, options[flag]]],
    ),
  )
  return { experiment, command: commandLine('experiment', name, { ...givenOf(options), ...shown }) }
}

/** The document of a file; null where an algorithm was named. */
async function documentIn(name: string, quick?: true): Promise<ScenarioInput | null> {
  if (name.endsWith('.json')) return inForm(readJsonObject(name), quick)
  if (!isCode(name)) return null
  const { default: document } = await userModule(name)
  if (typeof document === 'object' && document !== null)
    return inForm(document as ScenarioInput, quick)
  throw new UsageError(
    name,
    `an experiment as the default export is needed, but ${document === undefined ? 'there is none' : `it is ${quoted(document)}`}.`,
    'Write export default { base: { algorithm: "lcr" }, sweep: { n: "2..100" } }.',
  )
}

/** The document in full, or as its author made it small. */
function inForm({ quick: small, ...full }: ScenarioInput, quick?: true): ScenarioInput {
  return quick && typeof small === 'object' ? { ...full, ...small } : full
}

function noDocument(): UsageError {
  return new UsageError(
    '--quick',
    'the file of an experiment is needed, but an algorithm was given.',
    'Leave it out, and sweep less.',
  )
}

function sweepOf(flags: readonly string[]): ScenarioInput {
  const names = new Set<string>()
  return Object.fromEntries(
    flags.map((flag) => {
      const at = flag.indexOf('=')
      const name = flag.slice(0, Math.max(0, at)).trim()
      if (at > 0 && !names.has(name)) {
        names.add(name)
        return [name, flag.slice(at + 1)]
      }
      throw new UsageError(
        '--sweep',
        `a name and values are needed, each name once, but ${quoted(flag)} was given.`,
        'Write for example n=2..100.',
      )
    }),
  )
}

export async function conduct(
  study: StudyFiles,
  options: ExperimentFlags,
  io: Io,
): Promise<number> {
  const { experiment } = study
  const { out, resume, shard: text, json } = options
  const shard = text === undefined ? null : readShard(text)
  if (out === undefined && (resume || shard !== null)) {
    throw new UsageError(
      resume ? '--resume' : '--shard',
      'a folder is needed, but there is no --out.',
      'Name one with --out.',
    )
  }
  const all = jobsOf(experiment)
  const jobs = shard === null ? all : shardOf(all, shard)
  const workers = integer(
    '--workers',
    options.workers ?? Math.min(availableParallelism(), jobs.length),
    1,
    MOST_WORKERS,
  )
  const folder = out === undefined ? null : new ResultsFolder(out, experiment, text)
  const rows = folder?.open(resume === true) ?? []
  const whole = await runJobs(jobs, rows, folder, workers, io)
  if (!whole) {
    const kept = folder === null ? 'with --out they would be kept' : 'add --resume to go on'
    io.err(`interrupted after ${rows.length} of ${jobs.length} runs; ${kept}\n`)
    return EXIT.interrupted
  }
  if (shard === null) return tell(study, rows, folder, json, io)
  folder?.finish(shareFiles(study, rows))
  io.out(`share ${text}: ${rows.length} of ${all.length} runs are in ${out}\n`)
  return rows.every(({ ok }) => ok) ? EXIT.done : EXIT.violated
}

function readShard(text: string): { index: number; of: number } {
  const [index, of] = /^\d+\/\d+$/.test(text) ? text.split('/').map(Number) : [0, 0]
  if (index >= 1 && index <= of) return { index, of }
  throw new UsageError(
    '--shard',
    `the number of a share and how many there are is needed, but ${quoted(text)} was given.`,
    'Write 1/3 for the first of three.',
  )
}

/** Writes the results where they belong, and prints what was found. */
async function tell(
  study: StudyFiles,
  unsorted: readonly ResultRow[],
  folder: ResultsFolder | null,
  json: true | undefined,
  io: Io,
): Promise<number> {
  // Threads end in any order, and figures have the same bytes each time.
  const rows = unsorted.toSorted((a, b) => a.run - b.run)
  // Whatever the fits complain of, the runs are kept.
  folder?.finish(shareFiles(study, rows))
  const findings = findingsOf(study.experiment, rows)
  if (folder !== null) {
    const { reportFiles } = await import('./report-files.ts')
    folder.finish(await reportFiles(study, rows, findings, io.err))
  }
  const text = experimentText(study.experiment, findings, coloursFor(io.colours))
  io.out(json ? summaryJson(study, findings) : text)
  const sound = findings.failures.length === 0 || study.experiment.mayFail
  const well = sound && findings.claims.every(({ holds }) => holds)
  return well ? EXIT.done : EXIT.violated
}
