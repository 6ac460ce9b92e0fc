import type { ListedNetwork, Topology } from '../language/topology.ts'
import { grown } from '../runtime/growable-array.ts'

/** A growable list of edges, as pairs of positions. */
export class EdgeSet {
  length = 0
  near = new Int32Array(64)
  far = new Int32Array(64)

  add(near: number, far: number): void {
    if (this.length === this.near.length) {
      this.near = grown(this.near)
      this.far = grown(this.far)
    }
    this.near[this.length] = near
    this.far[this.length] = far
    this.length++
  }
}

/** The arcs of node v lead to the `targets` from `offsets[v]` up to `offsets[v + 1]`. */
export interface Adjacency {
  readonly offsets: Int32Array
  readonly targets: Int32Array
}

/** Every edge as two arcs; the arcs of a node are sorted by position. Takes linear time. */
export function adjacencyOf(n: number, { near, far, length }: EdgeSet): Adjacency {
  const offsets = new Int32Array(n + 1)
  for (let e = 0; e < length; e++) {
    offsets[near[e] + 1]++
    offsets[far[e] + 1]++
  }
  accumulate(offsets)
  const targets = new Int32Array(2 * length)
  const next = offsets.slice()
  for (let e = 0; e < length; e++) {
    targets[next[near[e]]++] = far[e]
    targets[next[far[e]]++] = near[e]
  }
  return reversed({ offsets, targets })
}

/** All arcs reversed. Sources are visited in order, so that the new targets are sorted. */
export function reversed({ offsets, targets }: Adjacency): Adjacency {
  const n = offsets.length - 1
  const newOffsets = new Int32Array(n + 1)
  for (let a = 0; a < targets.length; a++) newOffsets[targets[a] + 1]++
  accumulate(newOffsets)
  const newTargets = new Int32Array(targets.length)
  const next = newOffsets.slice()
  for (let v = 0; v < n; v++) {
    for (let a = offsets[v]; a < offsets[v + 1]; a++) newTargets[next[targets[a]]++] = v
  }
  return { offsets: newOffsets, targets: newTargets }
}

/** Replaces counts by their prefix sums. */
function accumulate(counts: Int32Array): void {
  for (let i = 1; i < counts.length; i++) counts[i] += counts[i - 1]
}

/**
 * For every channel the number of its link at the other end. Nodes are visited by position, so each
 * is next among its neighbours' outgoing links, or among their other ones: two counters suffice.
 */
export function backLinks(topology: Topology): Int32Array {
  const { n, channels, outLinks = 0 } = topology
  const nextOther = new Int32Array(n).fill(outLinks)
  const nextPick = new Int32Array(n)
  const nextPicked = new Int32Array(n).fill(-1)
  if (outLinks > 0) for (let v = 0; v < n; v++) nextPicked[v] = topology.neighbor(v, 0)
  const backs = new Int32Array(channels)
  for (let v = 0; v < n; v++) {
    const degree = topology.degree(v)
    const first = topology.channel(v, 0)
    for (let link = 0; link < degree; link++) {
      const w = topology.neighbor(v, link)
      if (nextPicked[w] === v) {
        backs[first + link] = nextPick[w]++
        nextPicked[w] = nextPick[w] < outLinks ? topology.neighbor(w, nextPick[w]) : -1
      } else {
        backs[first + link] = nextOther[w]++
      }
    }
  }
  return backs
}

/** A simple graph in three tables. A node's links are numbered by the position of the other end. */
export class AdjacencyGraph implements Topology {
  readonly kind = 'graph'
  readonly firstLink = 0
  readonly n: number
  readonly links: number
  readonly channels: number
  readonly coordinates?: Float64Array
  readonly trajectory?: readonly Float64Array[]
  readonly listed?: ListedNetwork
  private readonly offsets: Int32Array
  private readonly targets: Int32Array
  private readonly backs: Int32Array

  constructor(
    readonly name: string,
    adjacency: Adjacency,
    {
      coordinates,
      trajectory,
      listed,
    }: Pick<Topology, 'coordinates' | 'trajectory' | 'listed'> = {},
  ) {
    this.n = adjacency.offsets.length - 1
    this.channels = adjacency.targets.length
    this.links = this.channels / 2
    this.offsets = adjacency.offsets
    this.targets = adjacency.targets
    if (coordinates) this.coordinates = coordinates
    if (trajectory) this.trajectory = trajectory
    if (listed) this.listed = listed
    this.backs = backLinks(this)
  }

  degree(node: number): number {
    return this.offsets[node + 1] - this.offsets[node]
  }

  neighbor(node: number, link: number): number {
    return this.targets[this.offsets[node] + link]
  }

  back(node: number, link: number): number {
    return this.backs[this.offsets[node] + link]
  }

  channel(node: number, link: number): number {
    return this.offsets[node] + link
  }
}
