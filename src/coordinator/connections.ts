import { Mesh } from '../cluster/mesh/mesh.ts'
import type { MeshOptions } from '../cluster/mesh/mesh-options.ts'
import type { MeshListener, PeerInfo } from '../cluster/mesh/peer.ts'
import { type Address, parseAddress } from '../cluster/transports/address.ts'
import { MalformedBytes } from '../core/runtime/bytes.ts'
import type { Environment } from './environment.ts'
import type { RunningNode } from './running-node.ts'

/** What is done with frames, by their first byte. Errors end the connection. */
export type FrameHandlers = Readonly<Record<number, (member: string, bytes: Uint8Array) => void>>

/** The connections of a node, and what arrives over them. */
export class Connections {
  /** Who is connected. */
  readonly peers = new Map<string, PeerInfo>()
  /** Those that have said which roles they have: only they are up. */
  private readonly greeted = new Set<string>()
  private mesh: Mesh | null = null

  constructor(
    private readonly node: RunningNode,
    private readonly environment: Environment,
    private readonly handlers: FrameHandlers,
  ) {}

  /** Listens. */
  async open(): Promise<void> {
    this.mesh = await Mesh.open(this.options(), this.environment, this.listener())
  }

  async close(): Promise<void> {
    await this.mesh?.close()
    await this.environment.network.close?.()
  }

  dial(peers: ReadonlyMap<string, string>): void {
    this.mesh?.dial(peers)
  }

  send(member: string, bytes: Uint8Array): void {
    this.node.beats.spoken(member)
    this.mesh?.send(member, bytes)
  }

  broadcast(bytes: Uint8Array): void {
    for (const member of this.peers.keys()) this.send(member, bytes)
  }

  drop(member: string, why: string): void {
    this.mesh?.drop(member, why)
  }

  isUp(member: string): boolean {
    return this.greeted.has(member)
  }

  /** A node has said which roles it has. */
  greetedBy(member: string): void {
    if (this.greeted.has(member) || !this.peers.has(member)) return
    this.greeted.add(member)
    this.node.peerChanged(member, true, '')
  }

  private options(): MeshOptions {
    const { cluster, me, incarnation, options, timing } = this.node
    const { observe, listen, addresses, tls, secret, insecure, fast = true } = options
    const { lease, limit, drift } = timing
    const own = addresses[me]?.address
    return {
      cluster,
      member: me,
      incarnation,
      lease,
      limit,
      drift,
      fast,
      kind: observe ? 'observer' : 'member',
      listen: observe ? null : this.listenAddress(listen ?? own),
      ...(own !== undefined && !observe && { advertised: own }),
      version: () => this.node.membership.version,
      knows: (member) => this.node.links.has(member),
      security: {
        tls: tls !== undefined,
        ...(secret !== undefined && { secret }),
        ...(insecure !== undefined && { insecure }),
      },
      log: (line) => this.node.log.info('network', line),
    }
  }

  private listenAddress(text: string): Address {
    return this.environment.network.byName ? { host: text, port: 0 } : parseAddress(text)
  }

  private listener(): MeshListener {
    const { node } = this
    return {
      up: (member, peer) => {
        this.peers.set(member, peer)
        node.beats.up(member)
        this.send(member, node.roles.greeting())
        node.membership.up(member, peer)
        node.found(peer)
      },
      down: (member, why, ended) => {
        const peer = this.peers.get(member)
        this.peers.delete(member)
        node.beats.down(member)
        node.membership.down(member)
        const greeted = this.greeted.delete(member)
        if (greeted) node.peerChanged(member, false, why)
        // Who has not greeted may have given up the handshake, and may be alive.
        if (peer !== undefined) node.lost(peer, ended && greeted)
      },
      received: (member, bytes) => {
        node.beats.heard(member)
        this.handle(member, bytes)
      },
      refused: ({ reason }) => node.counted.refused({ reason }),
    }
  }

  /** Handles a frame that had to wait, unless its connection is gone. */
  deliver(member: string, peer: PeerInfo | undefined, bytes: Uint8Array): void {
    if (peer === undefined || this.peers.get(member) !== peer) return
    try {
      this.handle(member, bytes)
    } catch (error) {
      this.drop(member, (error as Error).message)
    }
  }

  /** Whatever a peer sends may end its connection, never this node. */
  private handle(member: string, bytes: Uint8Array): void {
    const handler = this.handlers[bytes[0]]
    if (handler === undefined) throw new MalformedBytes(`a frame that begins with ${bytes[0]}`)
    try {
      handler(member, bytes)
    } catch (error) {
      throw error instanceof MalformedBytes ? error : new MalformedBytes((error as Error).message)
    }
  }
}
