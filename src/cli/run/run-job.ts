import { type Aggregation, isAggregation } from '../../algorithms/aggregation.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import type { Topology } from '../../core/language/topology.ts'
import { grouped } from '../../core/text-format.ts'
import { prepareElection } from '../../scenario/election/prepare-election.ts'
import type { AggregationPreparation } from '../../scenario/gossip/prepare-gossip.ts'
import { messageRunBytes } from '../../scenario/memory-need.ts'
import type { FieldLocator, ScenarioInput } from '../../scenario/scenario.ts'
import type { TraceDiff } from '../../trace/trace-diff.ts'
import { noteNetwork } from '../input/file-networks.ts'
import { readText } from '../input/read-file.ts'
import { electionIn, isCode, loaded } from '../input/user-algorithm.ts'
import type { Io } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'
import { type ElectionRuns, type RunOptions, runElections } from './run-files.ts'
import { roleReports, runReport } from './run-report.ts'

/** A prepared run: an aggregation, or one or several elections. */
export type RunJob =
  | ElectionJob
  | {
      readonly aggregation: AggregationPreparation
      /** The name of its definition. */
      readonly name: string
    }

interface ElectionJob extends ElectionRuns {
  /** The command line that reproduces the run. */
  readonly command: string
}

/** A definition, and how the user wrote it: a name, or the path of an own file. */
export interface JobTarget {
  readonly what: Algorithm | Aggregation
  readonly reference?: string
}

export async function jobOf(
  given: ScenarioInput,
  { what, reference = what.name }: JobTarget,
  where: FieldLocator,
  command: string,
): Promise<RunJob> {
  const read = (path: string) => readText(path, where('topology'))
  const shown = { algorithm: isCode(reference) ? reference : what.name }
  if (isAggregation(what)) {
    const { prepareGossip } = await import('../../scenario/gossip/prepare-gossip.ts')
    const prepared = prepareGossip(given, what, where, read)
    const scenario = { ...prepared.scenario, ...shown }
    return { aggregation: { ...prepared, scenario }, name: what.name }
  }
  if (given.role !== undefined) {
    const { algorithmsOfRoles, prepareRoles } = await import('../../scenario/roles.ts')
    const find = electionIn(await loaded(algorithmsOfRoles(given.role)))
    const { scenario, roles } = prepareRoles(given, what, where, find, read)
    return { scenario: { ...scenario, ...shown }, traced: scenario, elections: roles, command }
  }
  const prepared = prepareElection(given, what, where, read)
  const scenario = { ...prepared.scenario, ...shown }
  const elections = [{ name: null, preparation: { ...prepared, scenario } }]
  return { scenario, traced: { ...prepared.scenario }, elections, command }
}

/**
 * Runs a job and prints its report; returns whether all properties hold. A replayed run is compared
 * with its trace, and nothing is printed if it differs.
 */
export async function runJob(
  job: RunJob,
  options: RunOptions,
  io: Io,
  recorded?: TraceDiff,
): Promise<boolean> {
  if (options.step) refuseSteps(job)
  if ('aggregation' in job) {
    noteNetwork(job.aggregation.topology, io)
    requireMemory(job.aggregation.topology, job.aggregation.bytes, io)
    const { runAggregation } = await import('./gossip-command.ts')
    return runAggregation(job.aggregation, job.name, options, io, recorded)
  }
  const { world, conditions } = job.elections[0].preparation
  noteNetwork(world.topology, io)
  requireMemory(world.topology, () => messageRunBytes(world, conditions), io)
  if (options.svg !== undefined) refuseManyDiagrams(job)
  const { report, transcripts } = await runElections(job, options, io, recorded)
  const colours = coloursFor(io)
  io.out(transcripts)
  io.out(
    options.json
      ? `${JSON.stringify(report)}\n`
      : 'roles' in report
        ? roleReports(report, job.command, colours)
        : runReport(report, job.command, colours),
  )
  return report.verdict.ok
}

function refuseSteps(job: RunJob): void {
  if ('aggregation' in job)
    throw new UsageError(
      '--step',
      'steps are those of an election; an aggregation has cycles.',
      'Use --trace -, or explore it: conclave check.',
    )
  const { length } = job.elections
  if (length > 1)
    throw new UsageError(
      '--step',
      `shows a single election, but there are ${length} roles.`,
      'Run the roles one by one.',
    )
}

function refuseManyDiagrams({ elections: { length } }: ElectionJob): void {
  if (length === 1) return
  throw new UsageError(
    '--svg',
    `a diagram shows a single election, but there are ${length} roles.`,
    'Run the roles one by one.',
  )
}

/** The memory of smaller worlds is not worth a word. */
const LARGE = 1_000_000
const GB = 2 ** 30

/** Says how much memory a large run will take, and refuses one for which there is too little. */
export function requireMemory(
  { n, name }: Pick<Topology, 'n' | 'name'>,
  needed: () => number,
  io: Pick<Io, 'err' | 'progress'>,
  available = process.availableMemory(),
): void {
  if (n < LARGE) return
  const bytes = needed()
  const nodes = `${name}: ${grouped(n)} nodes`
  if (bytes > available)
    throw new UsageError(
      'conclave run',
      `${nodes} need about ${inGb(bytes)} of memory, but only ${inGb(available)} are free.`,
      'Choose a smaller network, or a machine with more memory.',
    )
  if (io.progress) io.err(`${nodes} take about ${inGb(bytes)} of memory\n`)
}

function inGb(bytes: number): string {
  return `${Number((bytes / GB).toPrecision(2))} GB`
}
