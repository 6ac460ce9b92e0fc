import type { Command } from 'commander'
import {
  DEFAULT_TIMING,
  GOSSIP_TIMING,
  type HeartbeatOptions,
  memberTiming,
} from '../../cluster/index.ts'
import { type Algorithm, UsageError, type World } from '../../core/index.ts'
import type { Conditions } from '../../sim/index.ts'
import { duration } from '../input/duration.ts'

/** The times of real processes, as they were given. */
export interface TimingOptions {
  readonly heartbeat?: string
  readonly timeout?: string
  readonly delayBound?: string
}

/** A default as its flag is written. */
const written = (ms: number) => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`)

export const TIMES = `
Durations have a unit: 500ms, 2s, 1m. Where an algorithm answers deaths, every process sends a
heartbeat over each of its links, and takes a neighbour for dead whose connection closes or who is
silent for the timeout. The algorithm's timers count delay bounds: --set patience=2 are two of them,
and the usual period of a gossip, --set period=10, is ten.
All processes of one election need the same times.`

export function addTimingFlags(command: Command): Command {
  const { heartbeat, timeout, delayBound } = DEFAULT_TIMING
  return command
    .option(
      '--heartbeat <duration>',
      `how often processes show they live (default: ${written(heartbeat)})`,
    )
    .option(
      '--timeout <duration>',
      `silence after which one is dead (default: ${written(timeout)}; gossip: ${written(GOSSIP_TIMING.timeout)})`,
    )
    .option(
      '--delay-bound <duration>',
      `how long a message may take (default: ${written(delayBound)}; gossip: ${written(GOSSIP_TIMING.delayBound)})`,
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

/** The failure detector, null where there is none, and the unit of timers. */
export function timingOf(
  { heartbeat, timeout, delayBound }: TimingOptions,
  algorithm: Algorithm,
): { readonly watch: HeartbeatOptions | null; readonly unit: number } {
  const given = {
    ...(heartbeat !== undefined && { heartbeat: duration('--heartbeat', heartbeat) }),
    ...(timeout !== undefined && { timeout: duration('--timeout', timeout) }),
    ...(delayBound !== undefined && { delayBound: duration('--delay-bound', delayBound) }),
  }
  const { failureDetector: watch, unit } = memberTiming(algorithm, given, (name) => `--${name}`)
  return { watch, unit }
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
