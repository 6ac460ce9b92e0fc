import { counted, grouped } from '../../core/text-format.ts'
import { type ElectionResult, electionRun } from '../../scenario/election/election-run.ts'
import type { Preparation, ScenarioInput } from '../../scenario/index.ts'
import { factsForBounds } from '../../sim/bounds.ts'
import type { Observers, RunEnd, Simulation } from '../../sim/index.ts'
import { combinedResults } from '../../sim/result.ts'
import { Interrupted, type Io } from '../io.ts'
import { ProgressLine } from '../terminal/progress.ts'

/** Events per slice: progress and Ctrl-C are handled between slices, about so often. */
const [FEWEST, MOST] = [1000, 1_000_000]
const SLICE_MS = 50

export interface RunReport extends ElectionResult {
  readonly speed: { readonly cpuMs: number; readonly messagesPerSecond: number }
}

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

export function speedOf(messages: number, cpuMs: number): RunReport['speed'] {
  return { cpuMs, messagesPerSecond: cpuMs > 0 ? Math.round((messages / cpuMs) * 1000) : 0 }
}

/** Runs a scenario to its end, with a progress line on a terminal. */
export async function execute(
  preparation: Preparation,
  observers: Observers,
  io: Io,
): Promise<RunReport> {
  const { simulation, result } = electionRun(preparation, observers)
  const { ending, cpuMs } = await runInSlices(simulation, io)
  return { ...result(ending), speed: speedOf(simulation.counters.total, cpuMs) }
}

async function runInSlices(
  simulation: Simulation,
  io: Io,
): Promise<{ ending: RunEnd; cpuMs: number }> {
  const line = new ProgressLine(io)
  let microseconds = 0
  let slice = FEWEST * 10
  const share = shareDone(simulation)
  return workInSlices(io, line, async (goOn) => {
    for (;;) {
      const before = process.cpuUsage()
      const ending = simulation.run(slice)
      const { user, system } = process.cpuUsage(before)
      microseconds += user + system
      if (ending !== null) return { ending, cpuMs: microseconds / 1000 }
      const wanted = (slice * SLICE_MS * 1000) / Math.max(1000, user + system)
      slice = Math.round(Math.max(FEWEST, Math.min(MOST, wanted)))
      await goOn(() => `${progressText(simulation)}${line.timeLeft(share())}`)
    }
  })
}

/** Work in slices that shows how far it is, and says so when the user presses Ctrl-C. */
export async function workInSlices<T>(
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

/** How much of a run is done: of its messages on average, where theory knows; else of its time. */
function shareDone(simulation: Simulation): () => number {
  const { algorithm, conditions, counters, n } = simulation
  let expected: number | null = null
  return () => {
    const announced = algorithm.kinds.some(({ announces }) => announces) ? n : 0
    expected ??= expectedMessages(simulation) + announced
    if (Number.isFinite(expected)) return counters.total / expected
    return simulation.now / conditions.until
  }
}

/** Infinity where nothing is known. */
function expectedMessages({ algorithm, world, conditions }: Simulation): number {
  const facts = factsForBounds(world, conditions)
  const average = algorithm.theory.bounds.find(
    ({ of, kind, when }) => of === 'messages' && kind === 'average' && (when?.(facts) ?? true),
  )
  return average?.value(facts) ?? Number.POSITIVE_INFINITY
}

function progressText({ counters, now, conditions, monitor, algorithm }: Simulation): string {
  if (algorithm.meet !== null)
    return `${grouped(now)} interactions, ${counted(monitor.leaders.length, 'leader')} left`
  const unit = conditions.synchronous ? 'round' : 'time'
  const leader = monitor.elected < 0 ? 'no leader yet' : 'a leader is elected'
  return `${grouped(counters.total)} messages, ${unit} ${grouped(now)}, ${leader}`
}
