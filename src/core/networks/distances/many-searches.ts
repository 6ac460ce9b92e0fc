import type { DistanceSearch } from './distance-search.ts'

/** So many words of 32 bits belong to a node; `gather` names them one by one. */
const WORDS = 8
/** So many searches are done at once: a bit for each. */
export const AT_ONCE = 32 * WORDS

/**
 * Breadth-first searches from several nodes at once (Then et al. 2014): every node has a bit for
 * each source that it is near. A level takes one pass over the links, whatever the number of
 * sources. The last two levels are computed only where they are needed, and only until all bits of
 * a node are known.
 */
export class ManySearches {
  /** The links looked at so far. */
  work = 0
  /** By node: the bits of the sources within the distance so far. */
  private near: Int32Array
  /** The same one level later. */
  private next: Int32Array
  /** The searches for which a node has its bits in `next`. */
  private readonly prepared: Int32Array
  private searches = 0
  /** The neighbours of each node, those with most links first: they are near most sources. */
  private readonly targets: Int32Array
  /** One place is spare. */
  private readonly found: Int32Array
  private readonly reached = new Int32Array(WORDS)

  constructor(private readonly search: DistanceSearch) {
    const { n } = search
    this.near = new Int32Array(n * WORDS)
    this.next = new Int32Array(n * WORDS)
    this.prepared = new Int32Array(n)
    this.found = new Int32Array(n + 1)
    this.targets = hubsFirst(search)
  }

  /**
   * Searches from up to `AT_ONCE` nodes, up to a distance of at least 2. Calls `far` for each of
   * some nodes with the place of each source that is farther from it.
   */
  from(
    sources: readonly number[],
    distance: number,
    nodes: readonly number[],
    far: (node: number, place: number) => void,
  ): void {
    const { reached, search } = this
    this.searches++
    const begun = this.begin(sources, distance - 2)
    for (let level = begun; level < distance - 2; level++) {
      for (let node = 0; node < search.n; node++)
        this.gather(this.near, node, this.next, node * WORDS, false)
      ;[this.near, this.next] = [this.next, this.near]
    }
    for (const node of nodes) {
      if (this.gather(this.next, node, reached, 0, true)) continue
      for (let word = 0; word < WORDS; word++)
        for (let left = ~reached[word]; left !== 0; left &= left - 1)
          far(node, 32 * word + 31 - Math.clz32(left & -left))
    }
  }

  /** The first levels one source after the other, while that is less work; returns how many. */
  private begin(sources: readonly number[], distance: number): number {
    const { near, search } = this
    near.fill(0)
    let level = 0
    for (const [place, source] of sources.entries())
      near[source * WORDS + (place >> 5)] |= 1 << (place & 31)
    let balls: Int32Array[] = sources.map((source) => Int32Array.of(source))
    for (let size = 1; level < distance && size * sources.length < search.n; level++) {
      balls = balls.map((ball, place) => this.widened(ball, place >> 5, 1 << (place & 31)))
      size = Math.max(...balls.map((ball) => ball.length))
    }
    // Every node has the bits without a source, so that nobody looks for them.
    for (let place = sources.length; place < AT_ONCE; place = (place | 31) + 1) {
      const bits = -1 << (place & 31)
      for (let at = place >> 5; at < near.length; at += WORDS) near[at] |= bits
    }
    return level
  }

  /** Marks the neighbours of some nodes; returns those without the mark before. */
  private widened(ball: Int32Array, word: number, bit: number): Int32Array {
    const { near, targets, found } = this
    const { offsets } = this.search
    let count = 0
    for (const node of ball) {
      this.work += offsets[node + 1] - offsets[node]
      for (let arc = offsets[node]; arc < offsets[node + 1]; arc++) {
        const target = targets[arc]
        const at = target * WORDS + word
        const before = near[at]
        near[at] = before | bit
        // Without a branch, which nobody could predict.
        found[count] = target
        count += Number((before & bit) === 0)
      }
    }
    return found.slice(0, count)
  }

  /**
   * The bits of a node and its neighbours, until there are all; returns whether there are. Before,
   * where it is wanted, the neighbours gather theirs.
   */
  private gather(
    from: Int32Array,
    node: number,
    to: Int32Array,
    at: number,
    prepares: boolean,
  ): boolean {
    const { near, targets, search } = this
    const own = node * WORDS
    let a = near[own]
    let b = near[own + 1]
    let c = near[own + 2]
    let d = near[own + 3]
    let e = near[own + 4]
    let f = near[own + 5]
    let g = near[own + 6]
    let h = near[own + 7]
    let arc = search.offsets[node]
    const last = search.offsets[node + 1]
    for (; arc < last && (a & b & c & d & e & f & g & h) !== -1; arc++) {
      const target = targets[arc]
      if (prepares) this.prepare(target)
      const other = target * WORDS
      a |= from[other]
      b |= from[other + 1]
      c |= from[other + 2]
      d |= from[other + 3]
      e |= from[other + 4]
      f |= from[other + 5]
      g |= from[other + 6]
      h |= from[other + 7]
    }
    this.work += arc - search.offsets[node] + 1
    to[at] = a
    to[at + 1] = b
    to[at + 2] = c
    to[at + 3] = d
    to[at + 4] = e
    to[at + 5] = f
    to[at + 6] = g
    to[at + 7] = h
    return (a & b & c & d & e & f & g & h) === -1
  }

  private prepare(node: number): void {
    if (this.prepared[node] === this.searches) return
    this.prepared[node] = this.searches
    this.gather(this.near, node, this.next, node * WORDS, false)
  }
}

/** The neighbours of all nodes, at the same offsets, those with most links first. */
function hubsFirst({ n, offsets, targets }: DistanceSearch): Int32Array {
  const degree = (node: number) => offsets[node + 1] - offsets[node]
  const nodes = Int32Array.from({ length: n }, (_, node) => node)
  nodes.sort((v, w) => degree(w) - degree(v))
  const sorted = new Int32Array(targets.length)
  const filled = offsets.slice()
  for (const node of nodes)
    for (let arc = offsets[node]; arc < offsets[node + 1]; arc++)
      sorted[filled[targets[arc]]++] = node
  return sorted
}
