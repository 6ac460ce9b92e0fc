import { createHash } from 'node:crypto'
import { type FoundInRow, partName, ROW } from '../core/language/aggregate.ts'
import type { Algorithm } from '../core/language/algorithm.ts'
import type { Row } from '../core/language/collections.ts'
import type { Link } from '../core/language/net.ts'
import type { State } from '../core/runtime/state.ts'
import type { AggregateSource } from './aggregate-input.ts'
import { Emitter } from './emitter.ts'
import type { MessageCounts } from './node/message-counter.ts'
import { NodeDriver } from './node/node-driver.ts'
import type { NodeOptions } from './node/node-options.ts'

/** Sends the messages of an aggregate, and says which neighbours are up. */
interface AggregateChannel {
  send(link: Link, tag: number, bytes: Uint8Array): void
  up(link: Link): boolean
}

/** The estimate of a node; null while it has none or waits for the next epoch. */
export function estimateOf({ computes }: Algorithm, state: State): number | null {
  if (computes === null || state.status === 'asleep' || state.standing === 'waiting') return null
  const { aggregate } = computes
  const estimate = aggregate.estimate(
    aggregate.row
      ? (state[ROW] as Row)
      : aggregate.parts.map((_, i) => state[partName(aggregate, i)] as number),
  )
  return Number.isFinite(estimate) ? estimate : null
}

/** What the row of a node says in full; null where it says no more than the estimate. */
export function foundOf({ computes }: Algorithm, state: State): FoundInRow | null {
  if (state.status === 'asleep' || state.standing === 'waiting') return null
  return computes?.aggregate.found?.(state[ROW] as Row) ?? null
}

/** An aggregate of the values of all members, computed by gossip beside their election. */
export class LiveAggregate extends Emitter<{
  /** The estimate changed. */
  change: [estimate: number | null]
  /** An epoch ended with this estimate. */
  epoch: [settled: number | null]
}> {
  /** Identifies the aggregate and its settings: only members with the same tag exchange. */
  readonly tag: number
  private readonly driver: NodeDriver
  private lastEpoch: number | null = null
  private stopped = false

  constructor(
    label: string,
    options: NodeOptions & { readonly aggregateSource: AggregateSource },
    channel: AggregateChannel,
    private readonly onStop: () => void,
  ) {
    super()
    const { algorithm, params } = options
    this.tag = tagOf([label, algorithm.schema, params])
    this.driver = new NodeDriver(options, {
      send: (link, bytes) => channel.send(link, this.tag, bytes),
      up: (link) => channel.up(link),
      run: (step) => this.act(step),
    })
  }

  /** The present estimate of this member; null while it has none. */
  get estimate(): number | null {
    return estimateOf(this.driver.algorithm, this.driver.my)
  }

  /** All that this member knows, where that is more than one number: the list of `top-k`. */
  get found(): FoundInRow | null {
    return foundOf(this.driver.algorithm, this.driver.my)
  }

  /** The estimate at the end of the last epoch; null before that. */
  get settled(): number | null {
    return this.lastEpoch
  }

  get counts(): MessageCounts {
    return this.driver.counts
  }

  /** Leaves, and like a node that crashes takes its share along. The estimate stays. */
  stop(): void {
    this.stopped = true
    this.driver.close()
    this.onStop()
  }

  /** The links of the member are connected. */
  start(): void {
    this.act(() => this.driver.start())
  }

  /** The member has other links from now on. */
  relink(links: readonly Link[]): void {
    for (const link of this.driver.links.filter((known) => !links.includes(known)))
      this.driver.removeLink(link)
    for (const link of links) this.driver.addLink(link)
  }

  /** Throws MalformedBytes unless the bytes are a message. */
  receive(link: Link, bytes: Uint8Array): void {
    this.act(() => this.driver.acceptBytes(link, bytes))
  }

  private act(step: () => void): void {
    if (this.stopped) return
    const { estimate } = this
    const { era, standing } = this.driver.my
    step()
    const { my } = this.driver
    const continued = standing !== 'waiting' && my.standing !== 'waiting'
    if (my.era !== era && continued) {
      this.lastEpoch = estimate
      this.emit('epoch', estimate)
    }
    if (this.estimate !== estimate) this.emit('change', this.estimate)
  }
}

/** Six bytes: short enough for every message, and long enough to avoid collisions. */
function tagOf(what: readonly unknown[]): number {
  return createHash('sha256').update(JSON.stringify(what)).digest().readUIntBE(0, 6)
}
