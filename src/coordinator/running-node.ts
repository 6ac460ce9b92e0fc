import type { Aggregation } from '../algorithms/aggregation.ts'
import type { AggregateOptions } from '../cluster/aggregates.ts'
import type { Clock, TimerHandle } from '../cluster/clock.ts'
import { Emitter } from '../cluster/emitter.ts'
import type { LiveAggregate } from '../cluster/live-aggregate.ts'
import type { PeerInfo } from '../cluster/mesh/peer.ts'
import type { Link } from '../core/language/net.ts'
import { ByteReader, ByteWriter, MalformedBytes } from '../core/runtime/bytes.ts'
import { Random } from '../core/runtime/random.ts'
import { UsageError } from '../core/usage-error.ts'
import { Beats } from './beats/beats.ts'
import { Connections, type FrameHandlers } from './connections.ts'
import { milliseconds } from './duration.ts'
import type { Environment } from './environment.ts'
import { FRAME, FrameWriter, readRole } from './frames.ts'
import { GoneProcesses } from './gone-processes.ts'
import { adviceOnSize } from './membership/change-rules.ts'
import { type Configuration, everybodyIn, type MemberEntry } from './membership/configuration.ts'
import type { MembershipChange, MembershipHost, Standing } from './membership/host.ts'
import { Membership } from './membership/membership.ts'
import type { CloseOptions, CoordinatorNode, NodeEvents, Role, WaitOptions } from './node.ts'
import { NodeAggregates } from './node-aggregates.ts'
import { NodeMetrics } from './node-metrics.ts'
import { NodeStorage } from './node-storage.ts'
import { Log } from './operations/log.ts'
import type { MetricFamily } from './operations/metrics.ts'
import type { CoordinatorStatus } from './operations/status.ts'
import type { CheckedOptions, MemberAddress, RoleOptions, Timing } from './options.ts'
import type { RoleHost } from './roles/role-host.ts'
import { MEMBERS_ROLE, Roles } from './roles/roles.ts'
import { statusOf } from './status-report.ts'

/** A node of a cluster: what connects its parts. */
export class RunningNode extends Emitter<NodeEvents> implements CoordinatorNode, RoleHost {
  readonly cluster: string
  readonly me: string
  readonly clock: Clock
  readonly timing: Timing
  readonly log: Log
  readonly roles: Roles
  readonly beats: Beats
  readonly counted: NodeMetrics
  readonly connections: Connections
  private readonly frames = new FrameWriter()
  private readonly aggregates: NodeAggregates
  private readonly goneProcesses: GoneProcesses
  links: ReadonlyMap<string, Link> = new Map()
  ownNumber: number | null = null
  storage!: NodeStorage
  membership!: Membership
  /** Why this node neither votes nor leads any more; null while it may. */
  failure: string | null = null
  private closing: Promise<void> | null = null
  private advised = 0
  private warning: TimerHandle | null = null

  constructor(
    readonly options: CheckedOptions,
    readonly environment: Environment,
  ) {
    super()
    const { cluster, me, timing, log, fast = true } = options
    const { clock, processes } = environment
    this.cluster = cluster
    this.me = me
    this.clock = clock
    this.timing = timing
    this.log = new Log(clock, log)
    this.connections = new Connections(this, environment, this.handlers())
    const send = (member: string, bytes: Uint8Array) => this.connections.send(member, bytes)
    this.beats = new Beats(clock, timing, {
      send,
      silent: (member, why) => {
        this.counted.dropped({ member })
        this.connections.drop(member, why)
      },
      // Without a storage that can be written, a node neither leads nor votes.
      tick: () => this.roles.beat() && this.storage.probe((error) => this.failed(error)),
    })
    this.roles = new Roles(
      this,
      (bytes) => this.connections.broadcast(bytes),
      (role) => {
        if (role.name !== MEMBERS_ROLE) return
        this.beats.follow(role.leader?.id ?? null)
        this.membership?.roleChanged()
      },
    )
    this.goneProcesses = new GoneProcesses(clock, processes, fast, timing.limit, (peer) => {
      const { name, incarnation } = peer
      this.log.info('process-gone', `the process of ${name} is gone`, { member: name })
      this.roles.gone(name, incarnation)
    })
    this.aggregates = new NodeAggregates(this, send)
    this.counted = new NodeMetrics(this)
  }

  /** Reads the storage, listens, and begins to connect. */
  async open(): Promise<void> {
    const { me, environment, options, timing } = this
    this.storage = await NodeStorage.open(options, environment, {
      took: (milliseconds) => this.counted.stored(milliseconds / 1000),
      report: (problem) => this.storageChanged(problem),
      cut: (line) => this.log.warn('storage', line),
      counted: () => this.membership?.announceMemory(),
    })
    const { lost } = this.storage
    if (lost !== null) this.log.error('memory-lost', `${me} has lost its memory: ${lost}`)
    await this.storage.countStart().catch((error) => this.failed(error))
    const { bootstrap = false, addresses, observe, transport } = options
    const members = Object.entries(addresses).map(
      ([name, { address, kind = 'voter' }]) => [name, { address, kind }] as const,
    )
    this.membership = new Membership(
      { ...timing, me, members: new Map(members), byName: transport !== undefined, bootstrap },
      this.storage.journal,
      environment,
      this.membershipHost(),
    )
    this.applyConfiguration()
    this.roles.recall(this.storage.records())
    if (!observe) this.roles.declare(MEMBERS_ROLE, {})
    await this.connections.open()
    this.beats.start()
    this.membership.start()
    this.roles.reconfigure()
    this.aggregates.open()
  }

  get members(): Readonly<Record<string, MemberAddress>> {
    const { configuration } = this.membership
    if (configuration === null) return this.options.addresses
    const entry = ({ name, address, kind }: MemberEntry) => [name, { address, kind }] as const
    return Object.fromEntries(configuration.members.map(entry))
  }

  role(name: string, options: RoleOptions = {}): Role {
    this.refuseClosed()
    if (name === MEMBERS_ROLE && Object.keys(options).length > 0)
      throw new UsageError(
        `role ${name}`,
        'its leader changes the members, and its options are fixed.',
        'Choose another name.',
      )
    return this.roles.declare(name, options)
  }

  async change(change: MembershipChange, { signal }: WaitOptions = {}): Promise<void> {
    this.refuseClosed()
    await this.membership.change(change, signal)
  }

  aggregate(what: string | Aggregation, options: AggregateOptions): LiveAggregate {
    this.refuseClosed()
    return this.aggregates.add(what, options)
  }

  status(): CoordinatorStatus {
    return statusOf(this)
  }

  metrics(): readonly MetricFamily[] {
    return this.counted.snapshot()
  }

  get closed(): boolean {
    return this.closing !== null
  }

  async close(options: CloseOptions = {}): Promise<void> {
    // A slip of the pen must not leave it half closed.
    if (options.drain !== undefined) milliseconds('drain', options.drain)
    this.closing ??= this.leave(options)
    await this.closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private async leave({ drain }: CloseOptions): Promise<void> {
    const why = 'this node is closing'
    this.clock.clearTimeout(this.warning)
    await Promise.all([...this.roles.all()].map((role) => role.close(why, drain)))
    this.roles.halt(why)
    this.beats.stop()
    this.goneProcesses.close()
    this.aggregates.close()
    this.membership?.close()
    await this.connections.close()
    await (this.storage?.close() ?? this.environment.disk.close())
    this.log.close()
    this.emit('closed')
  }

  /** A node is connected, or is not any more. */
  peerChanged(member: string, up: boolean, why: string): void {
    this.roles.peerChanged(member)
    const message = up ? `${member} is connected` : `${member} is not connected any more: ${why}`
    this.log.info(up ? 'peer-up' : 'peer-down', message, { member })
    this.emit('peer', member, up)
  }

  /** A process is connected. One that would refuse every request of this one is named. */
  found({ name, kind, limit }: PeerInfo): void {
    if (kind === 'observer' || limit >= this.timing.lease) return
    const message = `${name} promises ${limit} ms at most, and never grants a lease of this node`
    this.log.warn('limit', message, { member: name })
  }

  /** The connection to a process has closed; `ended`: that process or its system ended it. */
  lost(peer: PeerInfo, ended: boolean): void {
    this.goneProcesses.lost(peer, ended)
  }

  /* What roles ask. */

  get incarnation(): string {
    return this.storage.incarnation
  }

  mayGrant(): boolean {
    return this.failure === null && this.ownNumber !== null && this.membership.mayGrant()
  }

  /** Who is about to be removed hands over in time; the change itself it may finish. */
  mayLead(role: string): boolean {
    const stays = role === MEMBERS_ROLE || !this.membership.leaving
    return stays && this.mayGrant() && this.membership.mayLead()
  }

  isUp(member: string): boolean {
    return this.connections.isUp(member)
  }

  majority(members: Iterable<string>): boolean {
    return this.membership.majority(members)
  }

  floor(role: string): number {
    return this.membership.floor(role)
  }

  stored(role: string): Uint8Array | undefined {
    return this.storage.record(role)
  }

  store(role: string, record: Uint8Array): Promise<void> {
    this.counted.written()
    return this.storage.write(role, record)
  }

  random(): Random {
    const input = new ByteReader(this.environment.randomBytes(6))
    let seed = 0
    for (let i = 0; i < 6; i++) seed = seed * 256 + input.byte()
    return Random.from(seed % 2 ** 47)
  }

  send(member: string, role: string, definition: string, bytes: Uint8Array): void {
    const { version } = this.membership
    this.connections.send(member, this.frames.role({ role, definition, version, bytes }))
  }

  problem(): string | null {
    if (this.failure !== null) return this.failure
    if (!this.storage.journal.healthy) return this.storage.journal.problem
    const { lateness } = this.beats
    if (lateness <= this.timing.lateness) return null
    return `timers of this process were ${Math.round(lateness)} ms late`
  }

  count(what: 'elected' | 'deposed' | 'released' | 'outlived', role: string): void {
    this.counted[what]({ role })
  }

  report(role: string): void {
    this.roles.report(role)
  }

  failed(error: unknown): void {
    if (this.failure !== null) return
    const cause = error instanceof Error ? error : new Error(String(error))
    this.failure = cause.message
    this.log.error('failed', `this node votes and leads no more: ${cause.message}`)
    this.roles.halt(cause.message)
    this.emit('failed', cause)
  }

  /* Connections and membership. */

  private handlers(): FrameHandlers {
    const members = (handle: FrameHandlers[number]): FrameHandlers[number] => {
      return (member, bytes) => {
        if (this.connections.peers.get(member)?.kind === 'observer')
          throw new MalformedBytes('a frame that observers do not send')
        handle(member, bytes)
      }
    }
    return {
      [FRAME.BEAT]: (member, bytes) => this.beats.received(member, bytes),
      [FRAME.MEMBERSHIP]: (member, bytes) => this.membership.received(member, bytes.subarray(1)),
      [FRAME.STATUS]: (member, bytes) => {
        this.connections.greetedBy(member)
        const observer = this.connections.peers.get(member)?.kind === 'observer'
        if (!observer) this.roles.status(member, bytes)
      },
      [FRAME.ROLE]: members((member, bytes) => this.received(member, bytes)),
      [FRAME.AGGREGATE]: members((member, bytes) => this.aggregates.received(member, bytes)),
    }
  }

  /** A frame of a newer configuration waits until this member has it. */
  private received(member: string, bytes: Uint8Array): void {
    const frame = readRole(bytes)
    const keep = () => {
      const copy = bytes.slice()
      const peer = this.connections.peers.get(member)
      return () => this.connections.deliver(member, peer, copy)
    }
    const { memories } = this.membership
    if (
      this.mayGrant() &&
      this.membership.admits(member, frame.version, keep) &&
      memories.trusts(member)
    )
      this.roles.received(member, frame)
    this.beats.paced(member)
  }

  private membershipHost(): MembershipHost {
    const out = new ByteWriter()
    return {
      send: (member, bytes) => {
        out.byte(FRAME.MEMBERSHIP)
        out.raw(bytes)
        this.connections.send(member, out.take())
      },
      dial: (peers) => this.connections.dial(peers),
      terms: () => this.grantedTerms(),
      heldTerm: () => {
        const role = this.roles.get(MEMBERS_ROLE)
        return role?.leads() ? (role.term?.token ?? null) : null
      },
      holder: () => this.roles.get(MEMBERS_ROLE)?.leader?.id ?? null,
      configured: (configuration) => this.configured(configuration),
      standing: (standing, why) => this.standingChanged(standing, why),
      failed: (why) => this.failed(new Error(why)),
    }
  }

  private configured(configuration: Configuration): void {
    this.applyConfiguration()
    const { term, number } = configuration.version
    const names = configuration.members.map(({ name }) => name).join(', ')
    this.log.info('members', `the members are ${names}`, { configuration: `${term}.${number}` })
    this.roles.reconfigure()
    this.emit('members', this.members)
    this.adviseOn(configuration.members.length)
  }

  /** Some numbers of voters have surprising consequences. */
  private adviseOn(voters: number): void {
    const advice = adviceOnSize(voters)
    if (advice !== null && voters !== this.advised) this.log.warn('voters', advice)
    this.advised = voters
  }

  private standingChanged(standing: Standing, why: string): void {
    if (standing === 'bootstrapping') this.adviseOn(Object.keys(this.options.addresses).length)
    const level = standing === 'refused' ? 'error' : standing === 'recovering' ? 'warn' : 'info'
    this.log[level](standing, why)
    this.roles.reconfigure()
    if (standing === 'refused') this.failed(new Error(why))
    if (standing === 'removed') this.emit('removed')
    if (standing === 'recovering') this.warnLater()
  }

  /** A program without a log would wait for a leader without a word. */
  private warnLater(): void {
    const { clock, warn } = this.environment
    const { log, observe } = this.options
    if (log !== undefined || observe || warn === undefined || this.warning !== null) return
    this.warning = clock.setTimeout(() => {
      const { standing, why } = this.membership
      if (standing === 'recovering') warn(why)
      else this.warning = null
    }, this.timing.lease)
  }

  /** Numbers of members are their links, and their positions in aggregates. */
  private applyConfiguration(): void {
    const { configuration } = this.membership
    const everybody = configuration === null ? [] : everybodyIn(configuration)
    const others = everybody.filter(({ name }) => name !== this.me)
    this.links = new Map(others.map(({ name, id }) => [name, id]))
    this.ownNumber = everybody.find(({ name }) => name === this.me)?.id ?? null
    this.aggregates.reconfigure()
  }

  private grantedTerms(): ReadonlyMap<string, number> {
    const terms = this.storage.terms()
    for (const { name, facts } of this.roles.all())
      if (facts.granted > (terms.get(name) ?? 0)) terms.set(name, facts.granted)
    return terms
  }

  private storageChanged(problem: string | null): void {
    const message = problem ?? 'the storage can be written again'
    this.log[problem === null ? 'info' : 'error']('storage', message)
    this.roles.healthChanged()
  }

  private refuseClosed(): void {
    if (this.closing !== null)
      throw new UsageError(this.me, 'this node is closed.', 'Start another one.')
  }
}
