import type { Link } from '../../core/language/net.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import type { Random } from '../../core/runtime/random.ts'
import { memberLinks } from './neighbour.ts'
import type { FrameReceiver, LinkIdentity, Transport } from './transport.ts'

/** A frame in flight, the reason why the link broke, or null: it is connected again. */
type MemoryParcel = Uint8Array | string | null

/** One direction of a link: parcels in flight arrive at `end`, over its link `link`. */
interface Channel {
  readonly end: MemoryEnd
  readonly link: Link
  readonly parcels: MemoryParcel[]
  /** Whether everything sent is lost. */
  mute: boolean
}

/** A transport whose links tests can break. Opened again after `close` it is a restarted member. */
export interface MemoryTransport extends Transport {
  /** Breaks the connection: parcels in flight are lost, and both ends see the link go down. */
  cut(link: Link): void
  /** Loses everything from now on without a notice, as if the other process was suspended. */
  mute(link: Link): void
  /** Undoes `cut` and `mute`. */
  mend(link: Link): void
}

/**
 * A network within one process, one transport for each position. Every delivery is a
 * separate turn of the event loop. Channels are served in random order if a random source is given,
 * and else in the order of sending; each channel is FIFO in both cases.
 */
export function memoryNetwork(topology: Topology, random?: Random): MemoryTransport[] {
  const queue = new DeliveryQueue(random)
  const ends = Array.from(
    { length: topology.n },
    (_, node) => new MemoryEnd(queue, linksOf(topology, node)),
  )
  for (const [node, end] of ends.entries()) {
    for (const { link, peer } of memberLinks(topology, node)) {
      const there = ends[peer.position]
      const channel = { end: there, link: peer.link, parcels: [], mute: false }
      end.outgoing.set(link, channel)
      there.incoming.push(channel)
    }
  }
  return ends
}

/** Delivers one parcel in each turn of the event loop. */
class DeliveryQueue {
  /** Holds a channel once for each of its parcels that can be delivered. */
  private readonly due: Channel[] = []

  constructor(private readonly random: Random | undefined) {}

  enqueue(channel: Channel): void {
    this.due.push(channel)
    if (this.due.length === 1) setImmediate(() => this.deliver())
  }

  private deliver(): void {
    const chosen = this.random?.below(this.due.length) ?? 0
    const [channel] = this.due.splice(chosen, 1)
    if (this.due.length > 0) setImmediate(() => this.deliver())
    const parcel = channel.parcels.shift()
    if (parcel !== undefined) channel.end.take(channel.link, parcel)
  }
}

class MemoryEnd implements MemoryTransport {
  readonly outgoing = new Map<Link, Channel>()
  readonly incoming: Channel[] = []
  private receiver: FrameReceiver | null = null
  private closed = false
  readonly broken = new Set<Link>()

  constructor(
    private readonly queue: DeliveryQueue,
    readonly links: readonly Link[],
  ) {}

  async open(_self: LinkIdentity, receiver: FrameReceiver): Promise<void> {
    this.receiver = receiver
    for (const channel of this.incoming) {
      for (const _parcel of channel.parcels) this.queue.enqueue(channel)
    }
    if (this.closed) this.reopen()
  }

  send(link: Link, bytes: Uint8Array): void {
    if (!this.closed && !this.broken.has(link)) this.dispatch(link, bytes)
  }

  /** Frames in flight are lost and both ends see the link go down, but it is not broken. */
  drop(link: Link, why: string): void {
    if (this.closed || this.broken.has(link)) return
    for (const { parcels } of this.bothWays(link)) parcels.length = 0
    const { end, link: back, mute } = this.outgoing.get(link)!
    this.receiver?.down(link, why)
    if (!mute) end.receiver?.down(back, 'closed by the other side')
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    for (const link of this.outgoing.keys()) this.dispatch(link, 'closed by the other side')
  }

  cut(link: Link): void {
    const { end, link: back } = this.outgoing.get(link)!
    for (const [one, its] of [
      [this, link],
      [end, back],
    ] as const) {
      one.outgoing.get(its)!.parcels.length = 0
      one.break(its, 'cut')
    }
  }

  mute(link: Link): void {
    for (const channel of this.bothWays(link)) channel.mute = true
  }

  mend(link: Link): void {
    for (const channel of this.bothWays(link)) {
      channel.mute = false
      channel.end.broken.delete(channel.link)
    }
  }

  take(link: Link, parcel: MemoryParcel): void {
    if (this.closed || (this.broken.has(link) && parcel !== null)) return
    try {
      if (parcel === null) this.broken.delete(link)
      else if (typeof parcel === 'string') this.break(link, parcel)
      else this.receiver!.received(link, parcel)
    } catch (error) {
      if (!(error instanceof MalformedBytes)) throw error
      this.dispatch(link, 'closed by the other side')
      this.break(link, error.message)
    }
  }

  private reopen(): void {
    this.closed = false
    this.broken.clear()
    for (const link of this.outgoing.keys()) {
      const { end } = this.outgoing.get(link)!
      if (end.closed) this.break(link, 'the member is closed')
      else this.dispatch(link, null)
    }
  }

  private bothWays(link: Link): Channel[] {
    const there = this.outgoing.get(link)!
    return [there, there.end.outgoing.get(there.link)!]
  }

  break(link: Link, why: string): void {
    this.broken.add(link)
    this.receiver?.down(link, why)
  }

  private dispatch(link: Link, parcel: MemoryParcel): void {
    const channel = this.outgoing.get(link)!
    if (channel.mute) return
    channel.parcels.push(parcel)
    if (channel.end.receiver !== null) this.queue.enqueue(channel)
  }
}
