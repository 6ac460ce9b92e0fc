import { linksOf, type Topology } from '../core/language/topology.ts'

/** Counts that cost memory per node and per link: kept only on request. */
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

  /** Messages over each direction of each link that carried any. */
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
