import type { Duplex } from 'node:stream'
import type { Topology } from '../../core/language/topology.ts'
import { streamNetwork } from '../mesh/system/stream-network.ts'
import { MeshTransport, type MeshTransportLimits } from './mesh-transport.ts'
import { memberLinks, memberNameAt } from './neighbour.ts'
import type { Transport } from './transport.ts'

/**
 * A connection of two members: bytes in both directions, in order. A TCP socket is one.
 * @internal
 */
export interface PeerStream extends Duplex {
  /** The other side, for logs and limits; not proven. */
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
}

/**
 * Where others call a member, and from where it calls them, by name.
 * @internal
 */
export interface Endpoint {
  /**
   * From now on `connected` gets the connections, and closes those that it has no use for.
   * `refused` gets a line for every message or connection that was not accepted.
   */
  accept(connected: (stream: PeerStream) => void, refused: (line: string) => void): void
  /** Emits `connect` when the other side has accepted. */
  dial(to: string): PeerStream
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
  open(member: NamedMember): Promise<Endpoint>
}

/** Connects a position of a network to its neighbours, whose names are made of their positions. */
export async function transportThrough(
  through: StreamTransport,
  topology: Topology,
  position: number,
  limits: MeshTransportLimits,
): Promise<Transport> {
  const me = memberNameAt(position)
  const endpoint = await through.open({ member: me })
  const network = streamNetwork({ ...through, open: async () => endpoint }, { member: me })
  return new MeshTransport({
    ...limits,
    links: memberLinks(topology, position),
    secret: through.secret,
    network: { ...network, close: () => endpoint.close() },
    listen: { host: me, port: 0 },
    addressOf: memberNameAt,
    place: () => `through ${through.through}`,
  })
}
