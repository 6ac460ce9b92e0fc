import { linksOf, type Topology } from '../../core/language/topology.ts'
import type { Random } from '../../core/runtime/random.ts'
import { overlayOf } from '../gossip/overlay.ts'
import { drawPairs } from '../gossip/pairing.ts'

/** Draws who meets whom: each time a uniformly random directed link. */
export interface LinkSchedule {
  /** The number of directed links that two different nodes can meet over. */
  readonly directed: number
  /** Fills in initiators and responders. */
  draw(initiators: Int32Array, responders: Int32Array): void
  /** Whether all directed links satisfy a condition. */
  every(holds: (initiator: number, responder: number) => boolean): boolean
}

/** The schedule of a network. A complete one stores nothing, and draws as gossip does. */
export function linkSchedule(topology: Topology, random: Random): LinkSchedule {
  const { n } = topology
  if (topology.kind !== 'complete') return new ListedLinks(topology, random)
  const overlay = overlayOf(topology)
  return {
    directed: n * (n - 1),
    draw: (initiators, responders) => drawPairs(n, overlay, random, initiators, responders),
    every(holds) {
      for (let a = 0; a < n; a++)
        for (let b = 0; b < n; b++) if (a !== b && !holds(a, b)) return false
      return true
    },
  }
}

/** Both directions of every link; nobody meets itself on a ring of one node. */
class ListedLinks implements LinkSchedule {
  private readonly from: Int32Array
  private readonly to: Int32Array

  constructor(
    topology: Topology,
    private readonly random: Random,
  ) {
    const [from, to]: [number[], number[]] = [[], []]
    for (let node = 0; node < topology.n; node++)
      for (const link of linksOf(topology, node)) {
        const other = topology.neighbor(node, link)
        if (other === node) continue
        from.push(node)
        to.push(other)
      }
    this.from = Int32Array.from(from)
    this.to = Int32Array.from(to)
  }

  get directed(): number {
    return this.from.length
  }

  draw(initiators: Int32Array, responders: Int32Array): void {
    const { from, to } = this
    this.random.fillBelow(from.length, initiators)
    for (let i = 0; i < initiators.length; i++) {
      const link = initiators[i]
      initiators[i] = from[link]
      responders[i] = to[link]
    }
  }

  every(holds: (initiator: number, responder: number) => boolean): boolean {
    return this.from.every((node, i) => holds(node, this.to[i]))
  }
}
