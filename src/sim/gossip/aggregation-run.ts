import type { Aggregate } from '../../core/language/aggregate.ts'
import type { Row } from '../../core/language/collections.ts'
import type { ValueRange } from './observation.ts'
import type { Overlay } from './overlay.ts'

/** Which nodes are alive, and which take part. */
export interface Participation {
  readonly n: number
  readonly alive: number
  /** The live nodes that wait for the next epoch, and those that take part. */
  readonly waiting: number
  readonly active: number
  /** Whether all nodes take part and may be picked. */
  readonly complete: boolean
  isAlive(node: number): boolean
  takesPart(node: number): boolean
  /** Whether no node ever picks it. */
  isDeaf(node: number): boolean
}

/** The number of messages, by type and fate. */
export interface Traffic {
  readonly total: number
  readonly byType: Readonly<Record<string, number>>
  readonly toDead: number
  /** Sent to nodes that wait for an epoch. */
  readonly refused: number
  readonly lost: number
  readonly duplicated: number
}

/** A running aggregation, cycle by cycle, by messages or by immediate exchanges. */
export interface AggregationRun {
  readonly aggregate: Aggregate
  readonly n: number
  /** The bits of all messages so far. */
  readonly bits: number
  /** The number of completed cycles, and the length of a cycle; null where cycles are the time. */
  readonly cycle: number
  readonly period: number | null
  readonly population: Participation
  readonly overlay: Overlay
  /** The current values of the nodes, by position. */
  readonly values: Float64Array
  /** By part: the average without crashes and losses. */
  readonly expected: Float64Array
  /** By part: the largest less the smallest start value. */
  readonly startSpread: Float64Array
  /** The result at the beginning of this epoch. */
  readonly atStart: number
  readonly traffic: Traffic
  /** The number that a node holds for a part. */
  valueAt(node: number, part: number): number
  /** Where the rows of all nodes lie in one array, by position: the array. */
  readonly column?: Row | null
  /** Where nodes hold rows: reads that of a node; null while it has none. */
  readRow?<T>(node: number, read: (row: Row, at: number) => T): T | null
  /** The average of a part over the nodes that take part; NaN where it is undefined. */
  average(part: number): number
  /** The exact result for the current values of the live nodes. */
  truth(): number
  /** The smallest and the largest initial value; if all are equal, of the first that are not. */
  range(): ValueRange
  /** Runs one more cycle. */
  run(): void
  /** Completes the exchanges that are under way; no new one begins. */
  finish(): void
}

/** A compensated sum (Kahan 1965). */
export class CompensatedSum {
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
  for (let last = isOver(run); !last; ) {
    const sent = run.traffic.total
    run.run()
    last = run.cycle >= until || run.traffic.total >= most || isOver(run, sent)
    if (last) run.finish()
    yield last
  }
}

/** A rumor has spread if all nodes that take part know it, or if nobody calls any more. */
function isOver(run: AggregationRun, sentBefore = -1): boolean {
  const { aggregate, n, population, traffic } = run
  if (aggregate.calls === undefined) return false
  if (traffic.total === sentBefore) return true
  for (let node = 0; node < n; node++)
    if (population.takesPart(node) && run.valueAt(node, 0) !== 1) return false
  return true
}
