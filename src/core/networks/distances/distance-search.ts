import type { Topology } from '../../language/topology.ts'

/** Breadth-first searches in one network. The results of the last search are kept. */
export class DistanceSearch {
  readonly n: number
  readonly links: number
  /** The distance of every node from the source; -1 where it was not reached. */
  readonly distance: Int32Array
  /** The nodes that were reached, by distance; one place is spare. */
  readonly order: Int32Array
  /** How many were reached. */
  reached = 0
  /** Where the nodes of each distance begin in `order`; the last entry is the end. */
  readonly starts: number[] = []
  /** The arcs looked at so far, in all searches. */
  work = 0
  private readonly seen: Uint8Array
  /** The last short search that saw a node, by its number. */
  private readonly marks: Uint32Array
  private readonly queue: Int32Array
  private marking = 0
  /** Where the neighbours of each node begin in `targets`. */
  readonly offsets: Int32Array
  readonly targets: Int32Array

  constructor(topology: Topology) {
    const { n, firstLink } = topology
    this.n = n
    this.links = topology.links
    this.distance = new Int32Array(n)
    this.order = new Int32Array(n + 1)
    this.seen = new Uint8Array(n)
    this.marks = new Uint32Array(n)
    this.queue = new Int32Array(n)
    this.offsets = new Int32Array(n + 1)
    for (let v = 0; v < n; v++) this.offsets[v + 1] = this.offsets[v] + topology.degree(v)
    this.targets = new Int32Array(this.offsets[n])
    for (let v = 0, arc = 0; v < n; v++)
      for (let link = firstLink; arc < this.offsets[v + 1]; link++, arc++)
        this.targets[arc] = topology.neighbor(v, link)
  }

  degree(node: number): number {
    return this.offsets[node + 1] - this.offsets[node]
  }

  neighbors(node: number): Int32Array {
    return this.targets.subarray(this.offsets[node], this.offsets[node + 1])
  }

  /** Searches from a node; returns the largest distance. */
  from(source: number): number {
    const { distance, order, seen, starts, n } = this
    distance.fill(-1)
    seen.fill(0)
    distance[source] = 0
    seen[source] = 1
    order[0] = source
    this.reached = 1
    starts.length = 0
    starts.push(0)
    for (let level = 0; ; level++) {
      const begin = starts[level]
      const end = this.reached
      starts.push(end)
      if (end === n) return level
      // With few nodes left it is less work to look for the frontier from them.
      if (end - begin > n - end) return this.bottomUp(level)
      this.topDown(begin, end)
      if (this.reached === end) return level
      for (let i = end; i < this.reached; i++) distance[order[i]] = level + 1
    }
  }

  /** The neighbours of the nodes at one distance that are not seen yet are at the next. */
  private topDown(begin: number, end: number): void {
    const { order, seen, offsets, targets } = this
    let { reached } = this
    for (let i = begin; i < end; i++) {
      const node = order[i]
      const last = offsets[node + 1]
      this.work += last - offsets[node]
      // Without a branch, which nobody could predict.
      for (let arc = offsets[node]; arc < last; arc++) {
        const target = targets[arc]
        order[reached] = target
        reached += 1 - seen[target]
        seen[target] = 1
      }
    }
    this.reached = reached
  }

  /** From here on each unseen node looks for one neighbour at the last distance. */
  private bottomUp(level: number): number {
    const { distance, order, offsets, targets, starts, n } = this
    // The unseen nodes lie behind the others in `order` until they are reached.
    let rest = this.reached
    for (let v = 0; v < n; v++) if (distance[v] < 0) order[rest++] = v
    for (let at = level; ; at++) {
      let { reached } = this
      for (let i = reached; i < n; i++) {
        const node = order[i]
        const last = offsets[node + 1]
        let arc = offsets[node]
        while (arc < last && distance[targets[arc]] !== at) arc++
        this.work += arc - offsets[node] + 1
        if (arc === last) continue
        distance[node] = at + 1
        order[i] = order[reached]
        order[reached++] = node
      }
      if (reached === this.reached) return at
      this.reached = reached
      starts.push(reached)
    }
  }

  /**
   * Whether some nodes are all within a distance of a source, by searches from both ends that meet
   * in the middle. False also where that would be more work than a search of the whole network.
   * Leaves the results of the last search as they are.
   */
  allWithin(limit: number, source: number, others: Iterable<number>): boolean {
    const most = this.work + this.targets.length
    const half = Math.floor(limit / 2)
    const near = ++this.marking
    this.short(source, half, near, null, most)
    for (const other of others)
      if (!this.short(other, limit - half, ++this.marking, near, most)) return false
    return true
  }

  /** Marks what is within a distance; true as soon as it meets what has the mark `wanted`. */
  private short(
    source: number,
    limit: number,
    mark: number,
    wanted: number | null,
    mostWork: number,
  ): boolean {
    const { marks, queue, offsets, targets } = this
    if (marks[source] === wanted) return true
    marks[source] = mark
    queue[0] = source
    let known = 1
    for (let level = 0, i = 0; level < limit; level++) {
      for (const end = known; i < end; i++) {
        const node = queue[i]
        this.work += offsets[node + 1] - offsets[node]
        if (this.work > mostWork) return false
        for (let arc = offsets[node]; arc < offsets[node + 1]; arc++) {
          const target = targets[arc]
          if (marks[target] === mark) continue
          if (marks[target] === wanted) return true
          marks[target] = mark
          queue[known++] = target
        }
      }
    }
    return false
  }
}

/** What is known about a diameter. Both are equal where it is known exactly. */
export interface DiameterRange {
  readonly least: number
  readonly most: number
}

export function exactDiameter(diameter: number): DiameterRange {
  return { least: diameter, most: diameter }
}

const SWEEPS = 4

/**
 * Searches from end to end: from a node with most links, then from a farthest one, and so on.
 * Returns the middle of the longest way found; null if some nodes are not reached.
 */
export function middleOfLongWay(
  search: DistanceSearch,
  searchFrom: (source: number) => number,
): number | null {
  let source = 0
  for (let v = 1; v < search.n; v++) if (search.degree(v) > search.degree(source)) source = v
  let middle = source
  let longest = 0
  for (let i = 0; i < SWEEPS; i++) {
    const length = searchFrom(source)
    if (search.reached < search.n) return null
    const [end] = Array.from(search.order.subarray(search.starts[length], search.n)).sort(
      (a, b) => search.degree(a) - search.degree(b),
    )
    if (i > 0 && length > longest) middle = middleBefore(search, end)
    longest = Math.max(longest, length)
    source = end
  }
  return middle
}

/** The node in the middle of a shortest way from a node back to the last source. */
function middleBefore(search: DistanceSearch, end: number): number {
  const { distance } = search
  let node = end
  while (distance[node] > distance[end] / 2)
    node = search.neighbors(node).find((other) => distance[other] < distance[node])!
  return node
}
