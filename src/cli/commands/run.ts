import { Command } from 'commander'
import { type Aggregation, catalogue } from '../../algorithms/index.ts'
import { type Algorithm, Complaint, type TraceEvent } from '../../core/index.ts'
import { realIds } from '../../core/world.ts'
import { spaceTime } from '../../diagram/space-time.ts'
import { transcript } from '../../diagram/transcript.ts'
import { commandLine } from '../../scenario/command-line.ts'
import {
  type AggregationPreparation,
  flagged,
  type Given,
  type Preparation,
  prepare,
  prepareAggregation,
  prepareRoles,
  type Where,
} from '../../scenario/index.ts'
import { type CastReport, castReport, execute, type RunReport } from '../execution.ts'
import { readJsonObject, readText, WholeFile } from '../files.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { aggregationNamed, algorithmNamed } from '../lookup.ts'
import { paintFor } from '../paint.ts'
import { parameterLines, parametersOf, settingsOf } from '../parameters.ts'
import { runAggregation } from '../run-aggregation.ts'
import { castText, runReport } from '../run-report.ts'
import { addScenarioFlags, givenOf } from '../scenario-flags.ts'
import { electionOf, isCode } from '../user-algorithm.ts'

interface Options extends Record<string, unknown> {
  readonly json?: true
  readonly trace?: string
  readonly svg?: string
  readonly nodes?: true
}

const EXAMPLES = `
Times of --suspect, --partition and --cut: 3@10..20 from 10 on and no longer at 20, 3@10 from 10 on
for good, 3@..20 from the beginning, 3 all the time. A message that --tamper names overtakes none
where links keep the order; a number that no message has changes nothing, and the result says so.

Examples:
  conclave run lcr --ids 3,2,7,8,5,4,1,6 --timing sync
  conclave run chang-roberts -n 1000000 --delay uniform:1:10
  conclave run hirschberg-sinclair -n 8 --svg run.svg
  conclave run peterson --ids 1,5,3,7,2,6,4,8 --trace -
  conclave run bully -n 5 --wake all --tamper drop:9@0.5,arrive:3@9 --trace -
  conclave run lcr --values 5,9,2,9 --ids 1,2,3,4
  conclave run lcr -n 8 --role monitor --role printer=peterson
  conclave run gossip-average -n 1000 --until 20
  conclave run first.json second.json --json`

export function runCommand(io: Io, leave: Leave): Command {
  const command = new Command('run')
    .description('simulate one election or aggregation, or those of scenario files')
    .argument('<algorithm|file...>', 'an algorithm, its definition (.ts), or scenarios (.json)')
  return addScenarioFlags(command)
    .option('--json', 'one JSON line per run')
    .option('--trace <file>', 'write the events as JSON lines; - prints a transcript')
    .option('--svg <file>', 'write a space-time diagram, or the convergence of an aggregation')
    .option('--nodes', 'list nodes even when many, with counts per node and link')
    .addHelpText('after', ({ command: { args } }) => parametersHelp(args) + EXAMPLES)
    .action(async (names: string[], options: Options) => {
      const given = givenOf(options)
      refuseMixtures(names, options)
      const jobs = await Promise.all(
        names.map((name) => (isFile(name) ? fromFile(name, given) : fromFlags(name, given))),
      )
      refuseManyPictures(jobs, options)
      let code: number = EXIT.done
      for (const job of jobs) {
        if ('aggregation' in job) {
          if (!(await runAggregation(job.aggregation, options, io))) code = EXIT.violated
          continue
        }
        const report = await runOne(job, options, io)
        io.out(
          options.json
            ? `${JSON.stringify(report)}\n`
            : 'roles' in report
              ? castText(report, job.replay, paintFor(io.colours))
              : runReport(report, job.replay, paintFor(io.colours)),
        )
        if (!report.verdict.ok) code = EXIT.violated
      }
      leave(code)
    })
}

/** `run bully --help` tells what can be set for bully. */
function parametersHelp([name = '']: readonly string[]): string {
  const algorithm = catalogue.find((it) => it.name === name)
  const aggregation = aggregationNamed(name)
  if (algorithm === undefined && aggregation === undefined) return ''
  const parameters = aggregation ? settingsOf(aggregation) : parametersOf(algorithm!)
  const lines = parameterLines(parameters).map((line) => `  ${line}`)
  return [`\nParameters of ${name} (--set name=value):`, ...lines, ''].join('\n')
}

interface Job {
  readonly scenario: Given
  /** One election has no name, unless it is given one. */
  readonly elections: readonly { readonly name: string | null; readonly preparation: Preparation }[]
  readonly replay: string
}

function isFile(name: string): boolean {
  return name.endsWith('.json') || (name.includes('/') && !isCode(name))
}

interface AggregationJob {
  readonly aggregation: AggregationPreparation
}

async function fromFlags(name: string, given: Given): Promise<Job | AggregationJob> {
  const aggregation = aggregationNamed(name)
  if (aggregation) return { aggregation: aggregationOf(given, aggregation, flagged) }
  const algorithm = await electionOf(name)
  return { ...prepared(given, algorithm, flagged), replay: commandLine('run', name, given) }
}

function aggregationOf(given: Given, aggregation: Aggregation, where: Where) {
  return prepareAggregation(given, aggregation, where, (path) => readText(path, where('topology')))
}

function prepared(given: Given, algorithm: Algorithm, where: Where): Omit<Job, 'replay'> {
  const read = (path: string) => readText(path, where('topology'))
  if (given.role !== undefined) {
    const { scenario, roles } = prepareRoles(given, algorithm, where, algorithmNamed, read)
    return { scenario, elections: roles }
  }
  const preparation = prepare(given, algorithm, where, read)
  return { scenario: { ...preparation.scenario }, elections: [{ name: null, preparation }] }
}

/** A scenario out of a file; flags on the command line come before its fields. */
function fromFile(path: string, flags: Given): Job | AggregationJob {
  const document = readJsonObject(path)
  const { algorithm: name } = document
  if (typeof name !== 'string') {
    throw new Complaint(
      `${path}: algorithm`,
      'a name from conclave list is needed',
      name === undefined ? 'there is none' : `${JSON.stringify(name)} was given`,
      'Add a line such as "algorithm": "lcr".',
    )
  }
  const where: Where = (field) =>
    flags[field] === undefined ? `${path}: ${field}` : flagged(field)
  const aggregation = aggregationNamed(name)
  if (aggregation)
    return { aggregation: aggregationOf({ ...document, ...flags }, aggregation, where) }
  const algorithm = algorithmNamed(name, `${path}: algorithm`)
  const job = prepared({ ...document, ...flags }, algorithm, where)
  return { ...job, replay: commandLine('run', path, flags) }
}

function refuseMixtures(names: readonly string[], { json, trace, svg }: Options): void {
  if (names.length > 1 && !names.every(isFile)) {
    throw new Complaint(
      'run',
      'one algorithm, or several files, are needed',
      `${names.join(' and ')} were given`,
      'Run one algorithm at a time.',
    )
  }
  if (json && trace === '-') {
    throw new Complaint(
      '--trace',
      'a file is needed with --json',
      '"-" was given',
      'Name a file, or leave --json out.',
    )
  }
  if (trace !== undefined && trace === svg) {
    throw new Complaint(
      '--svg',
      'the diagram needs a file of its own',
      `${trace} is the file of --trace too`,
      'Name another file.',
    )
  }
  if (names.length > 1 && (trace !== undefined || svg !== undefined)) {
    throw new Complaint(
      trace === undefined ? '--svg' : '--trace',
      'it goes with a single run',
      `${names.length} files were given`,
      'Run them one by one.',
    )
  }
}

function refuseManyPictures(jobs: readonly (Job | AggregationJob)[], { svg }: Options): void {
  const most = Math.max(...jobs.map((job) => ('elections' in job ? job.elections.length : 1)))
  if (svg === undefined || most === 1) return
  throw new Complaint(
    '--svg',
    'a diagram shows a single election',
    `there are ${most} roles`,
    'Draw them one by one, each with its --role alone.',
  )
}

/** Runs a scenario with its files open, and leaves none behind if something comes between. */
async function runOne(
  { scenario, elections }: Job,
  { trace, svg, nodes }: Options,
  io: Io,
): Promise<RunReport | CastReport> {
  const files: WholeFile[] = []
  const open = (path: string | undefined, where: string) => {
    if (path === undefined) return null
    const file = new WholeFile(path, where)
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
    log?.write(`${JSON.stringify({ event: 'scenario', scenario })}\n`)
    const reports: [name: string, report: RunReport][] = []
    const logged: (TraceEvent & { role: string })[] = []
    for (const { name, preparation } of elections) {
      const events: TraceEvent[] = []
      const kept = trace === '-' || picture !== null
      const watch = (event: TraceEvent) => {
        if (name === null) log?.write(`${JSON.stringify(event)}\n`)
        else if (log !== null) logged.push({ ...event, role: name })
        if (kept) events.push(event)
      }
      const watched = log !== null || kept
      const options = { tallies: nodes === true, ...(watched && { trace: watch }) }
      const report = await execute(preparation, options, io)
      if (trace === '-') io.out(transcriptOf(events, preparation, report))
      picture?.write(pictureOf(events, preparation, report))
      reports.push([name ?? '', report])
    }
    // What happens at one moment stays in the order of the roles: the sort is stable.
    for (const event of logged.sort((a, b) => a.at - b.at)) log?.write(`${JSON.stringify(event)}\n`)
    for (const file of files) file.keep()
    return elections[0].name === null
      ? reports[0][1]
      : castReport(scenario, Object.fromEntries(reports))
  } finally {
    for (const file of files) file.drop()
    process.off('SIGINT', interrupt)
  }
}

function transcriptOf(events: TraceEvent[], preparation: Preparation, report: RunReport): string {
  const { role } = report.scenario
  const heading = role === undefined ? '' : `role ${role}\n`
  return `${heading}${transcript(events, settingOf(preparation, report))}\n\n`
}

function settingOf({ world }: Preparation, { time }: RunReport) {
  return { unit: time.unit, ...(world.algorithm.needs.ids && { ids: realIds(world) }) }
}

function pictureOf(events: TraceEvent[], preparation: Preparation, report: RunReport): string {
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
