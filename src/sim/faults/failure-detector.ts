import { momentAt } from '../queue/time-grid.ts'
import { type Partition, Partitions } from './faults.ts'

/** A report of the detector: about a node, or about the links that a partition cuts. */
export type DetectorReport = { readonly at: number; readonly what: 'down' | 'up' } & (
  | { readonly node: number; readonly partition?: never }
  | { readonly partition: Partition; readonly node?: never }
)

/** The failure detector: the reports so far, the same for all nodes, and the pending ones. */
export class FailureDetector {
  private readonly suspected: Uint8Array
  private readonly partitions: Partitions
  private readonly pending: DetectorReport[] = []
  /** The number of its reports on nodes. */
  reportCount = 0

  /** It reports after this delay; null means never. */
  constructor(
    n: number,
    private readonly delay: number | null,
  ) {
    this.suspected = new Uint8Array(n)
    this.partitions = new Partitions(n)
  }

  /** The time of the next report; Infinity when there is none. */
  get first(): number {
    return this.pending[0]?.at ?? Number.POSITIVE_INFINITY
  }

  get idle(): boolean {
    return this.pending.length === 0
  }

  /** Schedules a report: after the delay, or at once for a false suspicion and its correction. */
  schedule(report: DetectorReport, immediate = false): void {
    if (this.delay === null && !immediate) return
    const at = immediate ? report.at : momentAt(report.at + this.delay!, report.at)
    const later = this.pending.findIndex((other) => other.at > at)
    this.pending.splice(later < 0 ? this.pending.length : later, 0, { ...report, at })
  }

  /** Nodes and links that were never up are known from the beginning. */
  knowInitially(failed: number | Partition): void {
    if (this.delay === null) return
    if (typeof failed === 'number') this.suspected[failed] = 1
    else this.partitions.add(failed)
  }

  /** The next report that is due, which takes effect now; null when there is none. */
  take(now: number): DetectorReport | null {
    while (this.first <= now) {
      const report = this.pending.shift()!
      if (this.apply(report)) return report
    }
    return null
  }

  /** Applies a report; false where it repeats what is known. */
  private apply({ node, partition, what }: DetectorReport): boolean {
    if (node === undefined) {
      if (what === 'down') this.partitions.add(partition)
      else this.partitions.remove(partition)
      return true
    }
    const before = this.suspected[node]
    this.suspected[node] = what === 'down' ? 1 : 0
    if (this.suspected[node] === before) return false
    this.reportCount++
    return true
  }

  /** Whether a node hears another one, according to the reports. */
  hears(node: number, other: number): boolean {
    return this.suspected[other] === 0 && !this.partitions.separate(other, node)
  }
}
