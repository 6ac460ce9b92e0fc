import type { Topology } from '../../core/language/topology.ts'
import type { Random } from '../../core/runtime/random.ts'

/** In the place of a node: there is none, or there was one that is gone. */
export const NO_NODE = -1
export const GONE = -2

/** Whom nodes may exchange with: one of a node's contacts at random, all alike. */
export interface Overlay {
  /** Whether everybody is a contact of everybody. */
  readonly complete?: true
  /** A cycle begins. */
  begin?(): void
  /** A random contact for each of the nodes; nobody for one that has none. */
  pick(nodes: Int32Array, into: Int32Array, random: Random): void
  /** A node is new at its position, and knows one other, if there is any. */
  join?(node: number, contact: number | null): void
  /** How many contacts a node has, and who they are. */
  contacts(node: number): number
  contact(node: number, place: number): number
}

/** Nothing is stored for a complete network; of others, only what the network itself stores. */
export function overlayOf(topology: Topology): Overlay {
  const { n, firstLink, outLinks } = topology
  const known = {
    contacts: (node: number) => (n === 1 ? 0 : (outLinks ?? topology.degree(node))),
    contact: (node: number, place: number) => topology.neighbor(node, firstLink + place),
  }
  if (n === 1) return { ...known, pick: (_nodes, into) => void into.fill(NO_NODE) }
  if (topology.kind === 'complete') {
    return {
      ...known,
      complete: true,
      pick(nodes, into, random) {
        random.fillBelow(n - 1, into)
        for (let i = 0; i < into.length; i++) if (into[i] >= nodes[i]) into[i]++
      },
    }
  }
  if (outLinks !== undefined) {
    return {
      ...known,
      pick(nodes, into, random) {
        random.fillBelow(outLinks, into)
        for (let i = 0; i < into.length; i++) into[i] = topology.neighbor(nodes[i], into[i])
      },
    }
  }
  return {
    ...known,
    pick(nodes, into, random) {
      for (let i = 0; i < into.length; i++) {
        const link = firstLink + random.below(topology.degree(nodes[i]))
        into[i] = topology.neighbor(nodes[i], link)
      }
    },
  }
}
