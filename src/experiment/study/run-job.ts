import { type Aggregation, byMessages, definitionNamed } from '../../algorithms/index.ts'
import { type Algorithm, HandlerError, UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { finished, type PreparedRun, prepare, type ScenarioInput } from '../../scenario/index.ts'
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
  const types = names.flatMap((name) =>
    byMessages(definitionFor(name)).kinds.map((kind) => kind.name),
  )
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
  return measuredRun(prepare(given, definitionFor(name), String, readFile), watched)
}

/** Runs to the end; the nodes of a run that is watched are listed, with their messages. */
export function measuredRun<P extends PreparedRun>(prepared: P, watched = false) {
  const listed = watched ? {} : { listed: false }
  const run = finished(prepared.run({ traffic: watched, symmetry: false, ...listed }))
  const result = run.result() as ReturnType<ReturnType<P['run']>['result']>
  return { result, ...run.yardsticks(result) }
}
