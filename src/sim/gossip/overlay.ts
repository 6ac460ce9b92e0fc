import type { Topology } from '../../core/language/topology.ts'
import type { Random } from '../../core/runtime/random.ts'

/** Instead of a node: there is none, or it has crashed. */
export const NO_NODE = -1
export const GONE = -2

/** The peers of each node; exchanges are with a uniformly random one. */
export interface Overlay {
  /** Whether all nodes are contacts of each other. */
  readonly complete?: true
  /** A cycle begins. */
  begin?(): void
  /** A random contact for each of the nodes; NO_NODE for a node without contacts. */
  pick(nodes: Int32Array, into: Int32Array, random: Random): void
  /** A new node joins at a position, with one contact, if there is any. */
  join?(node: number, contact: number | null): void
  /** The number of contacts of a node, and the i-th of them. */
  contacts(node: number): number
  contact(node: number, index: number): number
}

/** The overlay of the network itself; it stores nothing beside the network. */
export function overlayOf(topology: Topology): Overlay {
  const { n, firstLink, outLinks, outTargets } = topology
  const view = {
    contacts: (node: number) => (n === 1 ? 0 : (outLinks ?? topology.degree(node))),
    contact: (node: number, index: number) => topology.neighbor(node, firstLink + index),
  }
  if (n === 1) return { ...view, pick: (_nodes, into) => void into.fill(NO_NODE) }
  if (topology.kind === 'complete') {
    return {
      ...view,
      complete: true,
      pick(nodes, into, random) {
        random.fillBelow(n - 1, into)
        for (let i = 0; i < into.length; i++) if (into[i] >= nodes[i]) into[i]++
      },
    }
  }
  if (outLinks !== undefined && outTargets !== undefined) {
    return {
      ...view,
      pick(nodes, into, random) {
        random.fillPlaces(outLinks, nodes, into)
        // The shorter this loop, the more cache misses overlap.
        for (let i = 0; i < into.length; i++) into[i] = outTargets[into[i]]
      },
    }
  }
  return {
    ...view,
    pick(nodes, into, random) {
      for (let i = 0; i < into.length; i++) {
        const link = firstLink + random.below(topology.degree(nodes[i]))
        into[i] = topology.neighbor(nodes[i], link)
      }
    },
  }
}
