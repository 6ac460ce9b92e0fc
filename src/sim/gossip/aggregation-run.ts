import type { Aggregate } from '../../core/language/aggregate.ts'
import type { Overlay } from './overlay.ts'

/** Who is there, and who takes part. */
export interface Participation {
  readonly n: number
  readonly alive: number
  /** How many of them wait for the next epoch, and how many take part. */
  readonly waiting: number
  readonly active: number
  /** Whether everybody takes part and may be picked. */
  readonly complete: boolean
  isAlive(node: number): boolean
  takesPart(node: number): boolean
  /** Whether nobody ever picks it. */
  isDeaf(node: number): boolean
}

/** How many messages there were. */
export interface Traffic {
  readonly total: number
  readonly byType: Readonly<Record<string, number>>
  readonly toDead: number
  /** Sent to nodes that wait for an epoch. */
  readonly refused: number
  readonly lost: number
  readonly duplicated: number
}

/** An aggregation under way, cycle by cycle, however its exchanges are done. */
export interface AggregationRun {
  readonly aggregate: Aggregate
  readonly n: number
  /** What the messages so far have carried. */
  readonly bits: number
  /** Cycles that are done, and the time that each takes; null where there is no other time. */
  readonly cycle: number
  readonly period: number | null
  readonly population: Participation
  readonly overlay: Overlay
  /** What the nodes bring now, by position. */
  readonly values: Float64Array
  /** By part: the average that should be there, had nobody died and nothing been lost. */
  readonly expected: Float64Array
  /** By part: the average size of what nodes began with, which makes errors relative. */
  readonly scale: Float64Array
  /** The result at the beginning of this epoch. */
  readonly atStart: number
  readonly traffic: Traffic
  /** What a node has of a part. */
  valueAt(node: number, part: number): number
  /** The average of a part over those who take part; NaN while it cannot be told. */
  average(part: number): number
  /** What the nodes would come to now, if they began with what they have. */
  truth(): number
  /** One cycle more. */
  run(): void
  /** Nobody begins an exchange any more; those that are under way are done. */
  finish(): void
}

/** A sum that takes along what rounding cuts off (Kahan). */
export class ExactSum {
  value = 0
  private lost = 0

  add(term: number): void {
    const whole = term - this.lost
    const next = this.value + whole
    this.lost = next - this.value - whole
    this.value = next
  }
}

/** No cycle begins after this many cycles, or after this many messages. */
interface AggregationLimits {
  readonly until: number
  readonly 'max-messages'?: number
}

/**
 * Runs an aggregation to its end. Pauses after each cycle, and says whether it was the last; then
 * the exchanges under way have been completed.
 */
export function* aggregationCycles(
  run: AggregationRun,
  { until, 'max-messages': most = Number.POSITIVE_INFINITY }: AggregationLimits,
): Generator<boolean, void, undefined> {
  for (let last = false; !last; ) {
    run.run()
    last = run.cycle >= until || run.traffic.total >= most
    if (last) run.finish()
    yield last
  }
}
