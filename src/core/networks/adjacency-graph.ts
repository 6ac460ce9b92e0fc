import type { ListedNetwork, Topology } from '../language/topology.ts'
import type { Adjacency } from './adjacency.ts'

/**
 * A simple graph in three tables. A node's links are numbered by the position of the other end;
 * outgoing links of a k-out network come first, by position, and then the others, by position.
 */
export class AdjacencyGraph implements Topology {
  readonly kind = 'graph'
  readonly firstLink = 0
  readonly n: number
  readonly links: number
  readonly channels: number
  readonly coordinates?: Float64Array
  readonly trajectory?: readonly Float64Array[]
  readonly outLinks?: number
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
      outLinks,
      listed,
    }: Pick<Topology, 'coordinates' | 'trajectory' | 'outLinks' | 'listed'> = {},
  ) {
    this.n = adjacency.offsets.length - 1
    this.channels = adjacency.targets.length
    this.links = this.channels / 2
    this.offsets = adjacency.offsets
    this.targets = adjacency.targets
    this.backs = backLinks(adjacency, outLinks ?? 0)
    if (coordinates) this.coordinates = coordinates
    if (trajectory) this.trajectory = trajectory
    if (outLinks) this.outLinks = outLinks
    if (listed) this.listed = listed
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

/**
 * For every arc the number of its link at the other end. Nodes are visited by position, so each is
 * next among its neighbours' outgoing links or next among their other links: two counters suffice.
 */
function backLinks({ offsets, targets }: Adjacency, picks: number): Int32Array {
  const n = offsets.length - 1
  const nextOther = new Int32Array(n).fill(picks)
  const nextPick = new Int32Array(n)
  const nextPicked = new Int32Array(n).fill(-1)
  if (picks > 0) for (let v = 0; v < n; v++) nextPicked[v] = targets[offsets[v]]
  const backs = new Int32Array(targets.length)
  for (let v = 0; v < n; v++) {
    for (let a = offsets[v]; a < offsets[v + 1]; a++) {
      const w = targets[a]
      if (nextPicked[w] === v) {
        backs[a] = nextPick[w]++
        nextPicked[w] = nextPick[w] < picks ? targets[offsets[w] + nextPick[w]] : -1
      } else {
        backs[a] = nextOther[w]++
      }
    }
  }
  return backs
}
