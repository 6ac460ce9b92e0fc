import type { Topology } from '../../core/language/topology.ts'
import type { Random } from '../../core/runtime/random.ts'
import { GONE, NO_NODE, type Overlay } from './overlay.ts'
import type { Population } from './population.ts'

/**
 * Peer sampling by Newscast (Jelasity, Kowalczyk, van Steen 2003). Every node has a partial view of
 * c peers with timestamps. Two nodes that meet merge their views and fresh entries of themselves,
 * and both keep the c freshest. Crashed nodes create no fresh entries and drop out; views stay
 * nearly uniform random samples. Nodes that wait for an epoch exchange views, too.
 */
export class Newscast implements Overlay {
  /** By node, c entries, the freshest first; NO_NODE fills a view that is not full. */
  private readonly ids: Int32Array
  private readonly timestamps: Int32Array
  /** The cycle in which a node joined: older entries are of a former node at its position. */
  private readonly joinedAt: Int32Array
  private readonly merged: Int32Array
  private readonly mergedTimestamps: Int32Array
  /** The last merge in which a node was seen. */
  private readonly met: Int32Array
  private merges = 0
  private cycle = 0

  constructor(
    topology: Topology,
    private readonly c: number,
    private readonly population: Population,
    random: Random,
  ) {
    const { n } = topology
    this.ids = new Int32Array(n * c).fill(NO_NODE)
    this.timestamps = new Int32Array(n * c)
    this.joinedAt = new Int32Array(n)
    this.merged = new Int32Array(c)
    this.mergedTimestamps = new Int32Array(c)
    this.met = new Int32Array(n)
    for (let node = 0; node < n && n > 1; node++) this.sampleNeighbors(node, topology, random)
  }

  begin(): void {
    this.cycle++
  }

  /** A new node knows one other node. */
  join(node: number, contact: number | null): void {
    const start = node * this.c
    this.ids.fill(NO_NODE, start, start + this.c)
    this.joinedAt[node] = this.cycle
    if (contact === null) return
    this.ids[start] = contact
    this.timestamps[start] = this.cycle
  }

  /**
   * Sequential, since every meeting changes the views for the next. Values are exchanged with
   * another peer than views: two nodes that have just merged views have the same neighbourhood, and
   * the variance would shrink by half only, not by two thirds.
   */
  pick(nodes: Int32Array, into: Int32Array, random: Random): void {
    for (let i = 0; i < into.length; i++) {
      const node = nodes[i]
      into[i] = NO_NODE
      if (!this.population.isAlive(node)) continue
      const met = this.randomPeer(node, random)
      if (met >= 0 && !this.population.isDeaf(met)) this.merge(node, met, random.below(2) === 0)
      into[i] = this.randomPeer(node, random)
    }
  }

  private randomPeer(node: number, random: Random): number {
    const size = this.contacts(node)
    return size === 0 ? NO_NODE : this.contact(node, random.below(size))
  }

  contacts(node: number): number {
    const start = node * this.c
    let size = this.c
    while (size > 0 && this.ids[start + size - 1] === NO_NODE) size--
    return size
  }

  contact(node: number, index: number): number {
    const at = node * this.c + index
    return this.isGone(at) ? GONE : this.ids[at]
  }

  private isGone(at: number): boolean {
    const node = this.ids[at]
    return this.timestamps[at] < this.joinedAt[node] || !this.population.isAlive(node)
  }

  /** The first view: a random sample of the neighbours in the network. */
  private sampleNeighbors(node: number, topology: Topology, random: Random): void {
    const { firstLink, outLinks = topology.degree(node) } = topology
    const start = node * this.c
    const count = Math.min(this.c, outLinks)
    // Floyd's sampling: every subset is equally likely, with one draw per element.
    const mark = ++this.merges
    for (let i = 0; i < count; i++) {
      const last = outLinks - count + i
      const randomPeer = topology.neighbor(node, firstLink + random.below(last + 1))
      const other =
        this.met[randomPeer] === mark ? topology.neighbor(node, firstLink + last) : randomPeer
      this.met[other] = mark
      this.ids[start + i] = other
    }
  }

  /** Entries of equal timestamps are taken from both views in turn. */
  private merge(a: number, b: number, aFirst: boolean): void {
    const { ids, timestamps, merged, mergedTimestamps, met, c } = this
    const mark = ++this.merges
    met[a] = mark
    met[b] = mark
    let [x, y] = aFirst ? [a * c, b * c] : [b * c, a * c]
    const [endX, endY] = [x + c, y + c]
    let count = 0
    let turn = true
    while (count < c - 1) {
      const hasX = x < endX && ids[x] !== NO_NODE
      const hasY = y < endY && ids[y] !== NO_NODE
      if (!hasX && !hasY) break
      const takeX: boolean =
        !hasY ||
        (hasX && (timestamps[x] > timestamps[y] || (timestamps[x] === timestamps[y] && turn)))
      const from: number = takeX ? x++ : y++
      const other = ids[from]
      if (met[other] === mark) continue
      met[other] = mark
      turn = !takeX
      merged[count] = other
      mergedTimestamps[count++] = timestamps[from]
    }
    this.keep(a, b, count)
    this.keep(b, a, count)
  }

  private keep(node: number, other: number, count: number): void {
    const { ids, timestamps, merged, mergedTimestamps, c, cycle } = this
    const start = node * c
    ids[start] = other
    timestamps[start] = cycle
    for (let i = 0; i < count; i++) {
      ids[start + 1 + i] = merged[i]
      timestamps[start + 1 + i] = mergedTimestamps[i]
    }
    ids.fill(NO_NODE, start + 1 + count, start + c)
  }
}
