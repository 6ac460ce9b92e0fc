import type { TraceEvent } from '../../core/index.ts'
import type { PreparedRun, ScenarioInput } from '../../scenario/index.ts'
import type { TraceDiff } from '../../trace/trace-diff.ts'
import { EXIT, type Io } from '../io.ts'
import type { StepRecorder } from '../step/recording.ts'
import type { SteppedRun } from '../step/stepped-run.ts'
import { OutputFile } from '../terminal/output-file.ts'
import { execute, type RolesReport, rolesReport } from './execute.ts'
import type { AnyReport, RunForm } from './run-form.ts'

/** Flags of `conclave run` that do not belong to the scenario. */
export interface RunOptions {
  readonly json?: true
  readonly trace?: string
  /** The file of a diagram, or `network:FILE`. */
  readonly svg?: string
  /** The moment of a picture of the network. */
  readonly at?: string
  readonly nodes?: true
  /** Whether to go through the run step by step. */
  readonly step?: true
}

/** Runs side by side: several elections, each with a name, or a single run without one. */
export interface PreparedRuns {
  readonly scenario: ScenarioInput
  /** The scenario as traces have it: with the name of the definition, not its file. */
  readonly traced: ScenarioInput
  readonly runs: readonly [PreparedPart, ...PreparedPart[]]
  readonly form: RunForm
}

interface PreparedPart {
  readonly name: string | null
  readonly prepared: PreparedRun
}

/** Runs and writes the files; on an error or interrupt no file is left behind. */
export async function runWithFiles(
  { scenario, traced, runs, form }: PreparedRuns,
  { trace, svg, at, nodes, step }: RunOptions,
  io: Io,
  recorded?: TraceDiff,
): Promise<{ report: AnyReport | RolesReport; transcripts: string }> {
  const files: OutputFile[] = []
  const open = (path: string | undefined, where: string) => {
    if (path !== undefined) files.push(new OutputFile(path, where))
    return path === undefined ? null : files.at(-1)!
  }
  // While a run goes on, it ends by itself and says how far it came.
  let running = false
  const interrupt = () => {
    if (running) return
    for (const file of files) file.drop()
    process.exit(EXIT.interrupted)
  }
  process.on('SIGINT', interrupt)
  try {
    const log = open(trace === '-' ? undefined : trace, '--trace')
    const picture = svg === undefined ? null : await form.picture(svg, at, runs[0].prepared)
    const diagram = open(picture?.path, '--svg')
    if (log !== null) await writeHead(log, traced)
    const write = (event: TraceEvent) => {
      const line = JSON.stringify(event)
      recorded?.compare(line)
      log?.write(`${line}\n`)
    }
    const written = log !== null || recorded !== undefined
    const kept = trace === '-' || picture?.ofEvents === true
    const watched = written || kept || step === true
    let transcripts = ''
    const reports: [name: string, report: AnyReport][] = []
    const ofRoles: (TraceEvent & { role: string })[] = []
    for (const { name, prepared } of runs) {
      const events: TraceEvent[] = []
      const recorder = step ? await recorderOf(prepared) : undefined
      const watch = (event: TraceEvent) => {
        recorder?.see(event)
        if (written && name === null) write(event)
        else if (written) ofRoles.push({ ...event, role: name! })
        if (kept) events.push(event)
      }
      const run = prepared.run({
        traffic: nodes === true,
        listed: nodes,
        ...(watched && { trace: watch }),
        ...(recorder && { states: recorder.begin }),
      })
      running = true
      const report = await execute(run, io)
      running = false
      if (recorder) await showSteps(recorder, prepared, report, io)
      if (trace === '-') transcripts += await form.transcript(events, prepared, report)
      if (picture !== null) diagram?.write(await picture.draw(events, prepared, report, io))
      reports.push([name ?? '', report])
    }
    // The sort is stable: simultaneous events stay in the order of the roles.
    for (const event of ofRoles.sort((a, b) => a.at - b.at)) write(event)
    recorded?.end()
    for (const file of files) file.keep()
    return { report: reportOf(scenario, runs[0].name, reports), transcripts }
  } finally {
    for (const file of files) file.drop()
    process.off('SIGINT', interrupt)
  }
}

async function writeHead(log: OutputFile, traced: ScenarioInput): Promise<void> {
  const { traceHead } = await import('../../trace/trace-file.ts')
  log.write(`${traceHead(traced)}\n`)
}

function reportOf(
  scenario: ScenarioInput,
  name: string | null,
  reports: readonly [name: string, report: AnyReport][],
): AnyReport | RolesReport {
  if (name !== null)
    return rolesReport(scenario, Object.fromEntries(reports) as RolesReport['roles'])
  const [[, report]] = reports
  const { algorithm } = scenario
  // Its scenario names the file of the definition as the user did.
  return { ...report, scenario: { ...report.scenario, algorithm } } as AnyReport
}

async function recorderOf(prepared: PreparedRun): Promise<StepRecorder> {
  const { StepRecorder } = await import('../step/recording.ts')
  return new StepRecorder(prepared.messages()!.world)
}

/** Goes through a run; the report follows. */
async function showSteps(
  recorder: StepRecorder,
  { topology, scenario }: PreparedRun,
  { time }: AnyReport,
  io: Io,
): Promise<void> {
  const { stepThrough } = await import('../step/stepper.ts')
  const { algorithm } = scenario
  const unit = time.unit as SteppedRun['unit']
  await stepThrough(recorder.run(`${algorithm} on ${topology.name}`, unit), io)
}
