import { momentAt } from '../queue/moment.ts'
import type { Partition } from './faults.ts'
import { Partitions } from './partitions.ts'

/** Something that the detector tells: about a node, or about what a wall parts. */
export type DetectorReport = { readonly at: number; readonly what: 'down' | 'up' } & (
  | { readonly node: number; readonly wall?: never }
  | { readonly wall: Partition; readonly node?: never }
)

/** What the failure detector has said so far, to all alike, and what it is about to say. */
export class FailureDetector {
  private readonly takenForDead: Uint8Array
  private readonly walls: Partitions
  private readonly coming: DetectorReport[] = []
  /** How much it has said of nodes. */
  said = 0

  /** The delay with which it speaks; null where it never does. */
  constructor(
    n: number,
    private readonly delay: number | null,
  ) {
    this.takenForDead = new Uint8Array(n)
    this.walls = new Partitions(n)
  }

  /** When it speaks next; Infinity when it has nothing to say. */
  get first(): number {
    return this.coming[0]?.at ?? Number.POSITIVE_INFINITY
  }

  get silent(): boolean {
    return this.coming.length === 0
  }

  /** Something has happened that it will notice, or that it only believes and says at once. */
  notices(news: DetectorReport, believed = false): void {
    if (this.delay === null && !believed) return
    const at = believed ? news.at : momentAt(news.at + this.delay!, news.at)
    const later = this.coming.findIndex((other) => other.at > at)
    this.coming.splice(later < 0 ? this.coming.length : later, 0, { ...news, at })
  }

  /** A node that was never up is known to be dead from the beginning, and so are links. */
  knowsFromTheStart(gone: number | Partition): void {
    if (this.delay === null) return
    if (typeof gone === 'number') this.takenForDead[gone] = 1
    else this.walls.raise(gone)
  }

  /** The next thing that it says by now, believed from now on; null when there is none. */
  take(now: number): DetectorReport | null {
    while (this.first <= now) {
      const news = this.coming.shift()!
      if (this.isNew(news)) return news
    }
    return null
  }

  /** What it has said before, it does not say again. */
  private isNew({ node, wall, what }: DetectorReport): boolean {
    if (node === undefined) {
      if (what === 'down') this.walls.raise(wall)
      else this.walls.tearDown(wall)
      return true
    }
    const before = this.takenForDead[node]
    this.takenForDead[node] = what === 'down' ? 1 : 0
    if (this.takenForDead[node] === before) return false
    this.said++
    return true
  }

  /** Whether a node believes that it can reach another. */
  reaches(from: number, to: number): boolean {
    return this.takenForDead[to] === 0 && !this.walls.part(from, to)
  }
}
