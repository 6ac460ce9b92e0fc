import { momentAt } from '../queue/time-grid.ts'
import type { Partition } from './faults.ts'
import { Partitions } from './partitions.ts'

/** Something that the detector tells: about a node, or about what a wall parts. */
export type DetectorReport = { readonly at: number; readonly what: 'down' | 'up' } & (
  | { readonly node: number; readonly partition?: never }
  | { readonly partition: Partition; readonly node?: never }
)

/** What the failure detector has said so far, to all alike, and what it is about to say. */
export class FailureDetector {
  private readonly suspected: Uint8Array
  private readonly partitions: Partitions
  private readonly pending: DetectorReport[] = []
  /** How much it has said of nodes. */
  reportCount = 0

  /** The delay with which it speaks; null where it never does. */
  constructor(
    n: number,
    private readonly delay: number | null,
  ) {
    this.suspected = new Uint8Array(n)
    this.partitions = new Partitions(n)
  }

  /** When it speaks next; Infinity when it has nothing to say. */
  get first(): number {
    return this.pending[0]?.at ?? Number.POSITIVE_INFINITY
  }

  get idle(): boolean {
    return this.pending.length === 0
  }

  /** Something has happened that it will notice, or that it only believes and says at once. */
  schedule(news: DetectorReport, believed = false): void {
    if (this.delay === null && !believed) return
    const at = believed ? news.at : momentAt(news.at + this.delay!, news.at)
    const later = this.pending.findIndex((other) => other.at > at)
    this.pending.splice(later < 0 ? this.pending.length : later, 0, { ...news, at })
  }

  /** A node that was never up is known to be dead from the beginning, and so are links. */
  knowInitially(gone: number | Partition): void {
    if (this.delay === null) return
    if (typeof gone === 'number') this.suspected[gone] = 1
    else this.partitions.add(gone)
  }

  /** The next thing that it says by now, believed from now on; null when there is none. */
  take(now: number): DetectorReport | null {
    while (this.first <= now) {
      const news = this.pending.shift()!
      if (this.isNew(news)) return news
    }
    return null
  }

  /** What it has said before, it does not say again. */
  private isNew({ node, partition, what }: DetectorReport): boolean {
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

  /** Whether a node believes that it can reach another. */
  reaches(from: number, to: number): boolean {
    return this.suspected[to] === 0 && !this.partitions.separate(from, to)
  }
}
