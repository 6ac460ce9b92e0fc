import type { ElectionResult } from '../../scenario/election/election-run.ts'
import type { RunOutcome, ScenarioInput, StartedRun } from '../../scenario/index.ts'
import { combinedResults } from '../../sim/result.ts'
import { Interrupted, type Io } from '../io.ts'
import { ProgressLine } from '../terminal/progress.ts'

/** Events per slice: progress and Ctrl-C are handled between slices, about so often. */
const [FEWEST, MOST] = [1000, 1_000_000]
const SLICE_MS = 50

/** How fast a run was. */
export interface Speed {
  readonly speed: { readonly cpuMs: number; readonly messagesPerSecond: number }
}

export interface RunReport extends ElectionResult, Speed {}

/** The results of several concurrent elections, combined and per role. */
export interface RolesReport extends Omit<RunReport, 'scenario'> {
  readonly scenario: ScenarioInput
  readonly roles: Readonly<Record<string, RunReport>>
}

export function rolesReport(scenario: ScenarioInput, roles: RolesReport['roles']): RolesReport {
  const result = combinedResults(roles)
  const cpuMs = Object.values(roles).reduce((sum, { speed }) => sum + speed.cpuMs, 0)
  return { ...result, scenario, roles, speed: speedOf(result.messages.total, cpuMs) }
}

function speedOf(messages: number, cpuMs: number): Speed['speed'] {
  return { cpuMs, messagesPerSecond: cpuMs > 0 ? Math.round((messages / cpuMs) * 1000) : 0 }
}

/** Runs to the end, with a progress line on a terminal. */
export async function execute<R extends RunOutcome>(
  run: StartedRun<R>,
  io: Io,
): Promise<R & Speed> {
  const cpuMs = await runInSlices(run, io)
  const result = run.result()
  return { ...result, speed: speedOf(result.messages.total, cpuMs) }
}

/** Returns the CPU time of the run alone. */
async function runInSlices(run: StartedRun, io: Io): Promise<number> {
  const line = new ProgressLine(io)
  let microseconds = 0
  let slice = FEWEST * 10
  return workInSlices(io, line, async (goOn) => {
    for (;;) {
      run.look()
      const before = process.cpuUsage()
      const ended = run.step(slice)
      const { user, system } = process.cpuUsage(before)
      microseconds += user + system
      if (ended) return microseconds / 1000
      const wanted = (slice * SLICE_MS * 1000) / Math.max(1000, user + system)
      slice = Math.round(Math.max(FEWEST, Math.min(MOST, wanted)))
      await goOn(() => `${run.progress()}${line.timeLeft(run.share())}`)
    }
  })
}

/** Work in slices that shows how far it is, and says so when the user presses Ctrl-C. */
async function workInSlices<T>(
  io: Io,
  line: ProgressLine,
  work: (goOn: (reached: () => string) => Promise<void>) => Promise<T>,
): Promise<T> {
  let interrupted = false
  const interrupt = () => {
    interrupted = true
  }
  process.once('SIGINT', interrupt)
  try {
    return await work(async (reached) => {
      line.show(reached)
      await new Promise(setImmediate)
      if (!interrupted) return
      line.clear()
      io.err(`interrupted: ${reached()}\n`)
      throw new Interrupted()
    })
  } finally {
    line.clear()
    process.off('SIGINT', interrupt)
  }
}
