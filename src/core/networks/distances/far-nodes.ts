import {
  type DiameterRange,
  type DistanceSearch,
  exactDiameter,
  middleOfLongWay,
} from './distance-search.ts'

/** Sets of far nodes that belong to one node each may have this many elements together. */
const MOST_STORED = 2e7
/** A search that leaves a larger share of the network far away says too little. */
const LARGEST_SHARE = 1 / 4
/** So many nodes that may be far from another are looked at one by one. */
const MOST_PAIRS = 500

/** The nodes that may be farther from a node than the largest distance found so far. */
interface FarNodes {
  readonly nodes: Int32Array | readonly number[]
  /** The first of them; those before are nearer. */
  readonly from: number
}

/**
 * The diameter of a deep network.
 *
 * Excludes node by node that another one is farther away than `least`. By the triangle inequality a
 * search from c with d(c, u) = d leaves for u only nodes that are farther from c than least - d.
 * What is left after several searches near u is the intersection, and soon empty. (Two special
 * cases are known: a central c excludes all nodes near it, as in iFUB of Crescenzi et al. 2013; a
 * search from u itself, as in Takes and Kosters 2011.)
 */
export class FarNodesDiameter {
  private readonly far: (FarNodes | undefined)[]
  private readonly done: Uint8Array
  private readonly searched: Uint8Array
  private open: number
  private least = 0
  private most = Number.POSITIVE_INFINITY
  private stored = 0
  private work = 0

  constructor(
    private readonly search: DistanceSearch,
    private readonly mostWork: number,
  ) {
    const { n } = search
    this.far = Array.from({ length: n })
    this.done = new Uint8Array(n)
    this.searched = new Uint8Array(n)
    this.open = n
  }

  range(): DiameterRange {
    const { search } = this
    const middle = middleOfLongWay(search, (source) => this.searchFrom(source))
    if (middle === null) return exactDiameter(Number.POSITIVE_INFINITY)
    // In a tree the second search finds a longest path.
    if (search.links === search.n - 1) return exactDiameter(this.least)
    this.searchFrom(middle)
    this.searchAll()
    return this.open === 0 ? exactDiameter(this.least) : { least: this.least, most: this.most }
  }

  /** For each node in turn: searches beside it, at last from it, until nothing is left for it. */
  private searchAll(): void {
    const { n } = this.search
    const stride = strideFor(n)
    for (let i = 0, node = 0; i < n && this.open > 0; i++, node = (node + stride) % n) {
      while (this.done[node] === 0) {
        if (this.work + this.search.work > this.mostWork) return
        if (this.fewAreNear(node)) this.close(node)
        else this.searchFrom(this.hubBeside(node))
      }
    }
  }

  /** Whether the few nodes that may be far from a node are not. */
  private fewAreNear(node: number): boolean {
    const { nodes = [], from = 0 } = this.far[node] ?? {}
    if (nodes.length - from > MOST_PAIRS || this.far[node] === undefined) return false
    const open = nodes.slice(from).filter((other) => this.done[other] === 0)
    return this.search.allWithin(this.least, node, open)
  }

  /** The neighbour with most links from which there was no search yet; else the node itself. */
  private hubBeside(node: number): number {
    const { search, searched } = this
    let hub = node
    for (const other of search.neighbors(node))
      if (searched[other] === 0 && (hub === node || search.degree(other) > search.degree(hub)))
        hub = other
    return searched[hub] === 1 ? node : hub
  }

  private searchFrom(source: number): number {
    const { search, searched, done } = this
    const eccentricity = search.from(source)
    searched[source] = 1
    this.least = Math.max(this.least, eccentricity)
    this.most = Math.min(this.most, 2 * eccentricity)
    if (done[source] === 0) this.close(source)
    this.exclude(eccentricity)
    return eccentricity
  }

  /** Uses the last search for all nodes near enough to its source. */
  private exclude(eccentricity: number): void {
    const { search, least, done } = this
    const { order, starts, n } = search
    let tail: Int32Array | null = null
    let tailFrom = n
    // From the largest distance of use inwards, so that the copied end of `order` serves all.
    for (let d = eccentricity; d >= 0; d--) {
      const from = least - d >= eccentricity ? n : starts[Math.max(0, least - d + 1)]
      if (n - from > n * LARGEST_SHARE) continue
      for (let i = starts[d]; i < starts[d + 1]; i++) {
        const node = order[i]
        if (done[node] === 1) continue
        if (from === n) this.close(node)
        else if (this.far[node] !== undefined) this.narrow(node, least - d)
        else {
          if (tail === null) {
            tail = order.slice(from, n)
            tailFrom = from
          }
          this.far[node] = { nodes: tail, from: from - tailFrom }
        }
      }
    }
  }

  /** Keeps of the far nodes of a node those that are farther than `limit` from the last source. */
  private narrow(node: number, limit: number): void {
    const { nodes, from } = this.far[node]!
    const { done } = this
    const { distance } = this.search
    const left: number[] = []
    for (let i = from; i < nodes.length; i++) {
      const other = nodes[i]
      if (distance[other] > limit && done[other] === 0) left.push(other)
    }
    this.work += nodes.length - from
    if (left.length === 0) this.close(node)
    else if (2 * left.length < nodes.length - from && this.stored + left.length < MOST_STORED) {
      this.stored += left.length
      this.far[node] = { nodes: left, from: 0 }
    }
  }

  private close(node: number): void {
    this.done[node] = 1
    this.far[node] = undefined
    this.open--
  }
}

/**
 * Visits the nodes far from each other one after the other: near the golden section, prime to n.
 */
export function strideFor(n: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let stride = Math.max(1, Math.round(n * 0.618))
  while (divisor(stride, n) > 1) stride++
  return stride
}
