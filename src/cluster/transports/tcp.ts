import type { Socket } from 'node:net'
import type { Link } from '../../core/language/net.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { UsageError } from '../../core/usage-error.ts'
import { type Address, addressText } from './address.ts'
import { Connection } from './connection.ts'
import { Connector } from './connector.ts'
import { disagreement, readHello, writeHello } from './handshake.ts'
import type { Listener } from './listener.ts'
import { type TcpLink, TcpLinkState } from './tcp-link.ts'
import type { FrameReceiver, LinkIdentity, Transport } from './transport.ts'

/** The listening socket and the links of a TCP transport, and its limits. */
export interface TcpOptions {
  readonly listener: Listener
  readonly links: readonly TcpLink[]
  /** How long to wait for the neighbours, in milliseconds; 60,000 by default. */
  readonly patience?: number
  /**
   * Broken links are connected again, as often as they break; frames sent meanwhile are lost.
   * Neighbours that are missing when the patience ends are reported as down, and may join later.
   */
  readonly lasting?: boolean
  /** The longest frame that is accepted, in bytes. */
  readonly frameLimit?: number
  /** Time for the handshake of a connection, in milliseconds. */
  readonly handshakeWithin?: number
  readonly log?: (line: string) => void
}

/** The longest pause between two attempts to connect, in milliseconds. */
const PAUSE = { once: 2000, lasting: 200 }

const CLOSED = new Error('The transport was closed before all links were connected.')

/**
 * The links of a position in a network whose members listen on these addresses. The end with the
 * smaller link number opens the connection: on a ring, every member does so over its left link.
 */
export function tcpLinks(
  topology: Topology,
  position: number,
  addresses: readonly Address[],
): TcpLink[] {
  return linksOf(topology, position).map((link) => {
    const there = topology.neighbor(position, link)
    const back = topology.back(position, link)
    return {
      link,
      peer: { position: there, link: back, address: addresses[there] },
      connects: link < back || (link === back && position < there),
    }
  })
}

/** The transport of one member over TCP. */
export function tcpTransport(options: TcpOptions): Transport {
  return new TcpTransport(options)
}

class TcpTransport implements Transport {
  readonly links: readonly Link[]
  private readonly states: ReadonlyMap<Link, TcpLinkState>
  private readonly frameLimit: number
  private readonly within: number
  private readonly patience: number
  private readonly lasting: boolean
  private readonly log: (line: string) => void
  private self!: LinkIdentity
  private receiver!: FrameReceiver
  private phase: 'opening' | 'open' | 'closed' = 'opening'
  private settle = { resolve: () => {}, reject: (_error: Error) => {} }
  private deadline: NodeJS.Timeout | undefined
  private readonly connectors = new Map<Link, Connector>()
  /** Accepted connections before their handshake. */
  private readonly accepted = new Set<Connection>()
  /** Why a link is not connected, as last logged. */
  private readonly problems = new Map<Link, string>()
  private closing: Promise<void> | null = null

  constructor(private readonly options: TcpOptions) {
    const { links, frameLimit = 2 ** 20, handshakeWithin = 5000, patience = 60_000 } = options
    this.links = links.map(({ link }) => link)
    const stateOf = (link: TcpLink) => new TcpLinkState(link, frameLimit, !this.lasting)
    this.lasting = options.lasting ?? false
    this.states = new Map(links.map((link) => [link.link, stateOf(link)]))
    this.frameLimit = frameLimit
    this.within = handshakeWithin
    this.patience = patience
    this.log = options.log ?? (() => {})
  }

  async open(self: LinkIdentity, receiver: FrameReceiver): Promise<void> {
    if (this.closing !== null) throw CLOSED
    this.self = self
    this.receiver = receiver
    const opened = new Promise<void>((resolve, reject) => {
      this.settle = { resolve, reject }
    })
    this.deadline = setTimeout(() => {
      if (this.lasting) this.finishOpening()
      else this.giveUp(this.timeoutError())
    }, this.patience)
    this.options.listener.accept(this.states.size, (socket) => this.accept(socket), this.log)
    for (const state of this.states.values()) if (state.of.connects) this.connect(state)
    this.checkLinks()
    await opened
  }

  send(link: Link, bytes: Uint8Array): void {
    if (bytes.length > this.frameLimit) {
      throw new Error(`a frame of ${bytes.length} bytes exceeds the limit of ${this.frameLimit}`)
    }
    this.states.get(link)?.send(bytes)
  }

  close(): Promise<void> {
    this.closing ??= this.release()
    return this.closing
  }

  private connect(state: TcpLinkState): void {
    const { link, peer } = state.of
    const connector = new Connector({
      address: peer.address,
      mine: { ...this.self, link },
      theirs: { ...this.self, position: peer.position, link: peer.link },
      within: this.within,
      pause: this.lasting ? PAUSE.lasting : PAUSE.once,
      connected: (connection) => this.attach(state, connection),
      failed: (why) => this.reportWaiting(state, why),
      mismatched: (why) => {
        if (this.lasting && this.phase === 'open') return true
        this.log(`${peerName(state)}: ${why}; given up`)
        if (this.phase === 'opening') this.giveUp(mismatchError(state, why))
        else this.abandon(state, why)
        return false
      },
    })
    this.connectors.set(link, connector)
    connector.connect()
  }

  private accept(socket: Socket): void {
    const { remoteAddress: host = 'unknown', remotePort: port = 0 } = socket
    const connection = new Connection(socket, this.within, {
      frame: (bytes) => this.handshake(connection, bytes),
      closed: (why) => {
        this.accepted.delete(connection)
        this.log(`connection from ${addressText({ host, port })} closed: ${why}`)
      },
    })
    this.accepted.add(connection)
  }

  /** Throws if the other side is not a neighbour that this member waits for. */
  private handshake(connection: Connection, bytes: Uint8Array): void {
    const hello = readHello(bytes)
    const { position, link } = hello
    const state = [...this.states.values()].find(
      ({ of: { connects, peer } }) => !connects && peer.position === position && peer.link === link,
    )
    const taken = state !== undefined && (state.connection !== null || state.closed)
    const mismatch = disagreement(hello, this.self)
    // Where another attempt cannot help, the answer tells the other side why.
    if (mismatch !== null || !taken) {
      connection.send(writeHello({ ...this.self, link: state?.of.link ?? link }))
    }
    if (mismatch !== null) throw mismatch
    if (state === undefined) {
      throw new MalformedBytes(
        `position ${position}, link ${link}, is not a neighbour that connects here`,
      )
    }
    if (taken) {
      const why = state.closed ? 'has left the election' : 'is connected already'
      throw new MalformedBytes(`position ${position} ${why}`)
    }
    this.accepted.delete(connection)
    this.attach(state, connection)
  }

  private attach(state: TcpLinkState, connection: Connection): void {
    connection.handOver(
      {
        frame: (bytes) => this.receive(state, bytes),
        closed: (why) => this.linkBroke(state, why),
      },
      this.frameLimit,
    )
    this.problems.delete(state.of.link)
    state.attach(connection)
    // Frames that came with the handshake are handled first: they may break the link again.
    queueMicrotask(() => this.checkLinks())
  }

  private receive(state: TcpLinkState, bytes: Uint8Array): void {
    if (bytes.length === 0) {
      state.leaving = true
      return
    }
    this.receiver.received(state.of.link, bytes)
    state.received += bytes.length
    if (this.phase === 'opening' && state.received > this.frameLimit) state.connection?.pause()
  }

  private linkBroke(state: TcpLinkState, why: string): void {
    state.connection = null
    if (this.phase === 'opening' || this.lasting) {
      // Until all links are connected the receiver only buffers frames, and discards them now.
      state.received = 0
      state.leaving = false
      this.receiver.down(state.of.link, why)
    } else if (!state.awaitReconnect(this.patience, () => this.abandon(state, why))) {
      this.abandon(state, why)
      return
    }
    this.reportWaiting(state, why)
    this.connectors.get(state.of.link)?.retry(why)
  }

  /** Logs why a link is not connected, and repeats it only if the reason changes. */
  private reportWaiting(state: TcpLinkState, why: string): void {
    const { link } = state.of
    if (this.problems.get(link) !== why) this.log(`waiting for ${peerName(state)}: ${why}`)
    this.problems.set(link, why)
  }

  private abandon(state: TcpLinkState, why: string): void {
    state.close()
    void this.connectors.get(state.of.link)?.stop()
    this.receiver.down(state.of.link, why)
  }

  private checkLinks(): void {
    const states = [...this.states.values()]
    if (this.phase !== 'opening' || states.some(({ connection }) => connection === null)) return
    this.finishOpening()
  }

  private finishOpening(): void {
    this.phase = 'open'
    clearTimeout(this.deadline)
    for (const { connection, of } of this.states.values()) {
      if (connection !== null) connection.resume()
      else this.receiver.down(of.link, this.problems.get(of.link) ?? 'no connection')
    }
    this.settle.resolve()
  }

  private giveUp(error: Error): void {
    this.settle.reject(error)
    void this.close()
  }

  private async release(): Promise<void> {
    this.phase = 'closed'
    clearTimeout(this.deadline)
    this.settle.reject(CLOSED)
    const states = [...this.states.values()]
    for (const state of states) state.close()
    await Promise.all([
      this.options.listener.close(),
      ...[...this.connectors.values()].map((connector) => connector.stop()),
      ...[...this.accepted].map((connection) => connection.destroy()),
      ...states.map(({ connection }) => connection?.finish()),
    ])
  }

  private timeoutError(): UsageError {
    const missing = [...this.states.values()]
      .filter(({ connection }) => connection === null)
      .map((state) =>
        state.of.connects
          ? `${peerName(state)} did not answer (${this.problems.get(state.of.link) ?? 'no answer'})`
          : `${peerName(state)} did not connect`,
      )
    return new UsageError(
      `position ${this.self.position}`,
      `gave up after ${this.patience / 1000} s: ${missing.join(', ')}.`,
      'Start the missing members, or wait longer.',
    )
  }
}

function peerName({ of: { peer } }: TcpLinkState): string {
  return `position ${peer.position} at ${addressText(peer.address)}`
}

function mismatchError(state: TcpLinkState, why: string): UsageError {
  return new UsageError(
    peerName(state),
    `this member belongs to another election: ${why}.`,
    'Start all members with the same network, algorithm and settings.',
  )
}
