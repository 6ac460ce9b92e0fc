import type { DistanceSearch } from './distance-search.ts'

/** So many searches are done at once: a bit of a word for each. */
export const AT_ONCE = 32

/**
 * Breadth-first searches from several nodes at once (Then et al. 2014): every node has a word with
 * a bit for each source that it is near. A level takes one pass over the links, whatever the number
 * of sources.
 */
export class ManySearches {
  /** By node: a bit for each source within the distance of the last searches. */
  near: Int32Array
  /** The links looked at so far. */
  work = 0
  private next: Int32Array

  constructor(private readonly search: DistanceSearch) {
    this.near = new Int32Array(search.n)
    this.next = new Int32Array(search.n)
  }

  /** Searches from up to 32 nodes, up to a distance; returns the word with all their bits. */
  from(sources: readonly number[], distance: number): number {
    const { search } = this
    const all = sources.length === AT_ONCE ? -1 : (1 << sources.length) - 1
    // While few nodes are reached, single searches are less work.
    const beginning = Math.sqrt(search.n)
    let begun = 0
    this.near.fill(0)
    const balls = sources.map((source) => [source])
    for (let size = 1; begun < distance && size < beginning; begun++) {
      size = 0
      for (const [i, ball] of balls.entries()) {
        balls[i] = this.widened(ball, 1 << i)
        size = Math.max(size, balls[i].length)
      }
    }
    for (const [i, ball] of balls.entries()) for (const node of ball) this.near[node] |= 1 << i
    for (let level = begun; level < distance; level++) if (!this.pass(all)) break
    return all
  }

  /** Marks the nodes of one distance, and returns their neighbours without the mark. */
  private widened(ball: readonly number[], bit: number): number[] {
    const { search, near } = this
    const neighbours: number[] = []
    for (const node of ball) near[node] |= bit
    for (const node of ball)
      for (const other of search.neighbors(node))
        if ((near[other] & bit) === 0) {
          near[other] |= bit
          neighbours.push(other)
        }
    return neighbours
  }

  /** Every node gets the bits of its neighbours; returns whether that changed anything. */
  private pass(all: number): boolean {
    const { near, next, search } = this
    const { n, offsets, targets } = search
    let changed = 0
    let work = 0
    for (let node = 0; node < n; node++) {
      const own = near[node]
      let bits = own
      let arc = offsets[node]
      for (const last = offsets[node + 1]; bits !== all && arc < last; arc++)
        bits |= near[targets[arc]]
      work += arc - offsets[node] + 1
      changed |= bits ^ own
      next[node] = bits
    }
    this.work += work
    this.near = next
    this.next = near
    return changed !== 0
  }
}
