import type { Random } from '../../core/random.ts'
import type { Topology } from '../../core/topology.ts'

/** Whom nodes may exchange with: one of a node's links at random, all alike. */
export interface Overlay {
  /** A random neighbour for each of the nodes; -1 for one that has none. */
  pick(nodes: Int32Array, into: Int32Array, random: Random): void
}

/** Nothing is stored for a complete network; of others, only what the network itself stores. */
export function overlayOf(topology: Topology): Overlay {
  const { n, firstLink, picks } = topology
  if (n === 1) return { pick: (_nodes, into) => void into.fill(-1) }
  if (topology.kind === 'complete') {
    return {
      pick(nodes, into, random) {
        random.fillBelow(n - 1, into)
        for (let i = 0; i < into.length; i++) if (into[i] >= nodes[i]) into[i]++
      },
    }
  }
  if (picks !== undefined) {
    return {
      pick(nodes, into, random) {
        random.fillBelow(picks, into)
        for (let i = 0; i < into.length; i++) into[i] = topology.neighbor(nodes[i], into[i])
      },
    }
  }
  return {
    pick(nodes, into, random) {
      for (let i = 0; i < into.length; i++) {
        const link = firstLink + random.below(topology.degree(nodes[i]))
        into[i] = topology.neighbor(nodes[i], link)
      }
    },
  }
}
