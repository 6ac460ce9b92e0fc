import { type Address, addressText } from '../transports/address.ts'
import { Admission, type PendingConnection } from './admission.ts'
import { PeerConnector } from './connector.ts'
import type { MeshEnvironment } from './environment.ts'
import {
  type Disagreement,
  type MeshHello,
  onlyPid,
  PROTOCOL,
  type ProtocolRange,
  shown,
} from './handshake.ts'
import { LimitedLog } from './limited-log.ts'
import { type MeshOptions, refuseMeshOptions } from './mesh-options.ts'
import { Negotiation } from './negotiation.ts'
import type { LinkRefusal, MeshListener, PeerInfo, PeerKind } from './peer.ts'
import { PeerLink, type PeerLinkOwner } from './peer-link.ts'
import { hostOf } from './remote.ts'
import type { Stream, StreamServer } from './stream.ts'

/** Connections with processes that are not in the configuration. */
const STRANGERS: Readonly<Record<PeerKind, number>> = { member: 16, observer: 128 }

/** What is known of one other process, by name. */
interface Neighbour {
  link: PeerLink | null
  connector: PeerConnector | null
  /** A second connection that waits until it is decided which of the two stays. */
  held: { readonly negotiation: Negotiation; readonly peer: PeerInfo } | null
  /** Why it is not connected, as the log has it. */
  told: string | null
}

/** The connections of a member to all others: at most one to each. */
export class Mesh {
  private server: StreamServer | null = null
  private readonly neighbours = new Map<string, Neighbour>()
  private readonly negotiations = new Set<Negotiation>()
  private readonly admission: Admission
  private readonly log: LimitedLog
  private closed = false

  private constructor(
    private readonly options: MeshOptions,
    private readonly environment: MeshEnvironment,
    private readonly listener: MeshListener,
    private readonly protocol: ProtocolRange,
  ) {
    this.admission = new Admission(environment.clock)
    this.log = new LimitedLog(environment.clock, (line) => options.log(line))
  }

  /** Listens. Rejects with a UsageError where the address cannot be used. */
  static async open(
    options: MeshOptions,
    environment: MeshEnvironment,
    listener: MeshListener,
    protocol: ProtocolRange = PROTOCOL,
  ): Promise<Mesh> {
    refuseMeshOptions(options)
    const mesh = new Mesh(options, environment, listener, protocol)
    if (options.listen !== null) {
      const accepted = (stream: Stream) => mesh.accept(stream)
      const dropped = (remote: string, why?: string) => mesh.turnedAway(remote, why)
      mesh.server = await environment.network.listen(options.listen, accepted, dropped)
    }
    return mesh
  }

  /** The address on which this member listens, with the port that it got. */
  get address(): Address | null {
    return this.server?.address ?? null
  }

  /** The names of those that are connected. */
  get connected(): string[] {
    return [...this.neighbours].flatMap(([name, { link }]) => (link === null ? [] : [name]))
  }

  /** The peers to be connected to, by name, with their addresses; others stay connected. */
  dial(peers: ReadonlyMap<string, string>): void {
    if (this.closed) return
    for (const [name, { connector }] of this.neighbours) {
      if (connector === null || peers.has(name)) continue
      connector.stop()
      this.neighbour(name).connector = null
      this.forget(name)
    }
    for (const [name, address] of peers) {
      if (name === this.options.member) continue
      const neighbour = this.neighbour(name)
      if (neighbour.connector !== null) neighbour.connector.moveTo(address)
      else neighbour.connector = this.connector(name, address, neighbour)
    }
  }

  /** Frames of one turn of the event loop leave in one write; without a connection: dropped. */
  send(member: string, bytes: Uint8Array): void {
    this.neighbours.get(member)?.link?.send(bytes)
  }

  /** Stops reading what a member sends, which soon blocks it from sending. */
  pause(member: string): void {
    this.neighbours.get(member)?.link?.frames.stream.pause()
  }

  resume(member: string): void {
    this.neighbours.get(member)?.link?.frames.stream.resume()
  }

  /** Writes a line, unless there are too many of them. */
  note(line: string): void {
    this.log.write(line)
  }

  /** Closes the connection to a member, which is dialled again if it was before. */
  drop(member: string, why: string): void {
    const link = this.neighbours.get(member)?.link
    if (link) this.part(link, why)
  }

  /** Who is connected under a name. */
  peer(member: string): PeerInfo | null {
    return this.neighbours.get(member)?.link?.peer ?? null
  }

  /** Bytes so far over the present connection, and those that have not left yet. */
  traffic(member: string): { sent: number; received: number; buffered: number } | null {
    const frames = this.neighbours.get(member)?.link?.frames
    if (frames === undefined) return null
    return { sent: frames.sent, received: frames.received, buffered: frames.buffered }
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    for (const { connector } of this.neighbours.values()) connector?.stop()
    const leaving: Disagreement = { reason: 'closed', detail: 'this member is closing' }
    for (const negotiation of [...this.negotiations]) negotiation.abort(leaving)
    for (const { link } of this.neighbours.values()) link?.leave('it is closing')
    this.neighbours.clear()
    this.log.close()
    await this.server?.close()
  }

  private neighbour(name: string): Neighbour {
    const known = this.neighbours.get(name)
    if (known !== undefined) return known
    const neighbour: Neighbour = { link: null, connector: null, held: null, told: null }
    this.neighbours.set(name, neighbour)
    return neighbour
  }

  private forget(name: string): void {
    const { link, connector, held } = this.neighbour(name)
    if (link === null && connector === null && held === null) this.neighbours.delete(name)
  }

  private connector(member: string, address: string, neighbour: Neighbour): PeerConnector {
    const { lease, security } = this.options
    const anywhere = this.authenticated || security.insecure === true
    const connector = new PeerConnector(address, {
      member,
      environment: this.environment,
      lease,
      anywhere,
      patient: member < this.options.member,
      negotiate: (stream) => this.negotiate(stream, member),
      failed: ({ reason, detail }, at) =>
        this.refused({ reason, detail, member, dialled: true }, at),
    })
    if (neighbour.link !== null) connector.connected()
    return connector
  }

  /** Whether others have shown that they are who they say. */
  private get authenticated(): boolean {
    const { tls, secret } = this.options.security
    return tls || secret !== undefined
  }

  /** The time for a handshake; the other side may take half a lease to decide. */
  private get patience(): number {
    return Math.min(Math.max(this.options.lease, 500), 5000)
  }

  private accept(stream: Stream): void {
    const { remote } = stream
    if (this.closed || !this.admission.mayConnect(remote)) {
      stream.destroy()
      this.turnedAway(remote)
      return
    }
    const pending: PendingConnection = {
      remote,
      evict: () =>
        negotiation.abort({ reason: 'slots', detail: 'too many connections without a handshake' }),
    }
    const negotiation = this.negotiate(stream, undefined, () => this.admission.leave(pending))
    this.admission.enter(pending)
    negotiation.start()
  }

  private turnedAway(remote: string, why?: string): void {
    const detail = why ?? 'too many connections in a short time'
    const reason = why === undefined ? 'rate' : 'garbage'
    this.refused({ reason, detail, member: null, dialled: false }, remote)
  }

  private negotiate(stream: Stream, expected?: string, left?: () => void): Negotiation {
    const { security, purpose, limits } = this.options
    const negotiation: Negotiation = new Negotiation(stream, {
      side: expected === undefined ? 'responder' : 'initiator',
      mine: this.hello(),
      purpose,
      limits,
      expected,
      secret: security.secret !== undefined,
      tls: security.tls,
      clock: this.environment.clock,
      processes: this.environment.processes,
      within: this.patience,
      asked: (peer) => this.decide(negotiation, peer),
      agreed: (peer) => {
        this.negotiations.delete(negotiation)
        left?.()
        return this.establish(negotiation, peer)
      },
      established: (peer) => this.tell(peer),
      refused: (refusal) => {
        this.negotiations.delete(negotiation)
        this.release(negotiation, refusal.member)
        // Whoever says nothing, such as a health check or a scanner, is counted and not logged.
        const mute = refusal.reason === 'closed' && negotiation.frames.received === 0
        this.refused(refusal, stream.remote, mute)
        if (expected !== undefined) this.retry(negotiation, expected, refusal)
      },
      released: left,
    })
    this.negotiations.add(negotiation)
    return negotiation
  }

  private hello(): MeshHello {
    const { cluster, member, incarnation, kind, limit, drift, fast = true } = this.options
    const { address } = this
    const process = this.environment.processes?.own() ?? null
    return {
      protocol: this.protocol,
      cluster,
      name: member,
      incarnation,
      kind,
      version: this.options.version(),
      limit,
      drift,
      keepsOpen: fast === 'connection',
      process: fast === false ? onlyPid(process) : process,
      advertised: this.options.advertised ?? (address === null ? null : addressText(address)),
      purpose: this.options.purpose?.text ?? '',
    }
  }

  /** Somebody has dialled this member, and has shown who it is. */
  private decide(negotiation: Negotiation, peer: PeerInfo): void {
    const { name, incarnation } = peer
    const excluded = this.options.excludes?.(name) ?? null
    if (excluded !== null) {
      negotiation.refuse(excluded)
      return
    }
    const neighbour = this.neighbour(name)
    const { link, connector, held } = neighbour
    if (held !== null && held.peer.incarnation !== incarnation) {
      negotiation.refuse(twoProcesses(peer, 'it is being decided which one stays'))
    } else if (link !== null && !(this.authenticated && link.peer.incarnation === incarnation)) {
      this.contest(neighbour, negotiation, peer)
    } else if (link !== null) {
      // That very process has no working connection, or it would not dial.
      this.part(link, 'replaced by a new connection')
      negotiation.welcome()
    } else if (this.isFull(peer)) {
      this.forget(name)
      negotiation.refuse({ reason: 'slots', detail: 'too many connections of others' })
    } else if (connector?.negotiation != null && this.options.member < name) {
      // Both have dialled. The connection of the smaller name stays, if it comes about.
      neighbour.held = { negotiation, peer }
      held?.negotiation.refuse(CROSSING)
    } else {
      connector?.stop()
      negotiation.welcome()
    }
  }

  /** Two processes under one name: the younger stays only if the older does not answer. */
  private contest(neighbour: Neighbour, negotiation: Negotiation, peer: PeerInfo): void {
    const before = neighbour.held
    const link = neighbour.link!
    neighbour.held = { negotiation, peer }
    if (before !== null) before.negotiation.refuse(CROSSING)
    else link.probe(this.options.lease / 2, (alive) => this.settle(neighbour, link, alive))
  }

  private settle(neighbour: Neighbour, link: PeerLink, alive: boolean): void {
    const { held } = neighbour
    if (!alive) this.part(link, 'it does not answer, and a newer process has its name')
    else if (held !== null) {
      neighbour.held = null
      const rival = twoProcesses(held.peer, `the one at ${link.peer.remote} answers and stays`)
      held.negotiation.refuse(rival)
      link.notice(rival.detail)
    }
  }

  private establish(negotiation: Negotiation, peer: PeerInfo): PeerLink {
    const neighbour = this.neighbour(peer.name)
    const { lease, fast } = this.options
    const staysOpen = fast === 'connection' && peer.keepsOpen ? lease : 0
    const { clock } = this.environment
    const link = new PeerLink(peer, negotiation.frames, clock, this.owner, staysOpen)
    if (neighbour.held?.negotiation === negotiation) neighbour.held = null
    if (neighbour.link !== null) this.part(neighbour.link, 'replaced by a new connection')
    if (neighbour.connector?.negotiation === negotiation) neighbour.connector.negotiation = null
    neighbour.connector?.connected()
    neighbour.link = link
    neighbour.told = null
    const { held } = neighbour
    neighbour.held = null
    held?.negotiation.refuse(CROSSING)
    return link
  }

  /** What a peer says in the handshake may end its connection, never this process. */
  private tell(peer: PeerInfo): void {
    try {
      this.listener.up(peer.name, peer)
    } catch (error) {
      this.log.write(`${peer.name} at ${peer.remote}: ${error}`)
      this.drop(peer.name, `its connection could not be handled: ${error}`)
    }
  }

  private readonly owner: PeerLinkOwner = {
    received: ({ peer }, bytes) => this.listener.received(peer.name, bytes),
    lost: (link, why, ended) => this.part(link, why, ended),
    noticed: ({ peer }, text) => {
      const { member } = this.options
      this.log.write(`${peer.name} says: ${text}`)
      this.listener.refused({ reason: 'duplicate', detail: text, member, dialled: false })
    },
  }

  /** A connection ends, from here or from there. One that waits for its end takes its place. */
  private part(link: PeerLink, why: string, ended = false): void {
    const { name } = link.peer
    const neighbour = this.neighbours.get(name)
    if (neighbour?.link !== link) return
    neighbour.link = null
    this.listener.down(name, why, ended)
    link.leave(why)
    const { held, connector } = neighbour
    neighbour.held = null
    if (held !== null) held.negotiation.welcome()
    else if (connector !== null && neighbour.link === null) connector.lost()
    else this.forget(name)
  }

  /** A handshake has failed: it waits for nothing any more. */
  private release(negotiation: Negotiation, name: string | null): void {
    const neighbour = name === null ? undefined : this.neighbours.get(name)
    if (neighbour?.held?.negotiation !== negotiation) return
    neighbour.held = null
    neighbour.link?.stopProbe()
    this.forget(name!)
  }

  /** A handshake with a member that was dialled has failed. */
  private retry(negotiation: Negotiation, name: string, { reason }: LinkRefusal): void {
    const neighbour = this.neighbours.get(name)
    if (neighbour?.connector?.negotiation !== negotiation) return
    neighbour.connector.negotiation = null
    const { held } = neighbour
    neighbour.held = null
    if (held !== null) held.negotiation.welcome()
    else neighbour.connector.retry(!['closed', 'timeout', 'name'].includes(reason))
  }

  private isFull({ name, kind }: PeerInfo): boolean {
    if (this.options.knows(name)) return false
    const links = [...this.neighbours.values()].flatMap(({ link }) => link ?? [])
    const strangers = links.filter(
      ({ peer }) => peer.kind === kind && !this.options.knows(peer.name),
    )
    return strangers.length >= STRANGERS[kind]
  }

  private refused(refusal: LinkRefusal, remote: string, mute = false): void {
    const { reason, detail, member, dialled } = refusal
    if (reason === 'crossing' || this.closed) return
    this.listener.refused(refusal)
    if (!dialled) {
      const line = `connection from ${remote} refused: ${detail}`
      if (!mute) this.log.write(line, `${reason} ${hostOf(remote)}`)
      return
    }
    const neighbour = this.neighbours.get(member ?? '')
    const { missing } = this.options
    const line = missing ? missing(refusal, remote) : `${member} at ${remote}: ${detail}`
    if (neighbour === undefined || line === null || neighbour.told === line) return
    neighbour.told = line
    this.log.write(line)
  }
}

const CROSSING: Disagreement = { reason: 'crossing', detail: 'another connection is used' }

function twoProcesses({ name, remote }: PeerInfo, decision: string): Disagreement {
  const second = `a second process uses the name ${shown(name)}, from ${hostOf(remote)}`
  return { reason: 'duplicate', detail: `${second}: ${decision}` }
}
