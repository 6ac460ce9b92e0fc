import { createHash } from 'node:crypto'
import { aggregateFieldName } from '../core/language/aggregate.ts'
import type { Algorithm } from '../core/language/algorithm.ts'
import type { Link } from '../core/language/net.ts'
import type { State } from '../core/runtime/state.ts'
import type { AggregateSource } from './aggregate-input.ts'
import { Emitter } from './emitter.ts'
import type { MemberOptions } from './member-options.ts'
import { type MessageCounts, NodeDriver } from './node-driver.ts'
import { Wire } from './wire.ts'

/** How the estimates of an aggregate are carried to the neighbours, and who of them is there. */
interface Carrier {
  send(link: Link, tag: number, bytes: Uint8Array): void
  up(link: Link): boolean
}

/** What a node takes for the result; null while it has none, or waits for the next epoch. */
export function estimateOf({ computes }: Algorithm, state: State): number | null {
  if (computes === null || state.status === 'asleep' || state.standing === 'waiting') return null
  const { aggregate } = computes
  const estimate = aggregate.estimate(
    aggregate.parts.map((_, i) => state[aggregateFieldName(i)] as number),
  )
  return Number.isFinite(estimate) ? estimate : null
}

/** A function of what all members bring, computed beside their election as long as they stay. */
export class LiveAggregate extends Emitter<{
  /** The estimate is another. */
  change: [estimate: number | null]
  /** An epoch has ended, with this. */
  epoch: [settled: number | null]
}> {
  /** The same number where the same is computed in the same way: only such members exchange. */
  readonly tag: number
  private readonly station: NodeDriver
  private readonly wire: Wire
  private last: number | null = null
  private over = false

  constructor(
    label: string,
    options: MemberOptions & { readonly brings: AggregateSource },
    carrier: Carrier,
    private readonly left: () => void,
  ) {
    super()
    const { algorithm, params } = options
    this.tag = tagOf([label, algorithm.schema, params])
    this.wire = new Wire(algorithm, false)
    this.station = new NodeDriver(options, {
      send: (link, kind, body) =>
        carrier.send(link, this.tag, this.wire.write({ type: 'message', kind, body })),
      alarm: (alarm) => this.act(() => this.station.sound(alarm)),
      up: (link) => carrier.up(link),
      announce: () => {},
    })
  }

  /** What this member takes for the result now; null while it has no idea. */
  get estimate(): number | null {
    return estimateOf(this.station.algorithm, this.station.my)
  }

  /** What it was when the last epoch ended: it does not begin anew. Null before that. */
  get settled(): number | null {
    return this.last
  }

  get counts(): MessageCounts {
    return this.station.counts
  }

  /** Leaves; like one that dies it takes its share along. The estimate stays what it was. */
  stop(): void {
    this.over = true
    this.station.silence()
    this.left()
  }

  /** The links of the member stand. */
  begin(): void {
    this.act(() => this.station.start())
  }

  /** Throws Malformed where the bytes are no message. */
  hear(link: Link, bytes: Uint8Array): void {
    const frame = this.wire.read(bytes)
    if (frame.type === 'message') this.act(() => this.station.accept(link, frame.kind, frame.body))
  }

  private act(step: () => void): void {
    if (this.over) return
    const { estimate } = this
    const { era, standing } = this.station.my
    step()
    const { my } = this.station
    const continued = standing !== 'waiting' && my.standing !== 'waiting'
    if (my.era !== era && continued) {
      this.last = estimate
      this.emit('epoch', estimate)
    }
    if (this.estimate !== estimate) this.emit('change', this.estimate)
  }
}

/** Few enough bytes to go with each message, and too many for two to be the same by chance. */
function tagOf(what: readonly unknown[]): number {
  return createHash('sha256').update(JSON.stringify(what)).digest().readUIntBE(0, 6)
}
