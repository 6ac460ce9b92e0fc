import type { ListedNetwork, Topology } from '../language/topology.ts'
import { type Adjacency, backLinks } from './adjacency.ts'

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
