import { type Link, left, right } from '../../core/language/net.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import { ClosingRing } from './closing-ring.ts'
import type { Partition } from './faults.ts'

/** A link as seen from one end. */
type End = readonly [node: number, link: Link, other: number]

/**
 * The ends of all links to a node, in order of positions. On a closing ring every node is notified,
 * since attempts are numbered by notifications.
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

/** The ends that hear nothing over a link since a partition cuts it, in order of positions. */
export function endsSeparated(topology: Topology, partition: Partition): End[] {
  const all = () => Array.from({ length: topology.n }, (_, node) => node)
  return (partition.link?.toSorted((a, b) => a - b) ?? all()).flatMap((node) =>
    linksOf(topology, node)
      .map((link): End => [node, link, topology.neighbor(node, link)])
      .filter(([, , other]) => partition.separates(other, node)),
  )
}
