import type { AnyBody } from '../core/runtime/message-codec.ts'
import type { Random } from '../core/runtime/random.ts'
import type { TraceEvent } from '../core/trace/trace-event.ts'
import type { FaultPlan } from './faults/faults.ts'

/** How long messages take. Whole numbers except for `exponential` and an odd `constant`. */
export type Delay =
  | { readonly model: 'constant'; readonly delay: number }
  | { readonly model: 'uniform'; readonly from: number; readonly to: number }
  | { readonly model: 'exponential'; readonly mean: number }

export function largestDelay(delay: Delay): number {
  if (delay.model === 'constant') return delay.delay
  return delay.model === 'uniform' ? delay.to : Number.POSITIVE_INFINITY
}

/** Which nodes do something by themselves, and when, ordered by time. */
export interface NodeSchedule {
  readonly nodes: Uint32Array
  readonly times: Float64Array
}

/** What may happen to a world during a run. Time starts at 0; round r is time r - 1. */
export interface Conditions {
  readonly synchronous: boolean
  readonly delay: Delay
  /** Whether links keep the order of messages. */
  readonly fifo: boolean
  readonly starts: NodeSchedule
  /** A node that crashes at time -1 was never up. */
  readonly crashes: NodeSchedule
  /** What else may go wrong, and who is told of it; nothing and nobody if left out. */
  readonly faults?: FaultPlan
  /** Split into a stream for each use. */
  readonly random: Random
  /** No event after this time, and no message beyond this many. */
  readonly until: number
  readonly maxMessages: number
}

/** What is watched besides the counts; all of it costs time or memory. */
export interface Observers {
  readonly trace?: (event: TraceEvent) => void
  /** Messages sent and received by each node, and over each link in each direction. */
  readonly traffic?: boolean
  /** Called after each moment in which something happened. */
  readonly moment?: (at: number) => void
  /** Bodies are spoiled after use: an algorithm that keeps one shows itself. */
  readonly spoilBodies?: boolean
}

export function spoil(body: AnyBody): void {
  for (const field in body) body[field] = Symbol('spoiled')
}
