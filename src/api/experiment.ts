import {
  type Aggregation,
  type AggregationName,
  aggregationNamed,
  definitionNamed,
  isOfCatalogue,
  offers,
} from '../algorithms/index.ts'
import { type Algorithm, UsageError } from '../core/index.ts'
import type {
  DefinitionLookup,
  Experiment,
  ExperimentDocument,
  ExperimentFindings,
  OwnMeasures,
  ResultRow,
} from '../experiment/index.ts'
import { IN_NODE } from '../jobs/this-thread.ts'
import { DOCUMENT_FIELDS } from '../options/experiment.ts'
import { integer, unexpected } from '../options/reading.ts'
import { fieldNamed, optionNamed, SCENARIO_OPTIONS, scenarioInput } from '../options/scenario.ts'
import type { ScenarioOptions } from '../options/scenario-options.ts'
import { isObjectLiteral } from '../options/shape.ts'
import type { ScenarioInput } from '../scenario/index.ts'
import { noOption, refuseOptions } from './option-checks.ts'
import { definitionOf, type ElectionName, runnable } from './targets.ts'

/** The values that an option takes, one after the other: a list, or a text such as `'2..100'`. */
export type SweepValues = readonly (number | string | readonly number[])[] | string

/** What is run, what is swept and measured, and how often; the rest is the world of every run. */
export interface ExperimentOptions
  extends Omit<ScenarioOptions, 'timing'>,
    Pick<
      ExperimentDocument,
      | 'title'
      | 'discussion'
      | 'repeat'
      | 'claims'
      | 'x'
      | 'mayFail'
      | 'ownMeasures'
      | 'measure'
      | 'measures'
      | 'fit'
      | 'fits'
    > {
  readonly timing?: 'sync' | 'async' | 'cycles' | 'pairs'
  /** Options by name, `'set.patience'` for a parameter, with their values. */
  readonly sweep?: Readonly<Record<string, SweepValues>>
  /** In how many threads; 1 by default. Own algorithms run in this one. */
  readonly threads?: number
  /** Called after each run. */
  readonly onProgress?: (done: number, all: number) => void
  /** Runs own definitions without checking what their handlers do: faster, for very large runs. */
  readonly unchecked?: boolean
}

/** One run: what was run, and its measures by name, such as `row.messages`. */
export type ExperimentRow = Omit<ResultRow, 'values'> & {
  readonly [measure: string]: number | null
}

/** What was measured: run by run, and summed up with intervals, fits and claims. */
export interface ExperimentResult extends ExperimentFindings {
  /** The names of the measures. */
  readonly measures: Experiment['measures']
  /** One row for each run. */
  readonly rows: readonly ExperimentRow[]
  /** The rows as results.csv has them: the same bytes as the command line writes. */
  readonly csv: string
}

/** An algorithm that can be measured: an own one, or a name of the catalogue. */
export type ExperimentTarget = Algorithm | Aggregation | ElectionName | AggregationName

/** The fields of a document that are options; the others are its base and its variants. */
const DOCUMENT = DOCUMENT_FIELDS.filter(
  (field) => !['base', 'seed', 'log', 'quick'].includes(field),
)

const OPTIONS = [...SCENARIO_OPTIONS, ...DOCUMENT, 'threads', 'onProgress', 'unchecked']
const OTHER_NAMES = ['measures', 'fits']

/** More threads than any machine has are a slip of the pen. */
const MOST_THREADS = 1024

/**
 * Runs an algorithm, or several to compare, many times, and measures what it costs. The same
 * options give the same rows, in however many threads.
 *
 * `await experiment(mine, { sweep: { n: [8, 16, 32] }, repeat: 10 })`
 */
export async function experiment(
  what: ExperimentTarget | readonly ExperimentTarget[],
  options: ExperimentOptions = {},
): Promise<ExperimentResult> {
  refuseOptions(
    options,
    OPTIONS,
    {
      onProgress: 'function',
      mayFail: 'boolean',
      unchecked: 'boolean',
    },
    OTHER_NAMES,
  )
  refuseSweep(options)
  const targets = Array.isArray(what) ? (what as readonly ExperimentTarget[]) : [what]
  const definitions = targets.map((target) => definitionOf(target as Algorithm))
  const lookup = lookupIn(definitions.map((one) => runnable(one, options.unchecked)))
  const engine = await import('../experiment/index.ts')
  const { csvOf, findingsOf, jobsOf, readExperiment, singleThread, threads } = engine
  const names = definitions.filter((one) => !offers(one, 'lead')).map(({ name }) => name)
  const aggregates = (name: unknown) =>
    names.includes(String(name)) || aggregationNamed(name) !== undefined
  const document = readExperiment(documentOf(definitions, options), optionNamed, aggregates)
  const place = options.measures === undefined ? 'measure' : 'measures'
  engine.refuseUnknownTypes(document, place, lookup)
  const jobs = jobsOf(document)
  const count = integer('threads', options.threads ?? 1, 1, MOST_THREADS)
  if (count > 1 && !IN_NODE)
    throw new UsageError('threads', 'a browser has one thread for it.', 'Leave the option out.')
  if (count > 1) refuseOwn(definitions, document.ownMeasures)
  const rows: ResultRow[] = []
  const executor = count === 1 ? singleThread(lookup, document.ownMeasures) : threads(count)
  const { signal } = new AbortController()
  const record = (row: ResultRow) => {
    rows.push(row)
    options.onProgress?.(rows.length, jobs.length)
  }
  await executor.work(jobs, record, signal).catch((error: unknown) => {
    throw error instanceof UsageError ? error.at(optionIn(error.where, options)) : error
  })
  rows.sort((a, b) => a.run - b.run)
  const { measures, sweep } = document
  return {
    ...findingsOf(document, rows),
    measures,
    rows: rows.map((row) => named(row, measures)),
    csv: csvOf(rows, Object.keys(sweep), measures),
  }
}

function named({ values, ...run }: ResultRow, measures: readonly string[]): ExperimentRow {
  const measured = Object.fromEntries(measures.map((name, i) => [name, values[i]]))
  return { ...measured, ...run } as ExperimentRow
}

/** Refuses to sweep what is no option, or what has a value already. */
function refuseSweep(options: ExperimentOptions): void {
  const { sweep = {} } = options
  if (!isObjectLiteral(sweep))
    throw unexpected('sweep', 'an object', sweep, "Write for example sweep: { n: '2..100' }.")
  const known = ['algorithm', ...SCENARIO_OPTIONS]
  for (const name of Object.keys(sweep)) {
    const where = `sweep.${name}`
    if (name.startsWith('set.')) continue
    if (!known.includes(name)) throw noOption(where, name, known)
    if (options[name as keyof ScenarioOptions] !== undefined)
      throw new UsageError(where, `${name} is also given as an option.`, 'Remove one of the two.')
  }
}

/** The option behind the error of a run, which names the run, its point and a field. */
function optionIn(where: string, { sweep = {} }: ExperimentOptions): string {
  const [, point = '', field] = /^run \d+( \(.*?\))?: (.*)$/.exec(where) ?? []
  if (field === undefined) return where
  const option = optionNamed(field)
  return `${Object.hasOwn(sweep, option) ? `sweep.${option}` : option}${point}`
}

/** The options as an experiment document has them; several algorithms are swept over. */
function documentOf(
  definitions: readonly (Algorithm | Aggregation)[],
  options: ExperimentOptions,
): ScenarioInput {
  const { seed, ...world } = scenarioInput(options)
  const names = definitions.map(({ name }) => name)
  const several = names.length > 1 && { algorithm: names }
  const swept = Object.entries(options.sweep ?? {}).map(([name, values]) => [
    name.startsWith('set.') ? name : fieldNamed(name),
    values,
  ])
  const given = Object.entries(options).filter(
    ([name, value]) => value !== undefined && [...DOCUMENT, ...OTHER_NAMES].includes(name),
  )
  return {
    ...Object.fromEntries(given),
    base: { ...(names.length === 1 && { algorithm: names[0] }), ...world },
    sweep: { ...several, ...Object.fromEntries(swept) },
    ...(seed !== undefined && { seed }),
  }
}

/** The given definitions by name; a sweep over `algorithm` may name others of the catalogue. */
function lookupIn(definitions: readonly (Algorithm | Aggregation)[]): DefinitionLookup {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  if (byName.size < definitions.length)
    throw new UsageError('algorithm', 'two algorithms have the same name.', 'Rename one of them.')
  return (name) => byName.get(String(name)) ?? definitionNamed(name)
}

/** Code cannot be handed to another thread. */
function refuseOwn(
  definitions: readonly (Algorithm | Aggregation)[],
  ownMeasures: OwnMeasures = {},
): void {
  const own = definitions.find((definition) => !isOfCatalogue(definition))?.name
  const [code = own] = Object.keys(ownMeasures)
  if (code === undefined) return
  throw new UsageError(
    'threads',
    `${code} is not of the catalogue, and runs in this thread only.`,
    'Leave the option out, or measure its file with conclave experiment.',
  )
}
