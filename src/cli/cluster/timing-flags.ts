import {
  DEFAULT_TIMING,
  GOSSIP_TIMING,
  type HeartbeatOptions,
  memberTiming,
} from '../../cluster/index.ts'
import { type Algorithm, UsageError, type World } from '../../core/index.ts'
import type { Conditions } from '../../sim/index.ts'
import { duration } from '../input/duration.ts'
import type { Verb } from '../verb.ts'

/** The timing flags of real processes. */
export interface TimingOptions {
  readonly heartbeat?: string
  readonly timeout?: string
  readonly delayBound?: string
}

/** A default as its flag is written. */
const written = (ms: number) => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`)

export const TIMING_HELP = `
Durations have a unit: 500ms, 2s, 1m. If an algorithm handles crashes, every process sends
heartbeats over each of its links. A process suspects a neighbour whose connection closes or that is
silent for the timeout. Timers of algorithms are multiples of the delay bound: --set patience=2 is
twice, and the default period of gossip, --set period=10, ten times the delay bound.
All processes of one election need the same timing flags.`

/** Real processes have no wake-up times. */
export const AT_ONCE = 'nodes that start: all, 0,4 (positions) or rate:0.8'

export function addTimingFlags(verb: Verb): Verb {
  const { heartbeat, timeout, delayBound } = DEFAULT_TIMING
  return verb
    .group('time')
    .option('--heartbeat <duration>', `interval of heartbeats (default: ${written(heartbeat)})`)
    .option(
      '--timeout <duration>',
      `silence after which a process is suspected (default: ${written(timeout)}; gossip: ${written(GOSSIP_TIMING.timeout)})`,
    )
    .option(
      '--delay-bound <duration>',
      `upper bound of message delays (default: ${written(delayBound)}; gossip: ${written(GOSSIP_TIMING.delayBound)})`,
    )
}

/** The same flags as words, for another process. */
export function timingWords({ heartbeat, timeout, delayBound }: TimingOptions): string[] {
  return Object.entries({
    '--heartbeat': heartbeat,
    '--timeout': timeout,
    '--delay-bound': delayBound,
  }).flatMap(([flag, text]) => (text === undefined ? [] : [flag, text]))
}

/** The options of the failure detector, null without one, and the unit of timers. */
export function detectorTiming(
  { heartbeat, timeout, delayBound }: TimingOptions,
  algorithm: Algorithm,
): { readonly detector: HeartbeatOptions | null; readonly unit: number } {
  const given = {
    ...(heartbeat !== undefined && { heartbeat: duration('--heartbeat', heartbeat) }),
    ...(timeout !== undefined && { timeout: duration('--timeout', timeout) }),
    ...(delayBound !== undefined && { delayBound: duration('--delay-bound', delayBound) }),
  }
  const { failureDetector: detector, unit } = memberTiming(algorithm, given, (name) => `--${name}`)
  return { detector, unit }
}

export function noCrashHandling(flag: string, { name }: Algorithm): UsageError {
  return new UsageError(
    flag,
    `${name} does not react to crashes.`,
    'Leave it out, or choose an algorithm that does, such as bully.',
  )
}

/** Refuses needs and flags that only simulations can meet. */
export function refuseSimulated(
  {
    world,
    conditions,
    scenario,
  }: {
    readonly world: World
    readonly conditions: Pick<Conditions, 'starts'>
    readonly scenario: { readonly wake: string }
  },
  /** The algorithm as the user wrote it. */
  reference = world.algorithm.name,
): void {
  const { name, needs, meet } = world.algorithm
  if (meet !== null)
    throw new UsageError(
      'algorithm',
      `the nodes of ${name} meet at random and send no messages, so that processes cannot run it.`,
      `Simulate it with conclave run ${reference}.`,
    )
  if (needs.time === 'rounds') {
    throw new UsageError(
      'algorithm',
      `${name} needs synchronous rounds, which real processes do not have.`,
      `Simulate it with conclave run ${reference}.`,
    )
  }
  if (conditions.starts.times.some((time) => time > 0)) {
    throw new UsageError(
      '--wake',
      `real processes start at the beginning or when a message arrives, not as in ${scenario.wake}.`,
      'Leave the times out.',
    )
  }
}
