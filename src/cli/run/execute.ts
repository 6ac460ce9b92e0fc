import { grouped } from '../../core/text-format.ts'
import { type ElectionResult, electionRun } from '../../scenario/election/election-run.ts'
import type { Preparation, ScenarioInput } from '../../scenario/index.ts'
import { combined, type Observers, type RunEnd, type Simulation } from '../../sim/index.ts'
import type { Io } from '../io.ts'
import { ProgressLine } from '../terminal/progress.ts'

/** Events per slice; progress and signals are handled between slices. */
const SLICE = 1_000_000

export interface RunReport extends ElectionResult {
  readonly speed: { readonly cpuMs: number; readonly messagesPerSecond: number }
}

/** The results of several concurrent elections, combined and per role. */
export interface RolesReport extends Omit<RunReport, 'scenario'> {
  readonly scenario: ScenarioInput
  readonly roles: Readonly<Record<string, RunReport>>
}

export function rolesReport(scenario: ScenarioInput, roles: RolesReport['roles']): RolesReport {
  const result = combined(roles)
  const cpuMs = Object.values(roles).reduce((sum, { speed }) => sum + speed.cpuMs, 0)
  return { ...result, scenario, roles, speed: speedOf(result.messages.total, cpuMs) }
}

export function speedOf(messages: number, cpuMs: number): RunReport['speed'] {
  return { cpuMs, messagesPerSecond: cpuMs > 0 ? Math.round((messages / cpuMs) * 1000) : 0 }
}

/** Runs a scenario to its end, with a progress line on a terminal. */
export async function execute(
  preparation: Preparation,
  observers: Observers,
  io: Io,
  onStart: (simulation: Simulation) => void = () => {},
): Promise<RunReport> {
  const { simulation, result } = electionRun(preparation, observers)
  onStart(simulation)
  const { ending, cpuMs } = await runInSlices(simulation, io)
  return { ...result(ending), speed: speedOf(simulation.counters.total, cpuMs) }
}

async function runInSlices(
  simulation: Simulation,
  io: Io,
): Promise<{ ending: RunEnd; cpuMs: number }> {
  const line = new ProgressLine(io)
  let microseconds = 0
  for (;;) {
    const before = process.cpuUsage()
    const ending = simulation.run(SLICE)
    const { user, system } = process.cpuUsage(before)
    microseconds += user + system
    if (ending !== null) {
      line.clear()
      return { ending, cpuMs: microseconds / 1000 }
    }
    line.show(() => progressText(simulation))
    await new Promise(setImmediate)
  }
}

function progressText({ counters, now, conditions, monitor }: Simulation): string {
  const unit = conditions.synchronous ? 'round' : 'time'
  const leader = monitor.elected < 0 ? 'no leader yet' : 'a leader is elected'
  return `${grouped(counters.total)} messages, ${unit} ${grouped(now)}, ${leader}`
}
