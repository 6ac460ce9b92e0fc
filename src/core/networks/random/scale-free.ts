import type { Random } from '../../runtime/random.ts'
import { EdgeSet } from '../adjacency.ts'

/**
 * Barabasi and Albert, 1999: a clique of m + 1 nodes, then each new node is linked to m different
 * older ones, drawn in proportion to their degree: as ends of links drawn uniformly.
 */
export function scaleFree(n: number, m: number, random: Random): EdgeSet {
  const edges = new EdgeSet()
  for (let v = 0; v <= m; v++) for (let w = v + 1; w <= m; w++) edges.add(v, w)
  const drawnBy = new Int32Array(n).fill(-1)
  const targets = new Int32Array(m)
  for (let v = m + 1; v < n; v++) {
    for (let i = 0; i < m; i++) {
      let target = endOf(edges, random)
      while (drawnBy[target] === v) target = endOf(edges, random)
      drawnBy[target] = v
      targets[i] = target
    }
    for (let i = 0; i < m; i++) edges.add(targets[i], v)
  }
  return edges
}

function endOf({ near, far, length }: EdgeSet, random: Random): number {
  const end = random.below(2 * length)
  return end < length ? near[end] : far[end - length]
}
