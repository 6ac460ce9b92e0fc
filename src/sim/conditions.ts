import { largestOf, type World } from '../core/language/world.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import type { Random } from '../core/runtime/random.ts'
import type { StateReader } from '../core/runtime/states.ts'
import type { HandlerObserver } from '../core/trace/observed.ts'
import type { TraceEvent } from '../core/trace/trace-event.ts'
import type { CoinScript } from './coins.ts'
import { type FaultPlan, noFaults } from './faults/faults.ts'

/** The delays of messages. Uniform ones are integers, constant ones mostly are. */
export type Delay =
  | { readonly model: 'constant'; readonly delay: number }
  | { readonly model: 'uniform'; readonly from: number; readonly to: number }
  | { readonly model: 'exponential'; readonly mean: number }
  /** The logarithm of a delay is normal, with this mean and standard deviation. */
  | { readonly model: 'lognormal'; readonly mu: number; readonly sigma: number }
  /** A delay exceeds x with the probability (min / x)^alpha. */
  | { readonly model: 'pareto'; readonly alpha: number; readonly min: number }
  /** One of the listed delays, each as likely as any other. */
  | { readonly model: 'empirical'; readonly delays: ArrayLike<number> }
  /** A node sends one message after another, and each takes as long: a single network card. */
  | { readonly model: 'serial'; readonly delay: number; readonly senders: Int32Array }
  /** By channel: every message over a link takes as long. */
  | { readonly model: 'links'; readonly delays: ArrayLike<number> }

/** The longest possible delay; Infinity where there is no bound. */
export function largestDelay(delay: Delay): number {
  switch (delay.model) {
    case 'constant':
      return delay.delay
    case 'uniform':
      return delay.to
    case 'empirical':
    case 'links':
      return largestOf(Float64Array.from(delay.delays))
    default:
      return Number.POSITIVE_INFINITY
  }
}

/** What the time of a run counts. */
export type RunUnit = 'round' | 'time' | 'interaction'

export function timeUnit(
  { algorithm }: World,
  { synchronous }: Pick<Conditions, 'synchronous'>,
): RunUnit {
  return algorithm.meet !== null ? 'interaction' : synchronous ? 'round' : 'time'
}

/** So many delays in a row must fit into a time that limits how long nodes may take. */
const DELAYS = 8

/** Why nodes may take longer than a time in this world; null where messages are quick. */
export function slowness({ delay, faults }: Conditions, limit: number): string | null {
  const { loss, overrides, disk } = faults ?? noFaults
  if (loss > 0 || overrides.length > 0) return 'messages are lost'
  const longest = largestDelay(delay) + (disk === null ? 0 : largestDelay(disk))
  return DELAYS * longest > limit ? `messages take up to ${longest}` : null
}

/** Up to where properties that read states are judged after each event. */
export interface JudgingLimits {
  /** With fewer nodes always. */
  readonly nodes: number
  /** With more, each property may read so many states; then it is judged no more. */
  readonly reads: number
}

/** Nodes and the times at which they start, or crash, ordered by time. */
export interface NodeSchedule {
  readonly nodes: Uint32Array
  readonly times: Float64Array
}

/** The conditions of a run: delays, starts, faults, limits. Round r is the time r - 1. */
export interface Conditions {
  readonly synchronous: boolean
  readonly delay: Delay
  /** Whether links deliver messages in the order of sending. */
  readonly fifo: boolean
  readonly starts: NodeSchedule
  /** A node with the crash time -1 was never up. */
  readonly crashes: NodeSchedule
  /** All other faults, and the failure detector; none if left out. */
  readonly faults?: FaultPlan
  /** Split into one stream per use. */
  readonly random: Random
  /** Choices that are not drawn but given, if there are any. */
  readonly coins?: CoinScript
  /** Up to where properties are judged after each event; the usual limits if left out. */
  readonly judging?: JudgingLimits
  /** No event happens after this time, and at most this many messages are sent. */
  readonly until: number
  readonly maxMessages: number
}

/** Optional observers of a run; each costs time or memory. */
export interface Observers {
  /** Gets the states before the first event; nodes may crash before a run is asked to begin. */
  readonly states?: (states: StateReader) => void
  readonly trace?: (event: TraceEvent) => void
  /** Counts the messages of each node, and over each link in each direction. */
  readonly traffic?: boolean
  /** Called after each moment that had an event. */
  readonly moment?: (at: number) => void
  /** Sees what handlers are given. */
  readonly handling?: HandlerObserver
  /** Overwrites bodies after use, which exposes algorithms that keep one. */
  readonly spoilBodies?: boolean
}

/** Whether sends and receipts need more than the handlers. */
export function hasExtras({ trace, traffic, handling, spoilBodies }: Observers): boolean {
  return (
    [trace, handling].some((it) => it !== undefined) || traffic === true || spoilBodies === true
  )
}

export function spoil(body: AnyBody): void {
  for (const field in body) body[field] = Symbol('spoiled')
}
