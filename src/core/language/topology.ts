/**
 * A network of n nodes at positions 0..n-1. The links of a node are numbered from `firstLink` on,
 * without gaps. Regular networks compute their neighbours; random ones keep sorted tables.
 */
export interface Topology {
  /** The network as the command line writes it, with its size: `ring:8`. */
  readonly name: string
  readonly kind: 'ring' | 'complete' | 'graph'
  readonly n: number
  /** The number of links; a link joins two nodes (or a node to itself) in both directions. */
  readonly links: number
  /** The number of every node's first link: 1 on complete networks, 0 elsewhere. */
  readonly firstLink: 0 | 1
  degree(node: number): number
  /** The node at the other end of a link. */
  neighbor(node: number, link: number): number
  /** The number of the same link at its other end. */
  back(node: number, link: number): number
  /**
   * The number of this direction of the link, from 0 to `channels` - 1. Networks with a border may
   * leave some numbers unused.
   */
  channel(node: number, link: number): number
  readonly channels: number
  /** The largest distance of two nodes, where a formula gives it. */
  readonly diameter?: number
  /** Positions of nodes in the unit square, if any: x at 2 * node, y at 2 * node + 1. */
  readonly coordinates?: Float64Array
  /** The coordinates after each time unit, where nodes move; the first are `coordinates`. */
  readonly trajectory?: readonly Float64Array[]
  /** The number of links, from the first on, that gossip picks from; all if left out (k-out). */
  readonly outLinks?: number
  /** Where these links lead, by node and then by link, if a table has them. */
  readonly outTargets?: Int32Array
  /** On a hypercube, its coordinates: link b leads to the position that differs in bit b. */
  readonly dimensions?: number
  /** What a file says of the network besides its links. */
  readonly listed?: ListedNetwork
}

/** What a file of links says besides the links. */
export interface ListedNetwork {
  /** The labels of the nodes in the file, by position, where they are not the positions. */
  readonly labels?: readonly string[]
  /** What links cost, in the order of the sorted edges. */
  readonly weights?: readonly number[]
  /** How the network differs from the file, in words. */
  readonly notes: readonly string[]
}

/** The numbers of a node's links. */
export function linksOf(topology: Topology, node: number): readonly number[] {
  const { firstLink } = topology
  return Array.from({ length: topology.degree(node) }, (_, i) => firstLink + i)
}
