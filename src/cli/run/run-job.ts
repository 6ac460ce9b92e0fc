import { type Aggregation, algorithmNamed } from '../../algorithms/index.ts'
import { type Algorithm, type TraceEvent, UsageError } from '../../core/index.ts'
import { realIds } from '../../core/language/world.ts'
import {
  type AggregationPreparation,
  type FieldLocator,
  type Preparation,
  prepare,
  prepareRoles,
  type ScenarioInput,
} from '../../scenario/index.ts'
import type { TraceDiff } from '../../trace/trace-diff.ts'
import { readText } from '../input/read-file.ts'
import { EXIT, type Io } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'
import { OutputFile } from '../terminal/output-file.ts'
import { execute, type RolesReport, type RunReport, rolesReport } from './execute.ts'
import { rolesText, runReport } from './run-report.ts'

interface JobOptions {
  readonly json?: true
  readonly trace?: string
  readonly svg?: string
  readonly nodes?: true
}

/** Something made ready to run: an aggregation, or one election or several at once. */
export type RunJob = ElectionJob | { readonly aggregation: AggregationPreparation }

interface ElectionJob {
  readonly scenario: ScenarioInput
  /** One election has no name, unless it is given one. */
  readonly elections: readonly { readonly name: string | null; readonly preparation: Preparation }[]
  /** The command line that runs it again. */
  readonly again: string
}

/** Makes ready what was given. */
export function jobOf(
  given: ScenarioInput,
  what: { readonly algorithm: Algorithm } | { readonly aggregation: Aggregation },
  where: FieldLocator,
  again: string,
): RunJob {
  const read = (path: string) => readText(path, where('topology'))
  if ('aggregation' in what) return { aggregation: prepare(given, what.aggregation, where, read) }
  if (given.role !== undefined) {
    const { scenario, roles } = prepareRoles(given, what.algorithm, where, algorithmNamed, read)
    return { scenario, elections: roles, again }
  }
  const preparation = prepare(given, what.algorithm, where, read)
  return { scenario: { ...preparation.scenario }, elections: [{ name: null, preparation }], again }
}

/**
 * Runs a job and prints what came of it; says whether all is well. A run that is made again is
 * compared with what was written down, and nothing is printed of one that differs.
 */
export async function runJob(
  job: RunJob,
  options: JobOptions,
  io: Io,
  comparison?: TraceDiff,
): Promise<boolean> {
  if ('aggregation' in job) {
    const { runAggregation } = await import('./gossip-command.ts')
    return runAggregation(job.aggregation, options, io, comparison)
  }
  if (options.svg !== undefined) refuseManyPictures(job)
  const { report, transcripts } = await runElections(job, options, io, comparison)
  const paint = coloursFor(io.colours)
  io.out(transcripts)
  io.out(
    options.json
      ? `${JSON.stringify(report)}\n`
      : 'roles' in report
        ? rolesText(report, job.again, paint)
        : runReport(report, job.again, paint),
  )
  return report.verdict.ok
}

function refuseManyPictures({ elections: { length } }: ElectionJob): void {
  if (length === 1) return
  throw new UsageError(
    '--svg',
    `a diagram shows a single election, but there are ${length} roles.`,
    'Draw them one by one, each with its --role alone.',
  )
}

/** Runs elections with their files open, and leaves none behind if something comes between. */
async function runElections(
  { scenario, elections }: ElectionJob,
  { trace, svg, nodes }: JobOptions,
  io: Io,
  comparison?: TraceDiff,
): Promise<{ report: RunReport | RolesReport; transcripts: string }> {
  const files: OutputFile[] = []
  const open = (path: string | undefined, where: string) => {
    if (path === undefined) return null
    const file = new OutputFile(path, where)
    files.push(file)
    return file
  }
  const interrupt = () => {
    for (const file of files) file.drop()
    process.exit(EXIT.interrupted)
  }
  process.once('SIGINT', interrupt)
  try {
    const log = open(trace === '-' ? undefined : trace, '--trace')
    const picture = open(svg, '--svg')
    if (log !== null) {
      const { traceHead } = await import('../../trace/trace-file.ts')
      log.write(`${traceHead(scenario)}\n`)
    }
    const write = (event: TraceEvent) => {
      const line = JSON.stringify(event)
      comparison?.meet(line)
      log?.write(`${line}\n`)
    }
    const written = log !== null || comparison !== undefined
    let transcripts = ''
    const reports: [name: string, report: RunReport][] = []
    const logged: (TraceEvent & { role: string })[] = []
    for (const { name, preparation } of elections) {
      const events: TraceEvent[] = []
      const kept = trace === '-' || picture !== null
      const watch = (event: TraceEvent) => {
        if (written && name === null) write(event)
        else if (written) logged.push({ ...event, role: name! })
        if (kept) events.push(event)
      }
      const options = { traffic: nodes === true, ...((written || kept) && { trace: watch }) }
      const report = await execute(preparation, options, io)
      if (trace === '-') transcripts += await transcriptOf(events, preparation, report)
      picture?.write(await pictureOf(events, preparation, report))
      reports.push([name ?? '', report])
    }
    // What happens at one moment stays in the order of the roles: the sort is stable.
    for (const event of logged.sort((a, b) => a.at - b.at)) write(event)
    comparison?.end()
    for (const file of files) file.keep()
    const [[, first]] = reports
    const single = elections[0].name === null
    const report = single ? first : rolesReport(scenario, Object.fromEntries(reports))
    return { report, transcripts }
  } finally {
    for (const file of files) file.drop()
    process.off('SIGINT', interrupt)
  }
}

async function transcriptOf(
  events: TraceEvent[],
  preparation: Preparation,
  report: RunReport,
): Promise<string> {
  const { transcript } = await import('../../diagram/transcript.ts')
  const { role } = report.scenario
  const heading = role === undefined ? '' : `role ${role}\n`
  return `${heading}${transcript(events, settingOf(preparation, report))}\n\n`
}

function settingOf({ world }: Preparation, { time }: RunReport) {
  return { unit: time.unit, ...(world.algorithm.needs.ids && { ids: realIds(world) }) }
}

async function pictureOf(
  events: TraceEvent[],
  preparation: Preparation,
  report: RunReport,
): Promise<string> {
  const { spaceTime } = await import('../../diagram/space-time/space-time.ts')
  const { algorithm, topology } = preparation.world
  return spaceTime(events, {
    ...settingOf(preparation, report),
    title: `${algorithm.name} on ${topology.name}`,
    subtitle: subtitleOf(report),
    n: topology.n,
    ring: topology.kind === 'ring',
  })
}

function subtitleOf({ leader, messages, time }: RunReport): string {
  const who = leader === null ? 'no leader' : `leader ${leader.id ?? `at position ${leader.node}`}`
  return `${who}, ${messages.total} messages, last receipt in ${time.unit} ${time.last ?? '-'}`
}
