import {
  type Aggregation,
  defaultAlgorithm,
  definitionNamed,
  isAggregation,
} from '../../algorithms/index.ts'
import { type Algorithm, HandlerError, UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { type FieldLocator, prepare, type ScenarioInput } from '../../scenario/index.ts'
import {
  aggregationCycles,
  cycleResultOf,
  factsForBounds,
  largestDelay,
  observe,
  resultOf,
  simulationOf,
} from '../../sim/index.ts'
import type { Experiment } from './document.ts'
import type { ExperimentJob } from './jobs.ts'
import { ELECTED, type MeasuredRun, measured } from './measures.ts'
import { type OwnMeasures, ownValue } from './own-measures.ts'
import type { ResultRow } from './table.ts'

/** Finds the algorithm of a job by its name. */
export type DefinitionLookup = (name: unknown) => Algorithm | Aggregation

/** Rejects measures of message types that no algorithm has. */
export function refuseUnknownTypes(
  { base, sweep, measures }: Pick<Experiment, 'base' | 'sweep' | 'measures'>,
  where: string,
  definitionFor: DefinitionLookup = definitionNamed,
): void {
  const names = [base.algorithm, ...(sweep.algorithm ?? [])].filter((name) => name !== undefined)
  const types = names.flatMap((name) => {
    const definition = definitionFor(name)
    const algorithm = isAggregation(definition) ? defaultAlgorithm(definition) : definition
    return algorithm.kinds.map((kind) => kind.name)
  })
  for (const measure of measures.flatMap((name) => name.split('/'))) {
    const [, type] = /^messages\.(.*)/.exec(measure) ?? []
    if (type === undefined || types.includes(type)) continue
    throw new UsageError(
      where,
      `there is no message type ${quoted(type)}.`,
      `The message types are ${[...new Set(types)].join(', ')}.`,
    ).withCandidates(type, types)
  }
}

/** Where a run finds what its scenario names. */
export interface JobSources {
  readonly definitionFor?: DefinitionLookup | undefined
  /** Reads the text of a file, such as a network. */
  readonly readFile?: FileReader | undefined
  /** The measures of the document, by name. */
  readonly ownMeasures?: OwnMeasures | undefined
}

type FileReader = (path: string) => string

/** Runs one job; the row says how to reproduce the run if a property did not hold. */
export function measureJob(
  { run, point, repeat, scenario, measures }: ExperimentJob,
  { definitionFor = definitionNamed, readFile, ownMeasures = {} }: JobSources = {},
): ResultRow {
  try {
    const watched = measures.some((name) => name.split('/').some((part) => part in ownMeasures))
    const outcome = measuredRunOf(scenario, definitionFor, readFile, watched)
    const own = (name: string) =>
      Object.hasOwn(ownMeasures, name) ? ownValue(name, ownMeasures[name], outcome.result) : null
    const { result } = outcome
    // A failure with a stated chance is no error: it is the rate that is judged.
    const ok = result.verdict.ok || ('failure' in result && result.failure?.failed === true)
    const elected = measured(ELECTED, outcome)
    return {
      run,
      point,
      n: outcome.result.n,
      repeat,
      seed: Number(scenario.seed),
      values: measures.map((name) => measured(name, outcome, own)),
      ...(elected !== null && { elected }),
      ok,
      replay: ok ? '' : commandLine('run', String(scenario.algorithm), scenario),
    }
  } catch (error) {
    // What a handler did has a place in its file, which is worth more than the run.
    if (!(error instanceof UsageError) || error instanceof HandlerError) throw error
    const at = Object.entries(point).map(([name, value]) => `${name} ${value}`)
    throw error.at(`run ${run}${at.length === 0 ? '' : ` (${at.join(', ')})`}: ${error.where}`)
  }
}

function measuredRunOf(
  { algorithm: name, ...given }: ScenarioInput,
  definitionFor: DefinitionLookup,
  readFile: FileReader | undefined,
  watched: boolean,
): MeasuredRun {
  const where = (field: string) => field
  const what = definitionFor(name)
  return isAggregation(what)
    ? measuredAggregation(given, what, where, { readFile, listed: watched })
    : measuredElection(given, what, where, { readFile, traffic: watched })
}

function measuredAggregation(
  given: ScenarioInput,
  aggregation: Aggregation,
  where: FieldLocator,
  { readFile, listed }: { readFile: FileReader | undefined; listed: boolean },
): MeasuredRun {
  const { begin, topology, tolerance, scenario } = prepare(given, aggregation, where, readFile)
  const run = begin()
  const cycles = [observe(run, tolerance, null)]
  for (const _ of aggregationCycles(run, scenario))
    cycles.push(observe(run, tolerance, cycles.at(-1)!))
  const result = cycleResultOf(run, topology.links, cycles, listed ? undefined : false)
  return { result, announced: 0, longest: 1, lower: null }
}

/** Runs an election to its end. */
export function measuredElection(
  given: ScenarioInput,
  algorithm: Algorithm,
  where: FieldLocator,
  { readFile, traffic = false }: { readFile?: FileReader | undefined; traffic?: boolean } = {},
) {
  const { world, conditions, properties } = prepare(given, algorithm, where, readFile)
  const simulation = simulationOf(world, conditions, properties, { traffic })
  const result = resultOf(simulation, simulation.finish())
  const announcements = simulation.algorithm.kinds.filter(({ announces }) => announces)
  const announced = announcements.reduce((sum, kind) => sum + result.messages.byType[kind.name], 0)
  const facts = { ...factsForBounds(world, conditions), leaderId: result.leader?.id ?? null }
  const lower = algorithm.theory.bounds.filter(
    ({ of, kind, when }) => of === 'messages' && kind === 'lower' && (when?.(facts) ?? true),
  )
  return {
    result,
    announced,
    longest: largestDelay(conditions.delay),
    lower: lower.length === 0 ? null : Math.max(...lower.map(({ value }) => value(facts))),
  }
}
