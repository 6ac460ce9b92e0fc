import { Malformed } from '../../core/bytes.ts'
import type { Link } from '../../core/net.ts'
import type { Random } from '../../core/random.ts'
import { linksOf, type Topology } from '../../core/topology.ts'
import type { Introduction, Receiver, Transport } from '../transport.ts'

/** Bytes on their way, or the news that the link is broken and why. */
type Parcel = Uint8Array | string

/** One direction of one link: what is under way arrives at `end`, over its link `link`. */
interface Channel {
  readonly end: MemoryTransport
  readonly link: Link
  readonly parcels: Parcel[]
}

/**
 * A network within one process, one transport for each position. Every delivery is a turn of the
 * event loop of its own. With a random source the channels are served in random order, without in
 * the order of sending; each single channel keeps its order in both cases.
 */
export function memoryNetwork(topology: Topology, random?: Random): Transport[] {
  const post = new Post(random)
  const ends = Array.from(
    { length: topology.n },
    (_, node) => new MemoryTransport(post, linksOf(topology, node)),
  )
  for (const [node, end] of ends.entries()) {
    for (const link of end.links) {
      const there = ends[topology.neighbor(node, link)]
      const channel = { end: there, link: topology.back(node, link), parcels: [] }
      end.outgoing.set(link, channel)
      there.incoming.push(channel)
    }
  }
  return ends
}

/** Serves the channels, one parcel a turn. */
class Post {
  /** A channel stands here once for each of its parcels that can be delivered. */
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
    channel.end.take(channel.link, channel.parcels.shift()!)
  }
}

class MemoryTransport implements Transport {
  readonly outgoing = new Map<Link, Channel>()
  readonly incoming: Channel[] = []
  private receiver: Receiver | null = null
  private closed = false
  private readonly broken = new Set<Link>()

  constructor(
    private readonly post: Post,
    readonly links: readonly Link[],
  ) {}

  async open(_self: Introduction, receiver: Receiver): Promise<void> {
    this.receiver = receiver
    for (const channel of this.incoming) {
      for (const _parcel of channel.parcels) this.post.enqueue(channel)
    }
  }

  send(link: Link, bytes: Uint8Array): void {
    if (!this.closed && !this.broken.has(link)) this.dispatch(link, bytes)
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    for (const link of this.links) this.dispatch(link, 'closed by the other side')
  }

  take(link: Link, parcel: Parcel): void {
    if (this.closed || this.broken.has(link)) return
    try {
      if (typeof parcel === 'string') this.break(link, parcel)
      else this.receiver!.received(link, parcel)
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.dispatch(link, 'closed by the other side')
      this.break(link, error.message)
    }
  }

  private break(link: Link, why: string): void {
    this.broken.add(link)
    this.receiver!.down(link, why)
  }

  private dispatch(link: Link, parcel: Parcel): void {
    const channel = this.outgoing.get(link)!
    channel.parcels.push(parcel)
    if (channel.end.receiver !== null) this.post.enqueue(channel)
  }
}
