import type { TraceEvent } from '../../core/index.ts'
import type { Preparation, ScenarioInput } from '../../scenario/index.ts'
import type { TraceDiff } from '../../trace/trace-diff.ts'
import { EXIT, type Io } from '../io.ts'
import type { StepRecorder } from '../step/recording.ts'
import { OutputFile } from '../terminal/output-file.ts'
import { execute, type RolesReport, type RunReport, rolesReport } from './execute.ts'

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

export interface ElectionRuns {
  readonly scenario: ScenarioInput
  /** The scenario as traces have it: with the name of the definition, not its file. */
  readonly traced: ScenarioInput
  /** A single election has no name, unless it is given one. */
  readonly elections: readonly { readonly name: string | null; readonly preparation: Preparation }[]
}

/** Their code is loaded on use. */
const pictures = () => import('./run-pictures.ts')

/** Runs elections and writes their files; on an error or interrupt no file is left behind. */
export async function runElections(
  { scenario, traced, elections }: ElectionRuns,
  { trace, svg, at, nodes, step }: RunOptions,
  io: Io,
  recorded?: TraceDiff,
): Promise<{ report: RunReport | RolesReport; transcripts: string }> {
  const files: OutputFile[] = []
  const open = (path: string | undefined, where: string) => {
    if (path === undefined) return null
    const file = new OutputFile(path, where)
    files.push(file)
    return file
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
    const picture =
      svg === undefined ? null : await (await pictures()).pictureIn(svg, elections[0].preparation)
    const diagram = open(picture?.path, '--svg')
    if (log !== null) {
      const { traceHead } = await import('../../trace/trace-file.ts')
      log.write(`${traceHead(traced)}\n`)
    }
    const write = (event: TraceEvent) => {
      const line = JSON.stringify(event)
      recorded?.compare(line)
      log?.write(`${line}\n`)
    }
    const written = log !== null || recorded !== undefined
    let transcripts = ''
    const reports: [name: string, report: RunReport][] = []
    const ofRoles: (TraceEvent & { role: string })[] = []
    for (const { name, preparation } of elections) {
      const events: TraceEvent[] = []
      const kept = trace === '-' || picture?.network === false
      const recorder =
        step && new (await import('../step/recording.ts')).StepRecorder(preparation.world)
      const watch = (event: TraceEvent) => {
        recorder?.see(event)
        if (written && name === null) write(event)
        else if (written) ofRoles.push({ ...event, role: name! })
        if (kept) events.push(event)
      }
      const watched = written || kept || step === true
      const observers = {
        traffic: nodes === true,
        ...(watched && { trace: watch }),
        ...(recorder && { states: recorder.begin }),
      }
      running = true
      const report = await execute(preparation, observers, io)
      running = false
      if (recorder) await showSteps(recorder, preparation, report, io)
      if (trace === '-')
        transcripts += await (await pictures()).transcriptOf(events, preparation, report)
      if (picture !== null) diagram?.write(await picture.draw(events, preparation, report, at))
      reports.push([name ?? '', report])
    }
    // The sort is stable: simultaneous events stay in the order of the roles.
    for (const event of ofRoles.sort((a, b) => a.at - b.at)) write(event)
    recorded?.end()
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

/** Goes through a run; the report follows. */
async function showSteps(
  recorder: StepRecorder,
  { world }: Preparation,
  { time }: RunReport,
  io: Io,
): Promise<void> {
  const { stepThrough } = await import('../step/stepper.ts')
  const { algorithm, topology } = world
  await stepThrough(recorder.run(`${algorithm.name} on ${topology.name}`, time.unit), io)
}
