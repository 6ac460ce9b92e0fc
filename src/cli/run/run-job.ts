import type { Aggregation } from '../../algorithms/aggregation.ts'
import { electionFor, isAggregation } from '../../algorithms/kinds.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import type { Topology } from '../../core/language/topology.ts'
import { grouped } from '../../core/text-format.ts'
import { type Preparation, prepareElection } from '../../scenario/election/prepare-election.ts'
import type { PreparedRun } from '../../scenario/run.ts'
import type { FieldLocator, ScenarioInput } from '../../scenario/scenario.ts'
import type { TraceDiff } from '../../trace/trace-diff.ts'
import { noteNetwork } from '../input/file-networks.ts'
import { networkFiles } from '../input/read-file.ts'
import { electionIn, isCode, loaded } from '../input/user-algorithm.ts'
import type { Io } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'
import type { RunReport } from './execute.ts'
import { type PreparedRuns, type RunOptions, runWithFiles } from './run-files.ts'
import type { RunForm } from './run-form.ts'
import { roleReports, runReport } from './run-report.ts'

/** What is run for one argument of the command line. */
export interface RunJob extends PreparedRuns {
  readonly definition: Algorithm | Aggregation
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
  const read = networkFiles(where)
  const shown = { algorithm: isCode(reference) ? reference : what.name }
  const job = { definition: what, command }
  if (isAggregation(what)) {
    const [{ prepareGossip }, { gossipForm }] = await Promise.all([
      import('../../scenario/gossip/prepare-gossip.ts'),
      import('./gossip-form.ts'),
    ])
    const prepared = prepareGossip(given, what, where, read)
    return { ...job, form: gossipForm, ...alone(prepared, shown) }
  }
  if (given.role !== undefined) {
    const { algorithmsOfRoles, prepareRoles } = await import('../../scenario/roles.ts')
    const find = electionIn(await loaded(algorithmsOfRoles(given.role)))
    const { scenario, roles } = prepareRoles(given, what, where, find, read)
    const runs = roles.map(({ name, preparation }) => ({ name, prepared: preparation }))
    const [first, ...others] = runs
    const all = { scenario: { ...scenario, ...shown }, traced: scenario }
    return { ...job, form: electionForm, ...all, runs: [first, ...others] }
  }
  const prepared = prepareElection(given, what, where, read)
  return { ...job, form: electionForm, ...alone(prepared, shown) }
}

/** A single run. */
function alone(prepared: PreparedRun, shown: ScenarioInput) {
  const { scenario } = prepared
  return {
    scenario: { ...scenario, ...shown },
    traced: { ...scenario },
    runs: [{ name: null, prepared }] as const,
  }
}

/** Pictures are loaded on use. */
const pictures = () => import('./run-pictures.ts')

const electionForm: RunForm = {
  text: (report, command, paint) =>
    'roles' in report
      ? roleReports(report, command, paint)
      : runReport(report as RunReport, command, paint),
  transcript: async (events, prepared, report) =>
    (await pictures()).transcriptOf(events, prepared as Preparation, report as RunReport),
  picture: async (svg, at, prepared) =>
    (await pictures()).pictureIn(svg, at, prepared as Preparation),
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
  const [{ prepared }] = job.runs
  noteNetwork(prepared.topology, io)
  requireMemory(prepared.topology, prepared.bytes, io)
  if (options.trace !== undefined && prepared.messages() === null) throw noEvents()
  if (options.svg !== undefined) refuseManyDiagrams(job)
  const { report, transcripts } = await runWithFiles(job, options, io, recorded)
  io.out(transcripts)
  io.out(
    options.json
      ? `${JSON.stringify(report)}\n`
      : job.form.text(report, job.command, coloursFor(io)),
  )
  return report.verdict.ok
}

function noEvents(): UsageError {
  return new UsageError(
    '--trace',
    'there are no events in cycles, where exchanges are atomic.',
    'Leave it out, or leave out --timing cycles.',
  )
}

function refuseSteps({ definition, runs: { length } }: RunJob): void {
  electionFor('steps', definition, '--step')
  if (length > 1)
    throw new UsageError(
      '--step',
      `shows a single election, but there are ${length} roles.`,
      'Run the roles one by one.',
    )
}

function refuseManyDiagrams({ runs: { length } }: RunJob): void {
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
