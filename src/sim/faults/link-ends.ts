import { type Link, left, right } from '../../core/language/net.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import { ClosingRing } from './closing-ring.ts'
import type { Partition } from './faults.ts'

/** A link as one end of it knows it. */
type End = readonly [node: number, link: Link, other: number]

/**
 * Those who have a link to a node, in order of their positions. Of a ring that closes all are told:
 * an attempt is known by how much everybody has been told.
 */
export function endsAround(topology: Topology, node: number): End[] {
  if (topology instanceof ClosingRing) {
    const { n } = topology
    const before = topology.neighbor(node, right)
    return Array.from({ length: n }, (_, end): End => [end, end === before ? left : right, node])
  }
  return linksOf(topology, node)
    .map((link): End => [topology.neighbor(node, link), topology.back(node, link), node])
    .sort(([a], [b]) => a - b)
}

/** The links that a wall parts, from both ends, in order of positions. */
export function endsSeparated(topology: Topology, wall: Partition): End[] {
  const all = () => Array.from({ length: topology.n }, (_, node) => node)
  return (wall.link?.toSorted((a, b) => a - b) ?? all()).flatMap((node) =>
    linksOf(topology, node)
      .map((link): End => [node, link, topology.neighbor(node, link)])
      .filter(([, , other]) => wall.separates(node, other)),
  )
}
