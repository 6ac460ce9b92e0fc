import { randomBytes } from 'node:crypto'
import type { Link } from '../../core/language/net.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { UsageError } from '../../core/usage-error.ts'
import { systemClock } from '../clock.ts'
import { type Disagreement, UPGRADE } from '../mesh/handshake.ts'
import { Mesh } from '../mesh/mesh.ts'
import type { MeshOptions } from '../mesh/mesh-options.ts'
import type { LinkRefusal, MeshListener, RefusalReason } from '../mesh/peer.ts'
import type { Network } from '../mesh/stream.ts'
import { DEFAULT_TIMING } from '../timing.ts'
import type { Address } from './address.ts'
import { electionPurpose, LinkFrames } from './link-protocol.ts'
import { type MemberLink, memberNameAt, Neighbour } from './neighbour.ts'
import type { FrameReceiver, LinkIdentity, Transport } from './transport.ts'

/** The limits of a transport over a mesh. */
export interface MeshTransportLimits {
  /** How long to wait for the neighbours, in milliseconds: 60,000, or 500 for lasting links. */
  readonly patience?: number
  /**
   * Broken links are connected again, as often as they break; frames sent meanwhile are lost.
   * Neighbours that are missing when the patience ends are reported as down, and may join later.
   */
  readonly lasting?: boolean
  /** The longest frame that is accepted, in bytes. */
  readonly frameLimit?: number
  /** Time for a neighbour to accept a connection: 2,500 ms, or 500 for lasting links. */
  readonly connectWithin?: number
  readonly log?: (line: string) => void
}

interface MeshTransportOptions extends MeshTransportLimits {
  readonly network: Network
  readonly listen: Address
  readonly links: readonly MemberLink[]
  /** What all members share; the network proves it. */
  readonly secret: string | undefined
  /** Where a mesh finds the member at a position. */
  addressOf(position: number): string
  /** The same for people: `at 127.0.0.1:7001`. */
  place(position: number): string
}

/** All elections are one cluster, and compare what they elect. */
export const CLUSTER = 'election'

/** Before the handshake is done: a schema may be long. */
const HANDSHAKE_LIMIT = 16384

/**
 * The output that may wait for a neighbour that does not read. One that has not opened all its
 * links yet stops reading: where every frame must arrive, the limit is the larger one.
 */
const OUTPUT = { once: 2 ** 24, lasting: 2 ** 21 }

/** The other side has another configuration: waiting does not help. */
const MISMATCHES: readonly RefusalReason[] = ['purpose', 'protocol', 'cluster', 'name']

/** There may be nobody at the address, for now. */
const ABSENCES: readonly RefusalReason[] = ['unreachable', 'closed', 'timeout']

const CLOSED = new Error('The transport was closed before all links were connected.')
const LEFT = 'closed by the other side'

/**
 * The links of a position as a part of a mesh: position 3 is the member `position-3`.
 * @internal
 */
export class MeshTransport implements Transport {
  readonly links: readonly Link[]
  private readonly neighbours: ReadonlyMap<string, Neighbour>
  private readonly frames: LinkFrames
  private readonly frameLimit: number
  private readonly lasting: boolean
  private readonly patience: number
  private self!: LinkIdentity
  private receiver!: FrameReceiver
  private mesh: Mesh | null = null
  private phase: 'opening' | 'open' | 'closed' = 'opening'
  private settle = { resolve: () => {}, reject: (_error: Error) => {} }
  private deadline: NodeJS.Timeout | undefined
  /** Whether any link was ever connected: then this member is not the one that is wrong. */
  private worked = false
  private closing: Promise<void> | null = null

  constructor(private readonly options: MeshTransportOptions) {
    const { frameLimit = 2 ** 20, lasting = false } = options
    // Where links last, nothing detects a termination.
    const links = options.links.filter(({ aside }) => !(aside && lasting))
    this.links = links.filter(({ aside }) => !aside).map(({ link }) => link)
    this.frameLimit = frameLimit
    this.lasting = lasting
    this.patience = options.patience ?? (lasting ? DEFAULT_TIMING.timeout : 60_000)
    this.frames = new LinkFrames(links)
    const positions = new Set(links.map(({ peer }) => peer.position))
    this.neighbours = new Map(
      [...positions].map((position) => {
        const shared = links.filter(({ peer }) => peer.position === position)
        const neighbour = new Neighbour(position, shared, frameLimit, lasting)
        return [neighbour.name, neighbour]
      }),
    )
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
    await Promise.all([opened, this.connect()])
  }

  send(link: Link, bytes: Uint8Array): void {
    const { length } = bytes
    if (length > this.frameLimit)
      throw new Error(`a frame of ${length} bytes exceeds the limit of ${this.frameLimit}`)
    const neighbour = this.neighbourAt(link)
    if (neighbour === undefined || neighbour.closed || this.phase === 'closed') return
    const frame = this.frames.write(link, bytes)
    if (neighbour.position === this.self.position)
      setImmediate(() => this.receive(neighbour, frame))
    else if (neighbour.keep(frame)) this.mesh?.send(neighbour.name, frame)
  }

  drop(link: Link, why: string): void {
    const neighbour = this.neighbourAt(link)
    if (neighbour !== undefined) this.mesh?.drop(neighbour.name, why)
  }

  close(): Promise<void> {
    this.closing ??= this.release()
    return this.closing
  }

  private neighbourAt(link: Link): Neighbour | undefined {
    return [...this.neighbours.values()].find(({ links }) => links.includes(link))
  }

  private async connect(): Promise<void> {
    const { network } = this.options
    const environment = { clock: systemClock, network, randomBytes }
    const mesh = await Mesh.open(this.meshOptions(), environment, this.listener())
    if (this.phase === 'closed') return mesh.close()
    this.mesh = mesh
    const own = this.neighbours.get(memberNameAt(this.self.position))
    if (own !== undefined) this.connected(own)
    this.dial()
    this.checkLinks()
  }

  /** Calls all neighbours that are not gone for good. */
  private dial(): void {
    const called = [...this.neighbours.values()].filter(({ closed }) => !closed)
    const addresses = called.map(
      ({ name, position }) => [name, this.options.addressOf(position)] as const,
    )
    this.mesh?.dial(new Map(addresses))
  }

  private meshOptions(): MeshOptions {
    const { listen, secret, connectWithin, log = () => {} } = this.options
    const { position, incarnation = randomBytes(8).toString('hex') } = this.self
    const within = connectWithin ?? (this.lasting ? DEFAULT_TIMING.timeout : 2500)
    const output = this.lasting ? OUTPUT.lasting : OUTPUT.once
    return {
      cluster: CLUSTER,
      member: memberNameAt(position),
      incarnation,
      kind: 'member',
      listen,
      version: () => ({ term: 0, number: 0 }),
      knows: (member) => this.neighbours.has(member),
      lease: 2 * within,
      limit: 0,
      drift: 0,
      fast: false,
      security: secret === undefined ? { tls: false, insecure: true } : { tls: false, secret },
      purpose: electionPurpose(this.self),
      excludes: (member) => this.refusalOf(member),
      limits: { handshake: HANDSHAKE_LIMIT, frame: this.frames.longest(this.frameLimit), output },
      log,
      missing: (refusal) => this.missing(refusal),
    }
  }

  private refusalOf(member: string): Disagreement | null {
    const neighbour = this.neighbours.get(member)
    if (neighbour === undefined) return { reason: 'name', detail: `${member} is not a neighbour` }
    return neighbour.refusal === null ? null : { reason: 'excluded', detail: neighbour.refusal }
  }

  private listener(): MeshListener {
    const neighbour = (member: string) => this.neighbours.get(member)!
    return {
      up: (member) => this.connected(neighbour(member)),
      down: (member, why) => this.broke(neighbour(member), why),
      received: (member, bytes) => this.receive(neighbour(member), bytes),
      refused: (refusal) => this.refused(refusal),
    }
  }

  private connected(neighbour: Neighbour): void {
    this.worked = true
    for (const frame of neighbour.connected()) this.mesh!.send(neighbour.name, frame)
    for (const link of neighbour.links) this.receiver.connected?.(link)
    // Frames that came with the handshake are handled first: they may break the link again.
    queueMicrotask(() => this.checkLinks())
  }

  private receive(neighbour: Neighbour, bytes: Uint8Array): void {
    if (this.phase === 'closed' || neighbour.closed) return
    const { link, frame } = this.frames.read(bytes)
    if (!neighbour.links.includes(link)) throw new MalformedBytes(`a frame of link ${link}`)
    // An empty frame is a goodbye.
    if (frame.length === 0) neighbour.leaving = true
    else this.receiver.received(link, frame)
    neighbour.received += frame.length
    if (this.phase === 'opening' && neighbour.received > this.frameLimit)
      this.mesh?.pause(neighbour.name)
  }

  private broke(neighbour: Neighbour, reason: string): void {
    const why = neighbour.leaving ? LEFT : reason
    neighbour.up = false
    if (this.phase === 'closed') return
    if (this.phase === 'opening' || this.lasting) {
      neighbour.forget()
      this.tellDown(neighbour, why)
    } else if (
      neighbour.closed ||
      !neighbour.awaitReconnect(this.patience, () => this.abandon(neighbour, why))
    ) {
      this.abandon(neighbour, why)
      return
    }
    if (!this.lasting || this.phase === 'opening') this.noteWaiting(neighbour, why)
  }

  /** Says why a neighbour is not connected, and repeats it only if the reason changes. */
  private noteWaiting(neighbour: Neighbour, why: string): void {
    if (neighbour.problem !== why) this.mesh?.note(this.waitingLine(neighbour, why))
    neighbour.problem = why
  }

  private waitingLine(neighbour: Neighbour, why: string): string {
    return `waiting for ${this.peerName(neighbour)}: ${why}`
  }

  private tellDown({ links }: Neighbour, why: string): void {
    for (const link of links) this.receiver.down(link, why)
  }

  /** A neighbour is not connected, or a stranger was refused. */
  private refused({ reason, detail, member, dialled }: LinkRefusal): void {
    const neighbour = this.neighbours.get(member ?? '')
    if (neighbour === undefined || !dialled) return
    if (MISMATCHES.includes(reason) && !this.worked) {
      const error = this.mismatchError(neighbour, reason, detail)
      if (this.phase === 'opening') this.giveUp(error)
      else if (this.phase === 'open') this.receiver.failed?.(error)
    }
  }

  /**
   * What the log says of a neighbour that was called. A member whose links have worked refuses a
   * neighbour with another configuration; the receiver reports lasting links that break later.
   */
  private missing({ reason, detail, member }: LinkRefusal): string | null {
    const neighbour = this.neighbours.get(member ?? '')
    if (neighbour === undefined) return null
    const name = this.peerName(neighbour)
    if (MISMATCHES.includes(reason)) {
      if (!this.worked) return null
      if (this.lasting || this.phase !== 'open') return `${name} is refused: ${detail}`
      this.abandon(neighbour, detail)
      return `${name}: ${detail}; given up`
    }
    neighbour.problem = detail
    const reported = this.lasting && this.phase === 'open' && ABSENCES.includes(reason)
    return reported ? null : this.waitingLine(neighbour, detail)
  }

  private abandon(neighbour: Neighbour, why: string): void {
    neighbour.close()
    this.dial()
    this.tellDown(neighbour, why)
  }

  private checkLinks(): void {
    const missing = [...this.neighbours.values()].some(({ up }) => !up)
    if (this.phase === 'opening' && !missing) this.finishOpening()
  }

  private finishOpening(): void {
    this.phase = 'open'
    clearTimeout(this.deadline)
    for (const neighbour of this.neighbours.values()) {
      if (neighbour.up) this.mesh?.resume(neighbour.name)
      else this.tellDown(neighbour, neighbour.problem ?? 'no connection')
    }
    this.settle.resolve()
  }

  private giveUp(error: Error): void {
    this.settle.reject(error)
    void this.close()
  }

  private async release(): Promise<void> {
    const { mesh } = this
    this.phase = 'closed'
    clearTimeout(this.deadline)
    this.settle.reject(CLOSED)
    for (const neighbour of this.neighbours.values()) {
      const [link] = neighbour.links
      if (neighbour.up) mesh?.send(neighbour.name, this.frames.write(link, new Uint8Array()))
      neighbour.close()
    }
    await mesh?.close()
    await this.options.network.close?.()
  }

  private timeoutError(): UsageError {
    const missing = [...this.neighbours.values()].filter(({ up }) => !up)
    const silent = missing.map((one) => {
      const problem = one.problem ?? 'no answer'
      return `${this.peerName(one)} did not answer (${problem})`
    })
    return new UsageError(
      `position ${this.self.position}`,
      `gave up after ${this.patience / 1000} s: ${silent.join(', ')}.`,
      'Start the missing members, or wait longer.',
    )
  }

  private peerName({ position }: Neighbour): string {
    return `position ${position} ${this.options.place(position)}`
  }

  private mismatchError(neighbour: Neighbour, reason: RefusalReason, why: string): UsageError {
    const name = this.peerName(neighbour)
    if (reason === 'protocol') {
      const [first, ...others] = UPGRADE
      const remedy = `${first.toUpperCase()}${others.join('')}.`
      return new UsageError(name, `${why.replace(`: ${UPGRADE}`, '')}.`, remedy)
    }
    return new UsageError(
      name,
      `this member belongs to another election: ${why}.`,
      'Start all members with the same network, algorithm and settings.',
    )
  }
}
