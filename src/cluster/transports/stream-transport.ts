import type { Duplex } from 'node:stream'
import type { Link } from '../../core/language/net.ts'
import type { Topology } from '../../core/language/topology.ts'
import { LinkTransport, type LinkTransportLimits, memberLinks } from './link-transport.ts'
import type { Transport } from './transport.ts'

/** One link of a member: one connection that carries both directions. */
export interface MemberLink {
  readonly link: Link
  readonly peer: { readonly position: number; readonly link: Link }
  /** Whether this end opens the connection; otherwise it waits for the other end. */
  readonly connects: boolean
}

/**
 * A connection of two members: bytes in both directions, in order. A TCP socket is one.
 * @internal
 */
export interface PeerStream extends Duplex {
  /** The other side, for logs and limits; not proven. */
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
  /** Closes when everything that was written has left. */
  destroySoon(): void
}

/**
 * Where others call a member, and from where it calls them; `T` is how it finds another one.
 * @internal
 */
export interface Endpoint<T> {
  /**
   * From now on `connected` gets the connections, and closes those that it has no use for.
   * `refused` gets a line for every message or connection that was not accepted.
   */
  accept(connected: (stream: PeerStream) => void, refused: (line: string) => void): void
  /** Emits `connect` when the other side has accepted. */
  dial(to: T): PeerStream
  /** Where another one is, for messages: `at 127.0.0.1:7001`. */
  place(to: T): string
  /** Resolves when all accepted connections are closed. */
  close(): Promise<void>
}

/** Who opens an endpoint by name. */
export interface NamedMember {
  readonly member: string
  /** The name of the cluster, if the transport has none. */
  readonly cluster?: string | undefined
  /** What all members share, if the transport has none. */
  readonly secret?: string | undefined
  readonly insecure?: boolean | undefined
  /** Whether others may dial it; true by default. */
  readonly accepts?: boolean
}

/**
 * Carries the connections of members that know each other by name and not by address. `nats` of
 * conclave/coordinator makes one; `join` and `coordinator` take it.
 */
export interface StreamTransport {
  /** Where it goes through, for messages, without anything secret: `nats://10.0.0.1:4222`. */
  readonly through: string
  readonly cluster: string | undefined
  /** @internal */
  readonly secret: string | undefined
  /** @internal */
  readonly insecure: boolean
  /** @internal */
  open(member: NamedMember): Promise<Endpoint<string>>
}

/** Connects a position of a network to its neighbours, whose names are made of their positions. */
export async function transportThrough(
  through: StreamTransport,
  topology: Topology,
  position: number,
  limits: LinkTransportLimits,
): Promise<Transport> {
  const endpoint = await through.open({ member: positionName(position) })
  const nameOf = ({ peer }: MemberLink) => positionName(peer.position)
  const byLink: Endpoint<MemberLink> = {
    accept: (connected, refused) => endpoint.accept(connected, refused),
    dial: (link) => endpoint.dial(nameOf(link)),
    place: (link) => endpoint.place(nameOf(link)),
    close: () => endpoint.close(),
  }
  return new LinkTransport({ ...limits, endpoint: byLink, links: memberLinks(topology, position) })
}

function positionName(position: number): string {
  return `position-${position}`
}
