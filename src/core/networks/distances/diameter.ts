import type { Topology } from '../../language/topology.ts'
import {
  type DiameterRange,
  DistanceSearch,
  exactDiameter,
  middleOfLongWay,
} from './distance-search.ts'

import { FarNodesDiameter, strideFor } from './far-nodes.ts'

import { AT_ONCE, ManySearches } from './many-searches.ts'

/** One search after the other may take this many steps, some seconds. */
const MOST_WORK = 1e9
/** Many searches at once may take this many, some seconds: the steps are longer. */
const MOST_WORK_AT_ONCE = 5e8
/** Beyond this largest distance from a node, one search after the other is mostly less work. */
const SHALLOW = 32
/** Searches from so many nodes say which nodes are far from most others. */
const SAMPLES = 8
/** The share of the nodes that are searched from first, as the farthest from the samples. */
const FARTHEST = 1 / 32
/** If so many nodes at most are far from a source, they are closed first, each by itself. */
const MOST_FAR = 8

/**
 * The diameter of a network: the largest distance of two nodes; infinite where it is not connected.
 * Regular networks have a formula. Elsewhere it is found by searches from a few nodes where that is
 * possible, and only bounded where it would take too long.
 */
export function diameterOf(topology: Topology, mostWork?: number): DiameterRange {
  const { diameter, n } = topology
  if (diameter !== undefined) return exactDiameter(diameter)
  if (n <= 1) return exactDiameter(0)
  const search = new DistanceSearch(topology)
  if (search.from(0) > SHALLOW) {
    const range = new FarNodesDiameter(search, mostWork ?? MOST_WORK).range()
    if (range.least === range.most) return range
  }
  return new ManySourceDiameter(search, mostWork ?? MOST_WORK_AT_ONCE).range()
}

/**
 * The diameter of any network, best of a shallow one.
 *
 * Closes node by node: no other one is farther from it than `least`. By the triangle inequality a
 * search from c closes a node u with d(c, u) = r if nobody is farther from c than least - r (as in
 * Takes and Kosters 2011). Only open nodes count, since a distance above `least` has two open ends.
 * So the nodes far from most others are closed first, each by itself; then a search in the middle
 * of the others closes all that are near it. Many searches are done at once.
 */
export class ManySourceDiameter {
  private readonly many: ManySearches
  private readonly done: Uint8Array
  private open: number
  /** The work of searches before. */
  private readonly before: number
  private least = 0
  private most = Number.POSITIVE_INFINITY

  constructor(
    private readonly search: DistanceSearch,
    private readonly mostWork: number,
  ) {
    this.many = new ManySearches(search)
    this.done = new Uint8Array(search.n)
    this.open = search.n
    this.before = search.work
  }

  range(): DiameterRange {
    const { search } = this
    const middle = middleOfLongWay(search, (source) => this.searchFrom(source))
    if (middle === null) return exactDiameter(Number.POSITIVE_INFINITY)
    // In a tree the second search finds a longest path.
    if (search.links === search.n - 1) return exactDiameter(this.least)
    this.searchFrom(middle)
    // Every node is the neighbour of all others, or one of them is.
    if (this.least <= 1 || this.least === this.most) return exactDiameter(this.least)
    this.closeNear([middle], Math.max(0, this.least - this.most / 2))
    this.searchAll()
    return this.open === 0 ? exactDiameter(this.least) : { least: this.least, most: this.most }
  }

  /** First the nodes that are far from most, then the others: by ever smaller neighbourhoods. */
  private searchAll(): void {
    const { n } = this.search
    const stride = strideFor(n)
    const nodes = Array.from({ length: n }, (_, i) => (i * stride) % n)
    const samples = nodes.slice(0, SAMPLES).map((node) => {
      this.searchFrom(node)
      return this.search.distance.slice()
    })
    this.closeAll(this.farthest(nodes.slice(0, AT_ONCE), usual(samples)), 0)
    for (let r = this.largestRadius(samples); r >= 0 && this.open > 0; r--) this.closeAll(nodes, r)
  }

  /** The open nodes that are farther than a distance from most of some others. */
  private farthest(others: readonly number[], distance: number): number[] {
    const nodes = this.openNodes()
    const far = new Int32Array(this.search.n)
    this.many.from(others, distance, nodes, (node) => far[node]++)
    return nodes.sort((v, w) => far[w] - far[v]).slice(0, Math.ceil(nodes.length * FARTHEST))
  }

  /** The largest radius r such that few open nodes are farther than least - r from most samples. */
  private largestRadius(samples: readonly Int32Array[]): number {
    const nodes = this.openNodes()
    const radii = samples.map((distance) => {
      const [limit = 0] = nodes
        .map((node) => distance[node])
        .sort((a, b) => b - a)
        .slice(MOST_FAR)
      return Math.max(0, Math.min(this.least - limit, this.least - 2))
    })
    return radii.sort((a, b) => a - b)[radii.length >> 1]
  }

  private openNodes(): number[] {
    const nodes: number[] = []
    for (let node = 0; node < this.done.length; node++) if (this.done[node] === 0) nodes.push(node)
    return nodes
  }

  /** Searches so that every open one of some nodes has a source within a radius. */
  private closeAll(nodes: readonly number[], radius: number): void {
    const covered = this.done.slice()
    let sources: number[] = []
    for (const node of nodes) {
      if (covered[node] === 1) continue
      const source = radius === 0 ? node : this.hubBeside(node, covered)
      for (const near of this.ball(source, radius)) covered[near] = 1
      sources.push(source)
      if (sources.length < AT_ONCE) continue
      if (!this.closeNear(sources, radius)) return
      sources = []
    }
    if (sources.length > 0) this.closeNear(sources, radius)
  }

  /** Closes the nodes within a radius of some sources, where it can; false without time for it. */
  private closeNear(sources: readonly number[], radius: number): boolean {
    const { search, many, done } = this
    if (search.work - this.before + many.work > this.mostWork) return false
    const far = sources.map((): number[] => [])
    many.from(sources, this.least - radius, this.openNodes(), (node, place) => {
      if (far[place].length <= MOST_FAR) far[place].push(node)
    })
    if (radius === 0) return this.closeThemselves(sources, far)
    const few = far.map((nodes) => nodes.length <= MOST_FAR)
    this.closeAll([...new Set(far.filter((_, i) => few[i]).flat())], 0)
    for (const [i, source] of sources.entries())
      if (few[i] && far[i].every((node) => done[node] === 1))
        for (const node of this.ball(source, radius)) this.close(node)
    return true
  }

  /** Closes sources without far nodes. Another one has a larger distance, so that `least` grows. */
  private closeThemselves(
    sources: readonly number[],
    far: readonly (readonly number[])[],
  ): boolean {
    for (const [i, source] of sources.entries()) if (far[i].length === 0) this.close(source)
    const [first, ...left] = sources.filter((source) => this.done[source] === 0)
    if (first === undefined) return true
    this.searchFrom(first)
    return left.length === 0 || this.closeNear(left, 0)
  }

  /** Of a node and its neighbours the one with most neighbours that are not covered yet. */
  private hubBeside(node: number, covered: Uint8Array): number {
    const { search } = this
    let hub = node
    let most = 0
    for (const candidate of [node, ...search.neighbors(node)]) {
      let gain = 0
      for (const other of search.neighbors(candidate)) gain += 1 - covered[other]
      if (gain > most) {
        most = gain
        hub = candidate
      }
    }
    return hub
  }

  /** The nodes within a distance of a node. */
  private ball(source: number, radius: number): Iterable<number> {
    const found = new Set([source])
    let edge = [source]
    for (let r = 0; r < radius; r++) {
      const next: number[] = []
      for (const node of edge)
        for (const other of this.search.neighbors(node))
          if (!found.has(other)) {
            found.add(other)
            next.push(other)
          }
      edge = next
    }
    return found
  }

  private searchFrom(source: number): number {
    const eccentricity = this.search.from(source)
    this.least = Math.max(this.least, eccentricity)
    this.most = Math.min(this.most, 2 * eccentricity)
    this.close(source)
    return eccentricity
  }

  private close(node: number): void {
    if (this.done[node] === 1) return
    this.done[node] = 1
    this.open--
  }
}

/** The distance that about half of the nodes are beyond. */
function usual(samples: readonly Int32Array[]): number {
  const sorted = samples.map((distance) => distance.toSorted())
  return Math.max(2, Math.min(...sorted.map((all) => all[all.length >> 1])) - 1)
}
