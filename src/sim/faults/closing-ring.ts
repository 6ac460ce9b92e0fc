import { type Link, left, right } from '../../core/language/net.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import type { Partition } from './faults.ts'

/** A ring that closes over excluded nodes: links lead to the nearest node that is not excluded. */
export class ClosingRing implements Topology {
  readonly kind = 'ring'
  readonly firstLink = 0
  readonly name: string
  readonly n: number
  readonly links: number
  readonly channels: number
  private readonly excluded: Uint8Array

  constructor(private readonly whole: Topology) {
    this.name = whole.name
    this.n = whole.n
    this.links = whole.links
    this.channels = whole.channels
    this.excluded = new Uint8Array(whole.n)
  }

  exclude(node: number): void {
    this.excluded[node] = 1
  }

  readmit(node: number): void {
    this.excluded[node] = 0
  }

  degree(): number {
    return 2
  }

  /** Works also for a node that is alone, and for one that is excluded by a false suspicion. */
  neighbor(node: number, link: number): number {
    let next = this.whole.neighbor(node, link)
    while (this.excluded[next] === 1 && next !== node) next = this.whole.neighbor(next, link)
    return next
  }

  back(_node: number, link: number): number {
    return 1 - link
  }

  channel(node: number, link: number): number {
    return this.whole.channel(node, link)
  }
}

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
