/**
 * A network of n nodes at positions 0..n-1. The links of a node are numbered from `firstLink` on,
 * without gaps. Regular networks compute their neighbours; random ones keep sorted tables.
 */
export interface Topology {
  /** The network as the command line writes it, with its size: `ring:8`. */
  readonly name: string
  readonly kind: 'ring' | 'complete' | 'graph'
  readonly n: number
  /** How many links there are; one joins two nodes (or a node to itself) and carries both ways. */
  readonly links: number
  /** The number of every node's first link: 1 on complete networks, 0 elsewhere. */
  readonly firstLink: 0 | 1
  degree(node: number): number
  /** The node at the other end of a link. */
  neighbor(node: number, link: number): number
  /** The number that the other end gives to the same link. */
  back(node: number, link: number): number
  /**
   * A number for this direction of this link, from 0 to `channels` - 1, its own. Networks with a
   * border may leave some numbers unused.
   */
  channel(node: number, link: number): number
  readonly channels: number
  /** Where nodes lie in the unit square, if they do: x at 2 * node, y at 2 * node + 1. */
  readonly coordinates?: Float64Array
  /** The same after each unit of time, where nodes move; the first is `places`. */
  readonly trajectory?: readonly Float64Array[]
  /** Links a gossiping node may pick from, where these are not all (k-out): the first so many. */
  readonly outLinks?: number
}

/** The numbers of a node's links. */
export function linksOf(topology: Topology, node: number): readonly number[] {
  const { firstLink } = topology
  return Array.from({ length: topology.degree(node) }, (_, i) => firstLink + i)
}
