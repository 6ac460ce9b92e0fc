import { linksOf } from '../../src/core/language/topology.ts'
import type { World } from '../../src/core/language/world.ts'
import type { ReferenceOptions } from './reference-checker.ts'
import type { ReferenceState } from './reference-state.ts'

/* A naive reduction, for FIFO links, without a clock and without faults. */

export interface Flaws {
  /** Ignores nodes that may still send into an empty channel. */
  readonly open?: true
  /** Omits the cycle proviso. */
  readonly endless?: true
}

/** Transitions at different nodes are independent; a transition is identified by its node. */
function nodeOf(now: ReferenceState, next: ReferenceState): number {
  return now.nodes.findIndex((node, position) => node !== next.nodes[position])
}

/**
 * Persistent sets, written naively: a set of nodes such that no other node can put a message into
 * an empty channel of one of them. The smallest set with an enabled transition is expanded. A state
 * that leads to no new state is expanded in full, so that on a cycle no transition is postponed
 * forever.
 */
export function reduced(
  { topology }: World,
  flaws: Flaws = {},
): NonNullable<ReferenceOptions['among']> {
  const positions = Array.from({ length: topology.n }, (_, node) => node)
  const closure = ({ flights }: ReferenceState, start: number): Set<number> => {
    const nodes = new Set([start])
    if (flaws.open) return nodes
    for (const node of nodes)
      for (const link of linksOf(topology, node)) {
        const from = topology.neighbor(node, link)
        const channel = topology.channel(from, topology.back(node, link))
        if (flights[channel].length === 0) nodes.add(from)
      }
    return nodes
  }
  return (now, all, isNew) => {
    const sets = positions
      .map((start) => closure(now, start))
      .map((nodes) => all.filter((next) => nodes.has(nodeOf(now, next))))
      .filter(({ length }) => length > 0)
    const smallest = sets.reduce((a, b) => (b.length < a.length ? b : a), all)
    return flaws.endless || smallest.some(isNew) ? smallest : all
  }
}
