import { connect, type Socket } from 'node:net'
import type { Topology } from '../../core/language/topology.ts'
import { type Address, addressText } from './address.ts'
import { LinkTransport, type LinkTransportLimits, memberLinks } from './link-transport.ts'
import { type Listener, SOCKET_OPTIONS } from './listener.ts'
import type { Endpoint, MemberLink, PeerStream } from './stream-transport.ts'
import type { Transport } from './transport.ts'

/** A link over TCP. */
export interface TcpLink extends MemberLink {
  readonly peer: MemberLink['peer'] & { readonly address: Address }
}

/** The listening socket and the links of a TCP transport, and its limits. */
export interface TcpOptions extends LinkTransportLimits {
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
  const endpoint: Endpoint<TcpLink> = {
    accept: (connected, refused) => listener.accept(connected, refused),
    dial: ({ peer }) => dial(peer.address),
    place: ({ peer }) => `at ${addressText(peer.address)}`,
    close: () => listener.close(),
  }
  return new LinkTransport({ ...options, endpoint })
}

function dial(address: Address): PeerStream {
  const socket = connect({ ...address, ...SOCKET_OPTIONS })
  socket.once('connect', () => {
    if (isSelfConnection(socket)) socket.destroy(new Error('connection refused'))
  })
  return socket
}

/**
 * A connection to a free port of this machine may by chance use the same port as its source. TCP
 * then connects the socket to itself.
 */
function isSelfConnection(socket: Socket): boolean {
  const { localPort, remotePort, localAddress, remoteAddress } = socket
  return localPort === remotePort && localAddress === remoteAddress
}
