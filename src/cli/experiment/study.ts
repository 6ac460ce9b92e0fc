import { availableParallelism } from 'node:os'
import { definitionNamed, findDefinition, offers } from '../../algorithms/index.ts'
import { Random, UsageError } from '../../core/index.ts'
import { network } from '../../core/networks/network.ts'
import { quoted, wrapped } from '../../core/text-format.ts'
import type { FigureStyle } from '../../experiment/figures/figures.ts'
import {
  type ExperimentJob,
  findingsOf,
  jobsOf,
  type ResultRow,
  readExperiment,
  refuseUnknownTypes,
  shardOf,
} from '../../experiment/index.ts'
import { validateLayout } from '../../experiment/report/tables.ts'
import { measureList } from '../../experiment/study/measures.ts'
import { EXPERIMENT, withOwnNames } from '../../options/experiment.ts'
import { integer } from '../../options/reading.ts'
import { scenarioInput } from '../../options/scenario.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { type FieldLocator, flagged, type ScenarioInput } from '../../scenario/index.ts'
import { noteNetwork } from '../input/file-networks.ts'
import { readText } from '../input/read-file.ts'
import { isCode, type Lookup } from '../input/user-algorithm.ts'
import { EXIT, type Io } from '../io.ts'
import { type ExecutorFlags, withoutExecutorFlags } from '../jobs/executor-flags.ts'
import { coloursFor, widthOf } from '../terminal/format.ts'
import { documentIn } from './document-file.ts'
import { type OwnDefinitions, ownDefinitions, ownFilesIn } from './own-definitions.ts'
import { experimentText, summaryJson } from './report-files.ts'
import {
  fingerprintOf,
  jsonFile,
  merged,
  ResultsFolder,
  type StudyFiles,
  shardFiles,
} from './results-folder.ts'
import { runJobs } from './run-jobs.ts'

export interface ExperimentFlags extends Record<string, unknown>, ExecutorFlags {
  readonly out?: string
  readonly resume?: true
  readonly shard?: string
  readonly quick?: true
  readonly json?: true
  readonly table?: string
  readonly all?: true
  readonly measures?: true
  /** Figures without title and footer. */
  readonly plain?: true
  readonly size?: string
  readonly pdf?: true
}

/** An experiment to run, with definitions that are not of the catalogue. */
interface Study extends StudyFiles {
  readonly own: OwnDefinitions | null
}

/** Flags that are fields of the document. */
const DOCUMENT_FLAGS = Object.keys(EXPERIMENT)

/** The sides of a figure, in pixels. */
const [SMALLEST, LARGEST] = [200, 10_000]

/** More threads are taken for a mistake. */
const MOST_WORKERS = 1024

/** Prints every measure, its unit and what it is. */
export function listMeasures({ json }: ExperimentFlags, io: Io): number {
  const wide = (of: 'name' | 'unit') => Math.max(...measureList.map((one) => one[of].length)) + 2
  const [names, units] = [wide('name'), wide('unit')]
  const rows = measureList.flatMap(({ name, unit, says }) =>
    wrapped(says, widthOf(io) - names - units).map((line, i) => {
      const [first, second] = i === 0 ? [name, unit] : ['', '']
      return `${first.padEnd(names)}${second.padEnd(units)}${line}`
    }),
  )
  io.out(json ? `${JSON.stringify(measureList)}\n` : `${rows.join('\n')}\n`)
  return EXIT.done
}

/** Merges the shards of an experiment, as if it had been run as a whole. */
export async function merge(
  folders: readonly string[],
  options: ExperimentFlags,
  io: Io,
): Promise<number> {
  const { out } = options
  if (folders.length === 0 || out === undefined) {
    throw new UsageError(
      'experiment merge',
      out === undefined ? '--out is missing.' : 'the folders of the shards are missing.',
      'Write conclave experiment merge one two three --out whole.',
    )
  }
  const { study, rows } = merged(folders)
  const folder = new ResultsFolder(out, study.experiment)
  return report(study, rows, folder, options, io)
}

export async function studyOf(names: readonly string[], options: ExperimentFlags): Promise<Study> {
  if (names.length > 1) {
    throw new UsageError(
      'experiment',
      `takes one algorithm or file, but ${names.join(' and ')} were given.`,
      'Sweep over algorithms with --sweep algorithm=lcr,peterson.',
    )
  }
  const [name] = names
  const { seed, ...flags } = scenarioInput(options)
  const shown = Object.fromEntries(
    DOCUMENT_FLAGS.filter((flag) => options[flag] !== undefined).map((flag) => [
      flag,
      options[flag],
    ]),
  )
  const given = {
    ...shown,
    ...(options.sweep !== undefined && { sweep: sweepOf(options.sweep as string[]) }),
    ...(seed !== undefined && { seed }),
  }
  const quick = options.quick === true
  const file = await documentIn(name, quick)
  if (quick && file === null) throw noDocument()
  const place: FieldLocator = (field) =>
    file === null || Object.hasOwn(given, field) ? flagged(field) : `${name}: ${field}`
  const base =
    file === null ? { algorithm: name } : sweptBase(file.document, Object.keys(given.sweep ?? {}))
  const whole = { ...file?.document, ...given, base: { ...base, ...flags } }
  const [document, where] = withOwnNames(whole, place)
  const sources = { files: ownFilesIn(document), document: file?.defines ?? null }
  const own = await ownDefinitions(sources, quick)
  const find: Lookup = own?.find ?? definitionNamed
  const experiment = readExperiment(document, where, (one) => isKnownAggregation(one, find))
  refuseUnknownTypes(experiment, where('measure'), (one) =>
    find(one, file === null ? 'algorithm' : where('base')),
  )
  const command = commandLine('experiment', name, { ...scenarioInput(options), ...shown })
  return { experiment, command, own }
}

/** The base of a document without the fields that are swept by flags: flags override files. */
function sweptBase(document: ScenarioInput, swept: readonly string[]): ScenarioInput {
  const base = (document.base ?? {}) as ScenarioInput
  return Object.fromEntries(
    Object.entries(base).filter(([field]) => field === 'algorithm' || !swept.includes(field)),
  )
}

function isKnownAggregation(name: unknown, find: Lookup): boolean {
  if (typeof name !== 'string') return false
  const known = isCode(name) ? find(name) : findDefinition(name)
  return known !== undefined && !offers(known, 'lead')
}

/**
 * Reads every file of a network once before the runs: mistakes and remarks are told first. Returns
 * the texts by their paths.
 */
function noteNetworks(jobs: readonly ExperimentJob[], io: Io): Record<string, string> {
  const named = new Set(jobs.map(({ scenario }) => String(scenario.topology)))
  const texts: Record<string, string> = {}
  const readFile = (path: string) => {
    texts[path] ??= readText(path, '--topology')
    return texts[path]
  }
  for (const text of named) {
    if (!text.startsWith('file:')) continue
    noteNetwork(network(text, { random: Random.from(1), readFile, allowComponents: true }), io)
  }
  return texts
}

function noDocument(): UsageError {
  return new UsageError(
    '--quick',
    'works only with the file of an experiment, not with an algorithm.',
    'Leave it out, and sweep fewer values.',
  )
}

function sweepOf(flags: readonly string[]): ScenarioInput {
  const sweep = new Map<string, string>()
  for (const flag of flags) {
    const at = flag.indexOf('=')
    const name = flag.slice(0, Math.max(0, at)).trim()
    const values = flag.slice(at + 1)
    if (at <= 0) {
      throw new UsageError(
        '--sweep',
        `expected a name and its values, got ${quoted(flag)}.`,
        'Write for example n=2..100.',
      )
    }
    if (sweep.has(name)) {
      const joined = `${name}=${sweep.get(name)},${values}`
      throw new UsageError('--sweep', `${name} is swept twice.`, `Join the values: ${joined}.`)
    }
    sweep.set(name, values)
  }
  return Object.fromEntries(sweep)
}

export async function conduct(study: Study, options: ExperimentFlags, io: Io): Promise<number> {
  const { experiment } = study
  validateLayout(options, experiment, '--table')
  refuseFigureFlags(options)
  const { out, resume, shard: text } = options
  const shard = text === undefined ? null : readShard(text)
  if (out === undefined && (resume || shard !== null)) {
    throw new UsageError(
      resume ? '--resume' : '--shard',
      'needs a folder for the results.',
      'Name one with --out.',
    )
  }
  const all = jobsOf(experiment)
  const jobs = shard === null ? all : shardOf(all, shard)
  const workers = integer(
    '--threads',
    options.threads ?? Math.min(availableParallelism(), jobs.length),
    1,
    MOST_WORKERS,
  )
  const texts = noteNetworks(jobs, io)
  const folder = out === undefined ? null : new ResultsFolder(out, experiment, text)
  const rows = folder?.open(resume === true) ?? []
  const { place } = withoutExecutorFlags(options)
  const settings = {
    workers,
    place,
    texts,
    resume: resume === true,
    json: options.json === true,
    study: fingerprintOf(experiment, text ?? ''),
  }
  const { interrupted, execution } = await runJobs(jobs, rows, folder, settings, study.own, io)
  if (execution !== null) folder?.add({ 'execution.json': jsonFile(execution) })
  if (rows.length < jobs.length) {
    const kept = folder === null ? 'with --out they would be kept' : 'add --resume to continue'
    const why = interrupted ? 'interrupted' : `${jobs.length - rows.length} runs were given up`
    io.err(`${why} after ${rows.length} of ${jobs.length} runs; ${kept}\n`)
    return interrupted ? EXIT.interrupted : EXIT.undecided
  }
  if (shard === null) return report(study, rows, folder, options, io)
  folder?.finish(shardFiles(study, rows))
  io.out(`shard ${text}: ${rows.length} of ${all.length} runs are in ${out}\n`)
  return rows.every(({ ok }) => ok) ? EXIT.done : EXIT.violated
}

/** Figures are written into the folder of the results. */
function refuseFigureFlags(options: ExperimentFlags): void {
  styleOf(options)
  const flag = (['plain', 'size', 'pdf'] as const).find((name) => options[name] !== undefined)
  if (flag === undefined || options.out !== undefined) return
  throw new UsageError(`--${flag}`, 'figures need a folder.', 'Name one with --out.')
}

function styleOf({ plain: bare, size }: ExperimentFlags): FigureStyle {
  if (size === undefined) return { bare }
  const [width, height] = /^\d+x\d+$/.test(size) ? size.split('x').map(Number) : [0, 0]
  const fits = (length: number) => length >= SMALLEST && length <= LARGEST
  if (fits(width) && fits(height)) return { bare, size: { width, height } }
  throw new UsageError(
    '--size',
    `expected a width and a height from ${SMALLEST} to ${LARGEST} pixels, got ${quoted(size)}.`,
    'Write for example 800x500.',
  )
}

function readShard(text: string): { index: number; of: number } {
  const [index, of] = /^\d+\/\d+$/.test(text) ? text.split('/').map(Number) : [0, 0]
  if (index >= 1 && index <= of) return { index, of }
  throw new UsageError(
    '--shard',
    `expected the number of a shard and the number of shards, got ${quoted(text)}.`,
    'Write 1/3 for the first of three.',
  )
}

/** Writes the results and prints a report. */
async function report(
  study: StudyFiles,
  unsorted: readonly ResultRow[],
  folder: ResultsFolder | null,
  options: ExperimentFlags,
  io: Io,
): Promise<number> {
  // Threads finish in any order, but figures must be reproducible.
  const rows = unsorted.toSorted((a, b) => a.run - b.run)
  // The runs are kept even if a fit fails, or the disk is full.
  folder?.add(shardFiles(study, rows))
  const findings = findingsOf(study.experiment, rows)
  if (folder !== null) {
    const { reportFiles } = await import('./report-files.ts')
    const shown = { layout: options, style: styleOf(options), pdf: options.pdf === true }
    folder.finish(await reportFiles(study, rows, findings, shown, io.err))
  }
  const text = experimentText(study.experiment, findings, coloursFor(io), options)
  io.out(options.json ? summaryJson(study, findings) : text)
  const sound = findings.failures.length === 0 || study.experiment.mayFail
  const { claims } = findings
  if (!sound || claims.some(({ holds }) => holds === false)) return EXIT.violated
  // That elections fail as often as stated is not asked by the document, so that it may stay open.
  const asked = claims.slice(0, study.experiment.claims.length)
  return asked.every(({ holds }) => holds) ? EXIT.done : EXIT.undecided
}
