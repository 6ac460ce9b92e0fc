import { linksOf, type Topology } from '../../../core/language/topology.ts'
import { components } from '../../../core/networks/components.ts'

/** What is sent from one side of the network to the other is lost. */
export interface SplitNetwork {
  /** The positions of one side, in increasing order; the others are the other side. */
  readonly side: readonly number[]
  /** Only what is sent from this side is lost; otherwise in both directions. */
  readonly oneWay: boolean
}

/** What faults have done to the links. */
export interface CutLinks {
  /** The channels that are cut for good. */
  readonly cut: readonly number[]
  readonly partitions: readonly SplitNetwork[]
}

/** Every partition of a network; also those of one direction, if wanted. */
export function partitionsOf(n: number, oneWay: boolean): SplitNetwork[] {
  const sides = Array.from({ length: 2 ** n - 2 }, (_, bits) =>
    Array.from({ length: n }, (_, node) => node).filter((node) => ((bits + 1) >> node) & 1),
  )
  return [
    // The sides of a partition in both directions are interchangeable.
    ...sides.filter(([first]) => first === 0).map((side) => ({ side, oneWay: false })),
    ...(oneWay ? sides.map((side) => ({ side, oneWay })) : []),
  ]
}

/** The partition with this side; in both directions the side of the first node is named. */
export function splitNetwork(side: readonly number[], oneWay: boolean, n: number): SplitNetwork {
  if (oneWay || side.includes(0)) return { side, oneWay }
  return { side: [...Array(n).keys()].filter((node) => !side.includes(node)), oneWay }
}

/** Whether a message from one node to another is lost by a partition. */
export function separates({ side, oneWay }: SplitNetwork, from: number, to: number): boolean {
  const inside = side.includes(from)
  return inside !== side.includes(to) && (inside || !oneWay)
}

/** The channels of a network into which messages are sent in vain. */
export function blockedChannels(
  topology: Topology,
  { cut, partitions }: CutLinks,
): ReadonlySet<number> {
  const blocked = new Set(cut)
  if (partitions.length === 0) return blocked
  for (let from = 0; from < topology.n; from++)
    for (const link of linksOf(topology, from)) {
      const to = topology.neighbor(from, link)
      if (partitions.some((partition) => separates(partition, from, to)))
        blocked.add(topology.channel(from, link))
    }
  return blocked
}

/** The components of live nodes, where links fail in both directions. */
export function connectedComponents(
  topology: Topology,
  dead: readonly number[],
  blocked: ReadonlySet<number>,
): Int32Array {
  const gone = new Set<string>()
  if (blocked.size > 0)
    for (let from = 0; from < topology.n; from++)
      for (const link of linksOf(topology, from))
        if (blocked.has(topology.channel(from, link)))
          gone.add(`${from} ${topology.neighbor(from, link)}`)
  return components(
    topology,
    (node) => !dead.includes(node),
    (a, b) => gone.has(`${a} ${b}`),
  )
}

/**
 * For every node the number of its component: that of nodes which can reach each other, each way
 * over links that work; -1 for crashed nodes.
 */
export function mutualComponents(
  topology: Topology,
  dead: readonly number[],
  blocked: ReadonlySet<number>,
): Int32Array {
  const nodes = Array.from({ length: topology.n }, (_, node) => node)
  const reached = nodes.map((start) => {
    const found = new Set(dead.includes(start) ? [] : [start])
    for (const from of found)
      for (const link of linksOf(topology, from)) {
        const to = topology.neighbor(from, link)
        if (!dead.includes(to) && !blocked.has(topology.channel(from, link))) found.add(to)
      }
    return found
  })
  const labels = new Int32Array(topology.n).fill(-1)
  let components = 0
  for (const node of nodes) {
    if (dead.includes(node) || labels[node] >= 0) continue
    for (const other of reached[node]) if (reached[other].has(node)) labels[other] = components
    components++
  }
  return labels
}
