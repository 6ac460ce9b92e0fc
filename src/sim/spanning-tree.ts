import type { GlobalState } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'

/** The tree that an algorithm has built. */
export interface SpanningTree {
  /** How many edges it has. */
  readonly links: number
  /** What they cost together, where links have a cost. */
  readonly weight?: number
  /** By position, the smaller one first, with the cost of the edge where links have one. */
  readonly edges?: readonly TreeEdge[]
}

type TreeEdge = readonly [u: number, v: number] | readonly [u: number, v: number, weight: number]

/** What the live nodes together say of the tree; their algorithm reads each one's part of it. */
export function treeOf(
  { algorithm, topology, weights }: World,
  situation: GlobalState,
  all: boolean,
): SpanningTree | null {
  if (algorithm.tree === null) return null
  const found = new Map<number, TreeEdge>()
  for (let node = 0; node < topology.n; node++) {
    for (const link of situation.alive(node) ? algorithm.tree(situation.state(node)) : []) {
      const other = topology.neighbor(node, link)
      const channel = topology.channel(node, link)
      // Both ends may name an edge; and a ring of two has two edges between the same nodes.
      const edge = Math.min(channel, topology.channel(other, topology.back(node, link)))
      const ends = [Math.min(node, other), Math.max(node, other)] as const
      if (situation.alive(other)) found.set(edge, weights ? [...ends, weights[channel]] : ends)
    }
  }
  const edges = [...found.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const weight = edges.reduce((sum, [, , cost = 0]) => sum + cost, 0)
  return { links: edges.length, ...(weights && { weight }), ...(all && { edges }) }
}
