import { linksOf, type Topology } from '../../core/language/topology.ts'
import { ByteWriter } from '../../core/runtime/bytes.ts'
import type { Random } from '../../core/runtime/random.ts'
import type { State, StateLayout } from '../../core/runtime/state.ts'
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

/** States are numbered up to here; the last number stands for all others. */
const NUMBERED = 255
const WIDTH = 256

/**
 * Remembers which pairs of states change nothing when they meet: nearly all meetings of a
 * population protocol do not. What a meeting does depends on the two states alone, so leaving the
 * handlers out changes no run.
 */
export class SilentPairs {
  /** By node: the number of its state. */
  readonly numbers: Uint8Array
  /** By the numbers of initiator and responder: 1 where their meeting is known to do nothing. */
  readonly silent = new Uint8Array(WIDTH * WIDTH)
  private readonly known = new Map<string, number>()
  private readonly writer = new ByteWriter()

  constructor(
    n: number,
    private readonly layout: StateLayout,
  ) {
    this.numbers = new Uint8Array(n)
  }

  /** The state of a node may have changed; returns whether it has. */
  update(node: number, state: Readonly<State>): boolean {
    const before = this.numbers[node]
    const now = this.numberOf(state)
    this.numbers[node] = now
    return now !== before || now === NUMBERED
  }

  /** The meeting of two nodes in these states has changed nothing, and would not another time. */
  remember(initiator: number, responder: number): void {
    const [a, b] = [this.numbers[initiator], this.numbers[responder]]
    if (a !== NUMBERED && b !== NUMBERED) this.silent[a * WIDTH + b] = 1
  }

  /** Whether no meeting can change anything any more, as far as is known. */
  isSilent(schedule: LinkSchedule, complete: boolean): boolean {
    const { numbers, silent } = this
    if (!complete) return schedule.every((a, b) => silent[numbers[a] * WIDTH + numbers[b]] === 1)
    const counts = new Int32Array(WIDTH)
    for (let node = 0; node < numbers.length; node++) counts[numbers[node]]++
    const present = [...counts.keys()].filter((state) => counts[state] > 0)
    return present.every((a) =>
      present.every((b) => (a === b && counts[a] === 1) || silent[a * WIDTH + b] === 1),
    )
  }

  private numberOf(state: Readonly<State>): number {
    this.layout.write(this.writer, state as State)
    const key = this.writer.take().join()
    const known = this.known.get(key)
    if (known !== undefined) return known
    const next = this.known.size
    if (next >= NUMBERED) return NUMBERED
    this.known.set(key, next)
    return next
  }
}
