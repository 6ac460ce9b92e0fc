import { isBeyond, LARGEST_STEP } from '../../algorithms/complete/lease/lease-state.ts'
import type { ConfigurationVersion, PeerInfo } from '../../cluster/mesh/peer.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import type { Environment } from '../environment.ts'
import { Bootstrap } from './bootstrap.ts'
import { ChangeRequests } from './change-requests.ts'
import {
  type Configuration,
  compareVersions,
  configurationText,
  entryOf,
  everybodyIn,
  highestTerms,
  isMajority,
  type MemberEntry,
  versionText,
} from './configuration.ts'
import {
  Abandoned,
  type AnyGathering,
  Gathering,
  type GatheringQuestion,
  type MembershipAnswer,
} from './gathering.ts'
import type { MembershipChange, MembershipHost, MembershipOptions, Standing } from './host.ts'
import { type MemberJournal, MemberStore } from './member-store.ts'
import { MembershipTimes } from './membership-times.ts'
import { Memories } from './memories.ts'
import {
  largestTermIn,
  type MembershipMessage,
  type MembershipMessageOf,
  readMessage,
  writeMessage,
} from './messages.ts'
import { Recovery } from './recovery.ts'
import { VersionExchange } from './version-exchange.ts'
import { answerTo } from './voter.ts'

/** Messages that are handled one after the other. */
export type OrderedMessage = Exclude<MembershipMessage, MembershipMessageOf<'memory' | 'recalls'>>

/** How long a restarted member waits at most for what the others remember of it. */
const CONFIRMATION_LEASES = 1 / 2

/** The version of a member that has no configuration. */
const NONE: ConfigurationVersion = { term: 0, number: 0 }

/** Who votes, as this member knows it, and whether it may vote itself. */
export class Membership {
  standing: Standing = 'outside'
  /** What the standing means, in one line. */
  why = ''
  readonly store: MemberStore
  /** How far the memories of this member and of the others reach. */
  readonly memories: Memories
  readonly gatherings = new Set<AnyGathering>()
  readonly interval: number
  readonly times: MembershipTimes
  private readonly requests = new ChangeRequests(this)
  private begun: Bootstrap | Recovery | null = null
  /** Whom the holder of `members` dials because it is about to add them. */
  private readonly invited = new Map<string, string>()
  private readonly versions = new VersionExchange(this)
  private readonly observers = new Set<string>()
  /** Who is connected, without observers. */
  private readonly peers = new Set<string>()
  /** Whether the memory on disk is taken for the latest: nobody here remembers more. */
  private confirmed: boolean
  private forgetting = false
  private sequence: number
  private turn: Promise<void> = Promise.resolve()
  private failure: string | null = null
  private closed = false

  /** Reads what is on disk. Nothing is sent before `start`. */
  constructor(
    readonly options: MembershipOptions,
    journal: MemberJournal,
    readonly environment: Environment,
    readonly host: MembershipHost,
  ) {
    this.store = new MemberStore(journal, environment)
    this.memories = new Memories(this)
    this.confirmed = !this.store.record.memory
    this.interval = Math.max(1, options.lease / 4)
    this.times = new MembershipTimes(options, environment, this.store)
    this.sequence = environment.randomBytes(5).reduce((sum, byte) => sum * 256 + byte, 0) * 4096
  }

  /** Dials, and begins to bootstrap, to recover, or to vote once its memory is confirmed. */
  start(): void {
    const { configuration } = this
    if (configuration !== null) this.host.configured(configuration)
    this.dial()
    void this.inTurn(async () => {
      await this.store.identify()
      await this.times.keepLimit((task) => this.inTurn(task))
      this.settle()
    })
    if (this.store.record.memory) this.confirm()
  }

  /** Asks the others what they know of the memory on disk, and votes when they have answered. */
  private confirm(): void {
    this.confirmed = false
    this.memories.askAgain()
    void this.times.sleep(this.options.lease * CONFIRMATION_LEASES).then(() => {
      this.confirmed = true
      void this.inTurn(() => this.settle())
    })
  }

  /** The configuration on disk; null before there is one. */
  get configuration(): Configuration | null {
    return this.store.record.configuration
  }

  get version(): ConfigurationVersion {
    return this.configuration?.version ?? NONE
  }

  /** This member in the configuration; undefined if it is not in it. */
  get mine(): MemberEntry | undefined {
    return this.configuration === null ? undefined : entryOf(this.configuration, this.options.me)
  }

  /** Whether this member knows of every term that it granted, as far as anybody can tell. */
  get remembers(): boolean {
    return this.store.record.memory && this.confirmed && !this.forgetting
  }

  /** Whether these members are a majority of the voters; of both sets during a change. */
  majority(members: Iterable<string>): boolean {
    return this.configuration !== null && isMajority(this.configuration, new Set(members))
  }

  /** Whether this member may answer requests of candidates now. */
  mayGrant(): boolean {
    return this.standing === 'voting' && this.failure === null && !this.closed
  }

  /** Whether this member may stand and lead: a voter, not a witness. */
  mayLead(): boolean {
    return this.mayGrant() && this.mine?.kind === 'voter'
  }

  /** Whether a change is under way after which this member is none. */
  get leaving(): boolean {
    const { members = [], old = null } = this.configuration ?? {}
    return old !== null && !members.some(({ name }) => name === this.options.me)
  }

  /** Grants of this role must be above. */
  floor(role: string): number {
    const { configuration, learned } = this.store.record
    return Math.max(configuration?.floors.get(role) ?? 0, learned.get(role) ?? 0)
  }

  /** For each role the highest term that this member knows of. */
  highestTerms(): Map<string, number> {
    const { configuration, learned } = this.store.record
    return highestTerms(this.host.terms(), learned, configuration?.floors ?? new Map())
  }

  /**
   * Whether a frame of a role that was sent under this version may be handled. If not, this member
   * sends the newer configuration, or asks for it. Then what `keep` returns handles the frame.
   */
  admits(from: string, version: ConfigurationVersion, keep?: () => () => void): boolean {
    return this.versions.admits(from, version, keep)
  }

  /** A connection to a member is there. */
  up(member: string, peer: Pick<PeerInfo, 'version' | 'kind'>): void {
    const [present, absent] =
      peer.kind === 'observer' ? [this.observers, this.peers] : [this.peers, this.observers]
    present.add(member)
    absent.delete(member)
    this.versions.connected(member, peer.version)
    if (present === this.peers) this.memories.tell([member])
    for (const gathering of this.gatherings) gathering.repeatTo(member)
  }

  down(member: string): void {
    this.observers.delete(member)
    this.peers.delete(member)
    this.versions.lost(member)
    this.memories.disconnected(member)
  }

  /** What must not be forgotten is on disk: the others are told before anything rests on it. */
  announceMemory(): void {
    this.memories.tell(this.peers)
  }

  /** The memory of this member is lost: it does not vote before it has recovered. */
  forget(why: string): void {
    if (this.forgetting) return
    this.forgetting = true
    this.settleAs('recovering', `${this.options.me} has lost its memory: ${why}`)
    void this.inTurn(async () => {
      await this.store.forget(why)
      await this.store.identify()
      this.forgetting = false
      this.settle()
    })
  }

  /** A frame without the byte that says whose it is. Throws MalformedBytes. */
  received(from: string, bytes: Uint8Array): void {
    const message = readMessage(bytes)
    if (this.observers.has(from) && message.type !== 'ask' && message.type !== 'query')
      throw new MalformedBytes('a message that observers do not send')
    this.refuseBeyond(largestTermIn(message))
    if (this.closed) return
    // At once: frames of roles that follow rest on it.
    if (message.type === 'memory') this.memories.claimed(from, message)
    else if (message.type === 'recalls') this.memories.recalled(from, message)
    else void this.inTurn(() => this.handle(from, message))
  }

  /** A false term that is believed would keep all later leaders from changing the members. */
  private refuseBeyond(term: number): void {
    if (term <= LARGEST_STEP) return
    const { promised } = this.store.record
    const known = Math.max(promised, this.version.term, ...this.highestTerms().values())
    if (isBeyond({ term: known }, term)) throw new MalformedBytes(`a term beyond reason: ${term}`)
  }

  /** This member has begun or ceased to hold the role `members`. */
  roleChanged(): void {
    if (!this.closed) this.requests.serve()
  }

  /** Adds and removes members; resolves when the change has ended. Any member may be asked. */
  change(change: MembershipChange, signal?: AbortSignal): Promise<Configuration> {
    return this.requests.request(change, signal)
  }

  close(): void {
    this.closed = true
    this.begun?.stop()
    this.requests.close()
    this.times.close()
    for (const gathering of [...this.gatherings]) gathering.stop(new Abandoned('closed'))
  }

  // What follows is for the other files of this folder.

  nextSequence = (): number => ++this.sequence

  send(to: string, message: MembershipMessage): void {
    if (!this.closed) this.host.send(to, writeMessage(message))
  }

  /** Asks a member, or this one. */
  ask(to: string, message: OrderedMessage): void {
    if (to !== this.options.me) this.send(to, message)
    else void this.inTurn(() => this.handle(to, message))
  }

  gather<Type extends MembershipAnswer['type']>(
    question: GatheringQuestion<Type>,
  ): Promise<ReadonlyMap<string, MembershipMessageOf<Type>>> {
    const gathering = new Gathering(this, question)
    this.gatherings.add(gathering)
    gathering.repeat()
    return gathering.done
  }

  fail(why: string): void {
    if (this.failure !== null) return
    this.failure = why
    this.host.failed(why)
  }

  /** Members who are about to be added are dialled. */
  invite(added: ReadonlyMap<string, string>): void {
    this.invited.clear()
    for (const [name, address] of added) this.invited.set(name, address)
    this.dial()
  }

  /** Takes a configuration if it is newer. Resolves when it is on disk. */
  take(configuration: Configuration): Promise<void> {
    return this.inTurn(() => this.takeNow(configuration))
  }

  /** The same for what runs in turn already. */
  async takeNow(configuration: Configuration): Promise<void> {
    const mark = this.configuration?.mark ?? this.store.marked?.mark ?? configuration.mark
    if (configuration.mark !== mark) return
    if (compareVersions(configuration.version, this.version) <= 0) return
    const had = this.store.record.memory
    await this.store.write({ configuration, memory: this.memoryUnder(configuration) })
    if (!had && this.store.record.memory) this.confirm()
    this.memories.configured()
    this.memories.tell(this.peers)
    this.host.configured(configuration)
    this.dial()
    this.settle()
    // Members learn it from each other's requests; observers get none.
    for (const name of this.observers) this.send(name, { type: 'news', configuration })
    this.requests.serve()
    this.versions.taken()
  }

  /** The mark of a bootstrap arrives; resolves to why it is refused, or to an empty text. */
  async mark(configuration: Configuration): Promise<string> {
    if (this.begun instanceof Bootstrap) return this.begun.mark(configuration)
    const has = this.store.marked?.mark === configuration.mark
    return has ? '' : `${this.options.me} was not started to bootstrap`
  }

  /** This member knows what its lost memory could have told. */
  async recovered(promised: number, learned: ReadonlyMap<string, number>): Promise<void> {
    await this.inTurn(async () => {
      if (this.standing !== 'recovering') return
      const highest = Math.max(promised, this.store.record.promised)
      const { next: generation } = this.memories
      await this.store.write({ promised: highest, memory: true, learned, generation, lost: '' })
      this.memories.tell(this.peers)
      this.settle()
    })
  }

  /** The others have said what they remember of this member, or some have. */
  compared(): void {
    if (this.standing === 'confirming') this.settle()
  }

  settleAs(standing: Standing, why: string): void {
    if (standing === this.standing && why === this.why) return
    this.standing = standing
    this.why = why
    this.host.standing(standing, why)
  }

  /** Tasks that read and write what is on disk run one after the other. */
  inTurn(task: () => Promise<void> | void): Promise<void> {
    const run = async () => {
      if (this.failure !== null || this.closed) return
      try {
        await task()
      } catch (error) {
        this.fail((error as Error).message)
      }
    }
    this.turn = this.turn.then(run)
    return this.turn
  }

  private dial(): void {
    const { me, members } = this.options
    const peers = new Map<string, string>(this.invited)
    if (this.mine === undefined) for (const [name, { address }] of members) peers.set(name, address)
    if (this.configuration !== null)
      for (const { name, address } of everybodyIn(this.configuration))
        peers.set(name, members.get(name)?.address ?? address)
    peers.delete(me)
    this.host.dial(peers)
  }

  private async handle(from: string, message: OrderedMessage): Promise<void> {
    switch (message.type) {
      case 'ask':
        if (this.configuration !== null)
          this.send(from, { type: 'news', configuration: this.configuration })
        return
      case 'news':
        return this.takeNow(message.configuration)
      case 'query':
      case 'read':
      case 'propose':
      case 'floors':
      case 'mark': {
        const answer = await answerTo(this, message)
        if (answer === null) return
        return from === this.options.me ? this.answered(from, answer) : this.send(from, answer)
      }
      case 'ready':
        if (this.begun instanceof Bootstrap) this.begun.ready(message.mark, message.wait)
        return
      case 'change':
        return this.requests.requested(from, message)
      case 'changed':
        return this.requests.answered(message)
      default:
        this.answered(from, message)
    }
  }

  private answered(from: string, answer: MembershipAnswer): void {
    const trusted = from === this.options.me || this.memories.trusts(from)
    // Facts say themselves whether they count.
    if (!trusted && answer.type !== 'facts' && answer.type !== 'marked') return
    for (const gathering of [...this.gatherings]) gathering.answered(from, answer)
  }

  /** A member that is added brings its storage; under its number no other one has voted. */
  private memoryUnder(configuration: Configuration): boolean {
    const entry = entryOf(configuration, this.options.me)
    if (entry === undefined) return false
    if (this.store.record.memory && this.mine?.id === entry.id) return true
    return entry.store === this.store.id
  }

  /** Says what this member is, and begins what it has to do. */
  private settle(): void {
    const { me, bootstrap } = this.options
    const { configuration, memory, lost } = this.store.record
    if (this.standing === 'refused' || this.forgetting) return
    if (memory) {
      this.begin(null)
      const { missing } = this.memories
      if (missing.length === 0) this.confirmed = true
      if (this.confirmed)
        this.settleAs('voting', `${me} votes in configuration ${configurationText(configuration!)}`)
      else this.settleAs('confirming', `${me} asks ${missing.join(', ')} what they know of it`)
      return
    }
    if (configuration === null && bootstrap && lost === '') {
      if (this.begun === null) this.begin(new Bootstrap(this))
      return
    }
    if (configuration !== null && this.mine === undefined) {
      this.begin(null)
      this.settleAs(...this.left(configuration))
      this.requests.left(configuration)
    } else if (!(this.begun instanceof Recovery)) this.begin(new Recovery(this))
  }

  private left(configuration: Configuration): [Standing, string] {
    const { me } = this.options
    const version = versionText(configuration.version)
    const was = ['voting', 'confirming', 'removed'].includes(this.standing)
    return was
      ? ['removed', `${me} was removed by configuration ${version}: it waits to be added again`]
      : ['outside', `${me} is not in configuration ${version}: it waits to be added`]
  }

  private begin(next: Bootstrap | Recovery | null): void {
    if (this.begun === next) return
    this.begun?.stop()
    this.begun = next
    next?.begin()
  }
}
