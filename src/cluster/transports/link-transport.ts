import { randomBytes } from 'node:crypto'
import type { Link } from '../../core/language/net.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { UsageError } from '../../core/usage-error.ts'
import { DEFAULT_TIMING } from '../timing.ts'
import type { Connection, ConnectionLimits } from './connection.ts'
import { Connector, compareWith } from './connector.ts'
import { CountingLog } from './counting-log.ts'
import { disagreement, readHello, writeHello } from './handshake.ts'
import { LinkState } from './link-state.ts'
import { PendingConnections } from './pending-connections.ts'
import type { Endpoint, MemberLink } from './stream-transport.ts'
import type { FrameReceiver, LinkIdentity, Transport } from './transport.ts'

/** The limits of a transport with one connection for each link. */
export interface LinkTransportLimits {
  /** How long to wait for the neighbours, in milliseconds: 60,000, or 500 for lasting links. */
  readonly patience?: number
  /**
   * Broken links are connected again, as often as they break; frames sent meanwhile are lost.
   * Neighbours that are missing when the patience ends are reported as down, and may join later.
   */
  readonly lasting?: boolean
  /** The longest frame that is accepted, in bytes. */
  readonly frameLimit?: number
  /** Time for a neighbour to accept a connection: 5,000 ms, or 500 for lasting links. */
  readonly connectWithin?: number
  /** Time for the handshake from there: 5,000 ms, or for lasting links 1,000 if that is longer. */
  readonly handshakeWithin?: number
  readonly log?: (line: string) => void
}

/** @internal */
interface LinkTransportOptions<L extends MemberLink> extends LinkTransportLimits {
  readonly endpoint: Endpoint<L>
  readonly links: readonly L[]
}

/** The longest pause between two attempts to connect, in milliseconds. */
const PAUSE = { once: 2000, lasting: 200 }

/**
 * The output that may wait for a neighbour that does not read. One that has not opened all its
 * links yet stops reading: where every frame must arrive, the limit is the larger one.
 */
const OUTPUT = {
  once: { output: 2 ** 24, stalled: Infinity },
  lasting: { output: 2 ** 21, stalled: 2000 },
}

/** The shortest time between two comparisons with the neighbours, in milliseconds. */
const COMPARE_PAUSE = 1000

const CLOSED = new Error('The transport was closed before all links were connected.')

/**
 * The links of a position in a network. The end with the smaller link number opens the connection:
 * on a ring, every member does so over its left link.
 */
export function memberLinks(topology: Topology, position: number): MemberLink[] {
  return linksOf(topology, position).map((link) => {
    const there = topology.neighbor(position, link)
    const back = topology.back(position, link)
    return {
      link,
      peer: { position: there, link: back },
      connects: link < back || (link === back && position < there),
    }
  })
}

/**
 * A transport with one connection for each link, whatever carries it: sockets, or NATS.
 * @internal
 */
export class LinkTransport<L extends MemberLink> implements Transport {
  readonly links: readonly Link[]
  private readonly states: ReadonlyMap<Link, LinkState<L>>
  private readonly limits: ConnectionLimits
  private readonly times: { readonly connectWithin: number; readonly handshakeWithin: number }
  private readonly patience: number
  private readonly lasting: boolean
  private readonly countingLog: CountingLog
  private self!: LinkIdentity & { readonly incarnation: string }
  private receiver!: FrameReceiver
  private phase: 'opening' | 'open' | 'closed' = 'opening'
  private settle = { resolve: () => {}, reject: (_error: Error) => {} }
  private deadline: NodeJS.Timeout | undefined
  private readonly connectors = new Map<Link, Connector>()
  private readonly pending: PendingConnections
  /** Why a link is not connected, as last logged. */
  private readonly problems = new Map<Link, string>()
  /** Whether any link was ever connected: then this member is not the one that is wrong. */
  private worked = false
  private lastComparison = -Infinity
  private readonly comparisons = new Set<() => Promise<void>>()
  private closing: Promise<void> | null = null

  constructor(private readonly options: LinkTransportOptions<L>) {
    const { links, frameLimit = 2 ** 20, lasting = false, log = () => {} } = options
    const { patience = lasting ? DEFAULT_TIMING.timeout : 60_000 } = options
    const { connectWithin = lasting ? DEFAULT_TIMING.timeout : 5000 } = options
    const { handshakeWithin = lasting ? Math.max(connectWithin, 1000) : 5000 } = options
    this.links = links.map(({ link }) => link)
    const stateOf = (link: L) => new LinkState(link, frameLimit, lasting)
    this.lasting = lasting
    this.states = new Map(links.map((link) => [link.link, stateOf(link)]))
    this.limits = { frame: frameLimit, ...(lasting ? OUTPUT.lasting : OUTPUT.once) }
    this.times = { connectWithin, handshakeWithin }
    this.patience = patience
    this.countingLog = new CountingLog(log)
    this.pending = new PendingConnections(handshakeWithin, {
      greeted: (connection, bytes) => this.handshake(connection, bytes),
      // Lengths and versions of garbage differ without end.
      closed: (line, why) => this.countingLog.log(line, why.replace(/\d+/g, '#')),
    })
  }

  async open(self: LinkIdentity, receiver: FrameReceiver): Promise<void> {
    if (this.closing !== null) throw CLOSED
    this.self = { incarnation: randomBytes(8).toString('hex'), ...self }
    this.receiver = receiver
    const opened = new Promise<void>((resolve, reject) => {
      this.settle = { resolve, reject }
    })
    this.deadline = setTimeout(() => {
      if (this.lasting) this.finishOpening()
      else this.giveUp(this.timeoutError())
    }, this.patience)
    this.options.endpoint.accept(
      (stream) => this.pending.accept(stream),
      (line) => this.countingLog.log(line),
    )
    for (const state of this.states.values()) if (state.of.connects) this.connect(state)
    this.checkLinks()
    await opened
  }

  send(link: Link, bytes: Uint8Array): void {
    if (bytes.length > this.limits.frame) {
      throw new Error(`a frame of ${bytes.length} bytes exceeds the limit of ${this.limits.frame}`)
    }
    this.states.get(link)?.send(bytes)
  }

  drop(link: Link, why: string): void {
    this.states.get(link)?.connection?.fail(why)
  }

  close(): Promise<void> {
    this.closing ??= this.release()
    return this.closing
  }

  /** What both ends of a link must say in the handshake. */
  private helloOf({ of }: LinkState<L>) {
    const { incarnation: _, ...theirs } = this.self
    const { link, peer } = of
    return {
      dial: () => this.options.endpoint.dial(of),
      mine: { ...this.self, link },
      theirs: { ...theirs, position: peer.position, link: peer.link },
      ...this.times,
    }
  }

  private connect(state: LinkState<L>): void {
    const connector = new Connector({
      ...this.helloOf(state),
      pause: this.lasting ? PAUSE.lasting : PAUSE.once,
      connected: (connection, { incarnation }) => this.attach(state, connection, incarnation),
      failed: (why) => this.reportWaiting(state, why),
      mismatched: (why) => {
        if (!this.lasting && this.phase === 'open') {
          this.countingLog.log(`${this.peerName(state)}: ${why}; given up`)
          this.abandon(state, why)
          return false
        }
        return this.survives(state, why)
      },
    })
    this.connectors.set(state.of.link, connector)
    connector.connect()
  }

  /**
   * A neighbour at one of the given addresses has another configuration. A member that has had no
   * working link yet may be the wrong one itself, and ends. Others refuse that neighbour.
   */
  private survives(state: LinkState<L>, why: string): boolean {
    if (this.worked) {
      this.countingLog.log(`${this.peerName(state)} is refused: ${why}`)
      return true
    }
    const error = this.mismatchError(state, why)
    if (this.phase === 'opening') this.giveUp(error)
    else if (this.phase === 'open') this.receiver.failed?.(error)
    return false
  }

  /** Throws if the other side is not a neighbour that this member waits for. */
  private handshake(connection: Connection, bytes: Uint8Array): void {
    const hello = readHello(bytes)
    const { position, link, incarnation } = hello
    const state = [...this.states.values()].find(
      ({ of: { connects, peer } }) => !connects && peer.position === position && peer.link === link,
    )
    const mismatch = disagreement(hello, this.self)
    const refusal =
      state === undefined
        ? `position ${position}, link ${link}, is not a neighbour that connects here`
        : state.refusal(incarnation)
    // The answer tells the other side why it is refused.
    const answer = { ...this.self, link: state?.of.link ?? link, refusal: refusal ?? '' }
    connection.send(writeHello(answer))
    if (mismatch !== null) {
      this.compareSoon()
      throw mismatch
    }
    if (state === undefined || refusal !== null) throw new MalformedBytes(refusal ?? '')
    this.pending.remove(connection)
    this.attach(state, connection, incarnation)
  }

  /**
   * A process with another configuration called. It may be anybody, and this member goes on. But if
   * no link has ever worked, it asks the neighbours that should call it at their given addresses.
   */
  private compareSoon(): void {
    const now = performance.now()
    if (this.worked || now - this.lastComparison < COMPARE_PAUSE) return
    this.lastComparison = now
    for (const state of this.states.values()) {
      if (state.of.connects) continue
      const stop = compareWith({
        ...this.helloOf(state),
        failed: () => this.comparisons.delete(stop),
        mismatched: (why) => this.survives(state, why),
      })
      this.comparisons.add(stop)
    }
  }

  private attach(state: LinkState<L>, connection: Connection, incarnation: string): void {
    const { connection: former } = state
    connection.handOver(
      {
        frame: (bytes) => this.receive(state, bytes),
        closed: (why) => this.linkBroke(state, why),
      },
      this.limits,
    )
    this.worked = true
    this.problems.delete(state.of.link)
    if (former !== null) {
      void former.destroy()
      this.forget(state, 'connected anew by the other side')
    }
    state.attach(connection, incarnation)
    this.receiver.connected?.(state.of.link)
    // Frames that came with the handshake are handled first: they may break the link again.
    queueMicrotask(() => this.checkLinks())
  }

  private receive(state: LinkState<L>, bytes: Uint8Array): void {
    if (bytes.length === 0) {
      state.leaving = true
      return
    }
    this.receiver.received(state.of.link, bytes)
    state.received += bytes.length
    if (this.phase === 'opening' && state.received > this.limits.frame) state.connection?.pause()
  }

  private linkBroke(state: LinkState<L>, why: string): void {
    state.connection = null
    if (this.phase === 'opening' || this.lasting) this.forget(state, why)
    else if (!state.awaitReconnect(this.patience, () => this.abandon(state, why))) {
      this.abandon(state, why)
      return
    }
    this.reportWaiting(state, why)
    this.connectors.get(state.of.link)?.retry(why)
  }

  /** Until all links are connected the receiver only buffers frames, and discards them now. */
  private forget(state: LinkState<L>, why: string): void {
    if (this.phase !== 'opening' && !this.lasting) return
    state.received = 0
    state.leaving = false
    this.receiver.down(state.of.link, why)
  }

  /**
   * Logs why a link is not connected, and repeats it only if the reason changes. The receiver
   * reports lasting links that break later.
   */
  private reportWaiting(state: LinkState<L>, why: string): void {
    const { link } = state.of
    const reported = this.lasting && this.phase === 'open' && !why.startsWith('it refuses')
    if (this.problems.get(link) !== why && !reported)
      this.countingLog.log(`waiting for ${this.peerName(state)}: ${why}`)
    this.problems.set(link, why)
  }

  private abandon(state: LinkState<L>, why: string): void {
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
      this.options.endpoint.close(),
      this.pending.close(),
      ...[...this.connectors.values()].map((connector) => connector.stop()),
      ...[...this.comparisons].map((stop) => stop()),
      ...states.map(({ connection }) => connection?.finish()),
    ])
    this.countingLog.flush()
  }

  private timeoutError(): UsageError {
    const missing = [...this.states.values()]
      .filter(({ connection }) => connection === null)
      .map((state) => {
        const { connects, link } = state.of
        const problem = this.problems.get(link) ?? 'no answer'
        return `${this.peerName(state)} did not ${connects ? `answer (${problem})` : 'connect'}`
      })
    return new UsageError(
      `position ${this.self.position}`,
      `gave up after ${this.patience / 1000} s: ${missing.join(', ')}.`,
      'Start the missing members, or wait longer.',
    )
  }

  private peerName({ of }: LinkState<L>): string {
    return `position ${of.peer.position} ${this.options.endpoint.place(of)}`
  }

  private mismatchError(state: LinkState<L>, why: string): UsageError {
    return new UsageError(
      this.peerName(state),
      `this member belongs to another election: ${why}.`,
      'Start all members with the same network, algorithm and settings.',
    )
  }
}
