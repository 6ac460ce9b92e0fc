import type { Socket } from 'node:net'
import type { Topology } from '../../core/language/topology.ts'
import { refuseShortSecret } from '../mesh/mesh-options.ts'
import type { Network, Stream, StreamServer } from '../mesh/stream.ts'
import { systemNetwork } from '../mesh/system/system-network.ts'
import { type Address, addressText } from './address.ts'
import { CLUSTER, MeshTransport, type MeshTransportLimits } from './mesh-transport.ts'
import { type MemberLink, memberLinks } from './neighbour.ts'
import type { Transport } from './transport.ts'

/** Connections that may wait until the transport is opened: the oldest gives way. */
const WAITING = 64

/** A listening socket of one member. */
export class Listener {
  /** Connections that arrived before the transport was opened. */
  private readonly waiting: Stream[] = []
  private accepted: (stream: Stream) => void = (stream) => {
    if (this.waiting.push(stream) > WAITING) this.waiting.shift()?.destroy()
  }
  private dropped: (remote: string, why?: string) => void = () => {}
  private server!: StreamServer
  private readonly dialled = new Set<Socket>()
  private readonly system: Network

  private constructor(readonly secret: string | undefined) {
    const shared = secret === undefined ? null : { secret, cluster: CLUSTER }
    this.system = systemNetwork(shared, (socket) => {
      this.dialled.add(socket)
      socket.once('close', () => this.dialled.delete(socket))
    })
  }

  /**
   * Listens on an address; port 0 is any free port, and `address` has its number. With a secret,
   * which all members share, connections are encrypted, and those of others are refused.
   */
  static async at(wanted: Address, secret?: string): Promise<Listener> {
    refuseShortSecret(secret)
    const listener = new Listener(secret)
    listener.server = await listener.system.listen(
      wanted,
      (stream) => listener.accepted(stream),
      (remote, why) => listener.dropped(remote, why),
    )
    return listener
  }

  get address(): Address {
    return this.server.address
  }

  /**
   * A network whose server is this listener.
   * @internal
   */
  get network(): Network {
    return {
      ...this.system,
      listen: async (_address, accepted, dropped) => {
        this.accepted = accepted
        this.dropped = dropped ?? (() => {})
        for (const stream of this.waiting.splice(0)) accepted(stream)
        return { address: this.address, close: async () => {} }
      },
      close: () => this.close(),
    }
  }

  /** Resolves when all connections are closed. */
  async close(): Promise<void> {
    for (const stream of this.waiting.splice(0)) stream.destroy()
    const open = [...this.dialled].map(
      (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
    )
    await Promise.all([this.server.close(), ...open])
  }
}

/** A link over TCP. */
export interface TcpLink extends MemberLink {
  readonly peer: MemberLink['peer'] & { readonly address: Address }
}

/** The listening socket and the links of a TCP transport, and its limits. */
export interface TcpOptions extends MeshTransportLimits {
  readonly listener: Listener
  readonly links: readonly TcpLink[]
}

/** The links of a position in a network whose members listen on these addresses. */
export function tcpLinks(
  topology: Topology,
  position: number,
  addresses: readonly Address[],
): TcpLink[] {
  return memberLinks(topology, position).map((link) => {
    const { peer } = link
    return { ...link, peer: { ...peer, address: addresses[peer.position] } }
  })
}

/** The transport of one member over TCP. */
export function tcpTransport({ listener, ...options }: TcpOptions): Transport {
  const addresses = new Map(
    options.links.map(({ peer }) => [peer.position, addressText(peer.address)]),
  )
  return new MeshTransport({
    ...options,
    network: listener.network,
    secret: listener.secret,
    listen: listener.address,
    addressOf: (position) => addresses.get(position)!,
    place: (position) => `at ${addresses.get(position)}`,
  })
}
