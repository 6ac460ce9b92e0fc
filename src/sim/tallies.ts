import type { Topology } from '../core/topology.ts'

/** Counts that cost memory per node and per link: kept only on request. */
export class Tallies {
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
}
