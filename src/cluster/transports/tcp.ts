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

export interface TcpOptions {
  readonly listener: Listener
  readonly links: readonly TcpLink[]
  /** How long to wait for a neighbour, in milliseconds. */
  readonly patience?: number
  /**
   * Links that break are made anew, as often as they break, and what is sent meanwhile is gone.
   * Who is still missing when patience ends is told as down, and may come later.
   */
  readonly lasting?: boolean
  /** The longest frame that is taken, in bytes. */
  readonly frameLimit?: number
  /** How long a connection may take to say who it is, in milliseconds. */
  readonly handshakeWithin?: number
  readonly log?: (line: string) => void
}

/** The longest pause between two calls, in milliseconds: short where links come and go. */
const PAUSE = { once: 2000, lasting: 200 }

const CLOSED = new Error('The transport was closed before all links stood.')

/**
 * The links of a position in a network whose members listen at these addresses. Of the two ends the
 * one with the smaller link number calls, so that on a ring everybody calls over its left link.
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
      dials: link < back || (link === back && position < there),
    }
  })
}

export function tcpTransport(options: TcpOptions): Transport {
  return new TcpTransport(options)
}

class TcpTransport implements Transport {
  readonly links: readonly Link[]
  private readonly lines: ReadonlyMap<Link, TcpLinkState>
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
  private readonly diallers = new Map<Link, Connector>()
  /** Those that called and have not said yet who they are. */
  private readonly callers = new Set<Connection>()
  /** Why a link does not stand, as last told. */
  private readonly troubles = new Map<Link, string>()
  private closing: Promise<void> | null = null

  constructor(private readonly options: TcpOptions) {
    const { links, frameLimit = 2 ** 20, handshakeWithin = 5000, patience = 60_000 } = options
    this.links = links.map(({ link }) => link)
    const line = (link: TcpLink) => new TcpLinkState(link, frameLimit, !this.lasting)
    this.lasting = options.lasting ?? false
    this.lines = new Map(links.map((link) => [link.link, line(link)]))
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
      if (this.lasting) this.begin()
      else this.giveUp(this.impatience())
    }, this.patience)
    this.options.listener.answer(this.lines.size, (socket) => this.answer(socket), this.log)
    for (const line of this.lines.values()) if (line.of.dials) this.call(line)
    this.look()
    await opened
  }

  send(link: Link, bytes: Uint8Array): void {
    if (bytes.length > this.frameLimit) {
      throw new Error(`a frame of ${bytes.length} bytes, where ${this.frameLimit} is the limit`)
    }
    this.lines.get(link)?.send(bytes)
  }

  close(): Promise<void> {
    this.closing ??= this.release()
    return this.closing
  }

  private call(line: TcpLinkState): void {
    const { link, peer } = line.of
    const dialler = new Connector({
      address: peer.address,
      mine: { ...this.self, link },
      theirs: { ...this.self, position: peer.position, link: peer.link },
      within: this.within,
      pause: this.lasting ? PAUSE.lasting : PAUSE.once,
      answered: (connection) => this.stand(line, connection),
      failed: (why) => this.wait(line, why),
      mismatched: (why) => {
        if (this.lasting && this.phase === 'open') return true
        this.log(`${place(line)}: ${why}; given up`)
        if (this.phase === 'opening') this.giveUp(unfit(line, why))
        else this.forsake(line, why)
        return false
      },
    })
    this.diallers.set(link, dialler)
    dialler.dial()
  }

  private answer(socket: Socket): void {
    const { remoteAddress: host = 'somebody', remotePort: port = 0 } = socket
    const connection = new Connection(socket, this.within, {
      frame: (bytes) => this.meet(connection, bytes),
      closed: (why) => {
        this.callers.delete(connection)
        this.log(`caller ${addressText({ host, port })}: ${why}; connection closed`)
      },
    })
    this.callers.add(connection)
  }

  /** Throws where the caller is none that this member waits for. */
  private meet(connection: Connection, bytes: Uint8Array): void {
    const hello = readHello(bytes)
    const { position, link } = hello
    const line = [...this.lines.values()].find(
      ({ of: { dials, peer } }) => !dials && peer.position === position && peer.link === link,
    )
    const taken = line !== undefined && (line.connection !== null || line.closed)
    const mismatch = disagreement(hello, this.self)
    // Where calling again cannot help, the answer lets the caller see why.
    if (mismatch !== null || !taken) {
      connection.send(writeHello({ ...this.self, link: line?.of.link ?? link }))
    }
    if (mismatch !== null) throw mismatch
    if (line === undefined) {
      throw new MalformedBytes(
        `position ${position} over its link ${link} has no reason to call here`,
      )
    }
    if (taken) {
      const why = line.closed ? 'has left the election' : 'is connected already'
      throw new MalformedBytes(`position ${position} ${why}`)
    }
    this.callers.delete(connection)
    this.stand(line, connection)
  }

  private stand(line: TcpLinkState, connection: Connection): void {
    connection.hand(
      {
        frame: (bytes) => this.receive(line, bytes),
        closed: (why) => this.lose(line, why),
      },
      this.frameLimit,
    )
    this.troubles.delete(line.of.link)
    line.stand(connection)
    // What came in with the handshake is looked at first: it may break the link again.
    queueMicrotask(() => this.look())
  }

  private receive(line: TcpLinkState, bytes: Uint8Array): void {
    if (bytes.length === 0) {
      line.farewell = true
      return
    }
    this.receiver.received(line.of.link, bytes)
    line.received += bytes.length
    if (this.phase === 'opening' && line.received > this.frameLimit) line.connection?.pause()
  }

  private lose(line: TcpLinkState, why: string): void {
    line.connection = null
    if (this.phase === 'opening' || this.lasting) {
      // Until all links stand the receiver only keeps what comes over it, and forgets it now.
      line.received = 0
      line.farewell = false
      this.receiver.down(line.of.link, why)
    } else if (!line.mend(this.patience, () => this.forsake(line, why))) {
      this.forsake(line, why)
      return
    }
    this.wait(line, why)
    this.diallers.get(line.of.link)?.retry(why)
  }

  /** Says once what is missing; the same again is no news. */
  private wait(line: TcpLinkState, why: string): void {
    const { link } = line.of
    if (this.troubles.get(link) !== why) this.log(`waiting for ${place(line)}: ${why}`)
    this.troubles.set(link, why)
  }

  private forsake(line: TcpLinkState, why: string): void {
    line.close()
    void this.diallers.get(line.of.link)?.stop()
    this.receiver.down(line.of.link, why)
  }

  private look(): void {
    const lines = [...this.lines.values()]
    if (this.phase !== 'opening' || lines.some(({ connection }) => connection === null)) return
    this.begin()
  }

  private begin(): void {
    this.phase = 'open'
    clearTimeout(this.deadline)
    for (const { connection, of } of this.lines.values()) {
      if (connection !== null) connection.resume()
      else this.receiver.down(of.link, this.troubles.get(of.link) ?? 'nobody has called')
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
    const lines = [...this.lines.values()]
    for (const line of lines) line.close()
    await Promise.all([
      this.options.listener.close(),
      ...[...this.diallers.values()].map((dialler) => dialler.stop()),
      ...[...this.callers].map((connection) => connection.cut()),
      ...lines.map(({ connection }) => connection?.finish()),
    ])
  }

  private impatience(): UsageError {
    const missing = [...this.lines.values()]
      .filter(({ connection }) => connection === null)
      .map((line) => {
        const trouble = this.troubles.get(line.of.link) ?? 'no answer'
        return line.of.dials
          ? `${place(line)} did not answer (${trouble})`
          : `${place(line)} did not call`
      })
    return new UsageError(
      `position ${this.self.position}`,
      `all neighbours within ${this.patience} ms, but ${missing.join(' and ')}.`,
      'Start the missing members, or wait longer.',
    )
  }
}

function place({ of: { peer } }: TcpLinkState): string {
  return `position ${peer.position} at ${addressText(peer.address)}`
}

function unfit(line: TcpLinkState, why: string): UsageError {
  return new UsageError(
    place(line),
    `a neighbour in the same election, but ${why}.`,
    'Start all members with the same ring and the same algorithm.',
  )
}
