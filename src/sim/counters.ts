import { linksOf, type Topology } from '../core/language/topology.ts'
import { uidBits, type World } from '../core/language/world.ts'
import { ceilLog2 } from '../core/numbers.ts'

/** Counts the messages that are sent and the bits that theory charges for them. */
export class Counters {
  total = 0
  /** By kind, but for the first: its messages are the rest, which saves an addition for each. */
  private readonly others: Float64Array
  /** Bits charged for every message of a kind, as far as they are the same for all bodies. */
  private readonly charges: readonly number[]
  private variableBits = 0

  constructor(world: World) {
    const { kinds } = world.algorithm
    const idBits = uidBits(world)
    const typeBits = ceilLog2(kinds.length)
    this.others = new Float64Array(kinds.length)
    this.charges = kinds.map(({ codec }) =>
      codec.fixedBits ? typeBits + codec.bits(codec.start(), idBits) : typeBits,
    )
  }

  /** Counts a message and the bits of its body that depend on the values in it. */
  count(kind: number, bits: number): void {
    this.total++
    if (kind > 0) this.others[kind]++
    this.variableBits += bits
  }

  /** The number of messages by kind. */
  get sent(): Float64Array {
    const sent = Float64Array.from(this.others)
    if (sent.length > 0) sent[0] = this.others.reduce((rest, count) => rest - count, this.total)
    return sent
  }

  get bits(): number {
    const { sent } = this
    return this.charges.reduce((sum, charge, kind) => sum + charge * sent[kind], this.variableBits)
  }
}

/** Counts per node and per link. They cost memory and are kept only on request. */
export class LinkCounters {
  readonly sent: Float64Array
  readonly received: Float64Array
  /** By channel: one direction of one link. */
  readonly carried: Float64Array

  constructor(topology: Topology) {
    this.sent = new Float64Array(topology.n)
    this.received = new Float64Array(topology.n)
    this.carried = new Float64Array(topology.channels)
  }

  sending(node: number, channel: number): void {
    this.sent[node]++
    this.carried[channel]++
  }

  /** The number of messages over each direction of each link that carried any. */
  traffic(topology: Topology): { from: number; to: number; messages: number }[] {
    const rows: { from: number; to: number; messages: number }[] = []
    for (let from = 0; from < topology.n; from++) {
      for (const link of linksOf(topology, from)) {
        const messages = this.carried[topology.channel(from, link)]
        if (messages > 0) rows.push({ from, to: topology.neighbor(from, link), messages })
      }
    }
    return rows
  }
}
