import type { TraceEvent } from '../core/index.ts'
import type { Preparation, Scenario } from '../scenario/index.ts'
import { type Ending, type RunResult, resultOf, Simulation, type Watching } from '../sim/index.ts'
import { distinctStates } from '../sim/symmetry.ts'
import type { Io } from './io.ts'
import { grouped } from './paint.ts'

/** Events between two looks at the clock and at signals. */
const SLICE = 1_000_000
const QUIET_MS = 1000

export interface RunReport extends RunResult {
  readonly scenario: Scenario
  /** With equal ids: how many states differ after each round in which something happened. */
  readonly symmetry?: readonly { readonly round: number; readonly distinctStates: number }[]
  readonly speed: { readonly cpuMs: number; readonly messagesPerSecond: number }
}

/** Runs a scenario to its end, with progress on a terminal where it takes long. */
export async function execute(
  { scenario, world, conditions, properties }: Preparation,
  options: { readonly tallies: boolean; readonly trace?: (event: TraceEvent) => void },
  io: Io,
): Promise<RunReport> {
  const symmetry: { round: number; distinctStates: number }[] = []
  const symmetric = scenario.ids === 'same' && conditions.synchronous
  const watching: Watching = {
    tallies: options.tallies,
    ...(options.trace && { trace: options.trace }),
    ...(symmetric && {
      moment: (round: number) =>
        symmetry.push({ round, distinctStates: distinctStates(simulation) }),
    }),
  }
  const simulation = new Simulation(world, conditions, properties, watching)
  const { ending, cpuMs } = await runInSlices(simulation, io)
  const messagesPerSecond = cpuMs > 0 ? Math.round((simulation.meter.total / cpuMs) * 1000) : 0
  return {
    scenario,
    ...resultOf(simulation, ending),
    ...(symmetric && { symmetry }),
    speed: { cpuMs, messagesPerSecond },
  }
}

async function runInSlices(
  simulation: Simulation,
  io: Io,
): Promise<{ ending: Ending; cpuMs: number }> {
  const begun = Date.now()
  let microseconds = 0
  for (;;) {
    const before = process.cpuUsage()
    const ending = simulation.run(SLICE)
    const { user, system } = process.cpuUsage(before)
    microseconds += user + system
    const shown = io.progress && Date.now() - begun > QUIET_MS
    if (ending !== null) {
      if (shown) io.err('\r\x1b[K')
      return { ending, cpuMs: microseconds / 1000 }
    }
    if (shown) io.err(`\r\x1b[K${progressLine(simulation)}`)
    await new Promise(setImmediate)
  }
}

function progressLine({ meter, now, conditions, referee }: Simulation): string {
  const unit = conditions.synchronous ? 'round' : 'time'
  const leader = referee.elected < 0 ? 'no leader yet' : 'a leader is elected'
  return `${grouped(meter.total)} messages, ${unit} ${grouped(now)}, ${leader}`
}
