import { type Aggregation, algorithmNamed, isAggregation } from '../../algorithms/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import {
  type AggregationPreparation,
  type FieldLocator,
  prepare,
  prepareRoles,
  type ScenarioInput,
} from '../../scenario/index.ts'
import type { TraceDiff } from '../../trace/trace-diff.ts'
import { noteNetwork } from '../input/file-networks.ts'
import { readText } from '../input/read-file.ts'
import type { Io } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'
import { type ElectionRuns, type RunOptions, runElections } from './run-files.ts'
import { rolesText, runReport } from './run-report.ts'

/** A prepared run: an aggregation, or one or several elections. */
export type RunJob = ElectionJob | { readonly aggregation: AggregationPreparation }

interface ElectionJob extends ElectionRuns {
  /** The command line that reproduces the run. */
  readonly command: string
}

export function jobOf(
  given: ScenarioInput,
  what: Algorithm | Aggregation,
  where: FieldLocator,
  command: string,
): RunJob {
  const read = (path: string) => readText(path, where('topology'))
  if (isAggregation(what)) return { aggregation: prepare(given, what, where, read) }
  if (given.role !== undefined) {
    const { scenario, roles } = prepareRoles(given, what, where, algorithmNamed, read)
    return { scenario, elections: roles, command }
  }
  const preparation = prepare(given, what, where, read)
  const elections = [{ name: null, preparation }]
  return { scenario: { ...preparation.scenario }, elections, command }
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
  if ('aggregation' in job) {
    noteNetwork(job.aggregation.topology, io)
    const { runAggregation } = await import('./gossip-command.ts')
    return runAggregation(job.aggregation, options, io, recorded)
  }
  noteNetwork(job.elections[0].preparation.world.topology, io)
  if (options.svg !== undefined) refuseManyDiagrams(job)
  const { report, transcripts } = await runElections(job, options, io, recorded)
  const colours = coloursFor(io.colours)
  io.out(transcripts)
  io.out(
    options.json
      ? `${JSON.stringify(report)}\n`
      : 'roles' in report
        ? rolesText(report, job.command, colours)
        : runReport(report, job.command, colours),
  )
  return report.verdict.ok
}

function refuseManyDiagrams({ elections: { length } }: ElectionJob): void {
  if (length === 1) return
  throw new UsageError(
    '--svg',
    `a diagram shows a single election, but there are ${length} roles.`,
    'Run the roles one by one.',
  )
}
