import type { Command } from 'commander'
import type { HeartbeatOptions } from '../../cluster/index.ts'
import { type Algorithm, UsageError, type World } from '../../core/index.ts'
import type { Conditions } from '../../sim/index.ts'
import { duration } from '../input/duration.ts'

/** The times of real processes, as they were given. */
export interface TimingOptions {
  readonly heartbeat?: string
  readonly timeout?: string
  readonly delayBound?: string
}

const DEFAULTS = { heartbeat: '100ms', timeout: '500ms', delayBound: '100ms' }
/** Who gossips is in no hurry with deaths: to take one for dead loses a share of the sum. */
const GOSSIP = { ...DEFAULTS, timeout: '2s', delayBound: '10ms' }

export const TIMES = `
Durations have a unit: 500ms, 2s, 1m. Where an algorithm answers deaths, every process sends a
heartbeat over each of its links, and takes a neighbour for dead whose connection closes or who is
silent for the timeout. The algorithm's timers count delay bounds: --set patience=2 are two of them,
and the usual period of a gossip, --set period=10, is ten.
All processes of one election need the same times.`

export function addTimingFlags(command: Command): Command {
  const { heartbeat, timeout, delayBound } = DEFAULTS
  return command
    .option('--heartbeat <duration>', `how often processes show they live (default: ${heartbeat})`)
    .option(
      '--timeout <duration>',
      `silence after which one is dead (default: ${timeout}; gossip: ${GOSSIP.timeout})`,
    )
    .option(
      '--delay-bound <duration>',
      `how long a message may take (default: ${delayBound}; gossip: ${GOSSIP.delayBound})`,
    )
}

/** The flags that give the same times to another process. */
export function timingWords({ heartbeat, timeout, delayBound }: TimingOptions): string[] {
  return Object.entries({
    '--heartbeat': heartbeat,
    '--timeout': timeout,
    '--delay-bound': delayBound,
  }).flatMap(([flag, text]) => (text === undefined ? [] : [flag, text]))
}

/** How closely processes watch each other, null where they do not, and the unit of timers. */
export function timingOf(
  options: TimingOptions,
  algorithm: Algorithm,
): { readonly watch: HeartbeatOptions | null; readonly unit: number } {
  const usual = algorithm.computes === null ? DEFAULTS : GOSSIP
  const unit = duration('--delay-bound', options.delayBound ?? usual.delayBound)
  if (answersDeaths(algorithm)) return { watch: watchOf({ ...usual, ...options }), unit }
  for (const [flag, text] of [
    ['--heartbeat', options.heartbeat],
    ['--timeout', options.timeout],
  ] as const) {
    if (text !== undefined) throw unanswered(flag, algorithm)
  }
  return { watch: null, unit }
}

function watchOf(times: Required<TimingOptions>): HeartbeatOptions {
  const heartbeat = duration('--heartbeat', times.heartbeat)
  const timeout = duration('--timeout', times.timeout)
  if (timeout >= 2 * heartbeat) return { heartbeat, timeout }
  throw new UsageError(
    '--timeout',
    `at least two heartbeats, ${2 * heartbeat} ms, are needed, but it is ${timeout} ms.`,
    'Wait longer, or let the heart beat faster.',
  )
}

/** Some algorithms go on after the election, and hold another when the leader dies. */
function answersDeaths({ lasting, needs }: Algorithm): boolean {
  return lasting || needs.knows?.includes('liveness') === true
}

export function unanswered(flag: string, { name }: Algorithm): UsageError {
  return new UsageError(
    flag,
    `it is for algorithms that answer deaths, such as bully, but ${name} does not.`,
    'Leave it out.',
  )
}

/** Refuses what a simulated world can offer and real processes cannot. */
export function refuseSimulated({
  world,
  conditions,
  scenario,
}: {
  readonly world: World
  readonly conditions: Pick<Conditions, 'starts'>
  readonly scenario: { readonly wake: string }
}): void {
  const { name, needs } = world.algorithm
  if (needs.time === 'rounds') {
    throw new UsageError(
      'algorithm',
      `${name} needs synchronous rounds, but real processes have none.`,
      `Simulate it with conclave run ${name}.`,
    )
  }
  if (conditions.starts.times.some((time) => time > 0)) {
    throw new UsageError(
      '--wake',
      `real processes start at the beginning or when a message comes, but ${scenario.wake} was given.`,
      'Leave the times out.',
    )
  }
}
