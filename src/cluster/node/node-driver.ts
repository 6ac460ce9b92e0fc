import { randomBytes, randomInt } from 'node:crypto'
import type { Link, RandomDelay } from '../../core/language/net.ts'
import { Driver, type OutcomeChange } from '../../core/runtime/driver.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import { Random } from '../../core/runtime/random.ts'
import type { State, Status } from '../../core/runtime/state.ts'
import { UsageError } from '../../core/usage-error.ts'
import { AggregateInput } from '../aggregate-input.ts'
import { type Clock, systemClock } from '../clock.ts'
import { announcesKeys, keyOf } from '../dynamic-keys.ts'
import { Leadership, timeLeft } from './leadership.ts'
import { MessageBytes } from './message-bytes.ts'
import { MessageCounter, type MessageCounts } from './message-counter.ts'
import { NeighbourKeys } from './neighbour-keys.ts'
import type { NodeHooks, NodeOptions, NodeOutcome } from './node-options.ts'
import { Outbox } from './outbox.ts'
import { SavedFields, StableFields } from './stable-fields.ts'
import { MemberTimers, type TimerSetting } from './timers.ts'

/** What an event may change, to be undone if its handler fails. */
interface SavedNode {
  readonly my: State
  readonly fields: readonly unknown[]
  readonly term: number | null
  readonly nextBound: TimerSetting | null
  readonly leadership: ReturnType<Leadership['save']>
}

/**
 * The driver of one node in real time. An event of the node runs one handler. Then the stable
 * fields that changed are committed, and then messages leave and leadership begins. An end of
 * leadership holds at once. Timers count from the beginning of the handler.
 */
export class NodeDriver extends Driver {
  my: State
  n: number
  links: readonly Link[]
  private readonly peers: NeighbourKeys
  private readonly announcesKeys: boolean
  private keyRead = false
  private readonly weights: ReadonlyMap<Link, number>
  private readonly former = new Set<Link>()
  private readonly input: AggregateInput | null
  private readonly generator: Random
  private readonly clock: Clock
  readonly timers: MemberTimers
  private readonly stable: StableFields
  private readonly fields: SavedFields
  private readonly outbox: Outbox
  private readonly messages: MessageBytes
  private readonly counter: MessageCounter
  private readonly leadership: Leadership
  /** The term in which handlers lead, and what their leadership is bound to. */
  private term: number | null = null
  private nextBound: TimerSetting | null = null
  /** When the present event began. */
  private began = 0
  /** Whether the present event changed the outcome, and not only prolonged it. */
  private reports = false
  private readonly ownIncarnation: string
  override chance = (p: number): boolean => this.random() < p
  private closed = false

  constructor(
    private readonly options: NodeOptions,
    private readonly hooks: NodeHooks,
  ) {
    const { algorithm, n, links, id } = options
    super(algorithm, links[0] ?? 0)
    const { params = {}, previousState, aggregateSource, stored, storage, clock } = options
    this.input = aggregateSource
      ? new AggregateInput(aggregateSource, options, (link) => this.up(link))
      : null
    this.my = algorithm.layout.create(id, params)
    if (previousState !== undefined) this.my = algorithm.layout.recovered(previousState, id, params)
    if (stored) StableFields.restore(algorithm, stored, this.my)
    this.input?.into(this.my)
    this.n = n
    this.links = links
    this.announcesKeys = announcesKeys(options)
    this.peers = new NeighbourKeys(
      this.announcesKeys ? [] : (options.peers ?? []),
      (link) => hooks.up(link),
      () => this.links,
    )
    this.weights = options.weights ?? new Map()
    this.generator = options.random ?? Random.from(randomInt(2 ** 47))
    this.ownIncarnation = options.incarnation ?? randomBytes(8).toString('hex')
    this.counter = new MessageCounter(algorithm, options.uidBits ?? 53)
    this.clock = clock ?? systemClock
    this.leadership = new Leadership(this.clock, this.ownOutcome(), () =>
      this.run(() => this.event(() => {})),
    )
    this.timers = new MemberTimers(
      (timer) => this.run(() => this.event(() => this.fireTimer(timer))),
      this.clock,
    )
    this.stable = new StableFields(algorithm, this.my)
    this.fields = new SavedFields(algorithm)
    this.messages = new MessageBytes(algorithm)
    this.outbox = new Outbox(storage ?? null, {
      run: (step) => this.run(step),
      failed: (error) => {
        this.close()
        hooks.failed?.(error)
      },
    })
  }

  get degree(): number {
    return this.links.length
  }

  /** The outcome that holds at this moment. */
  get outcome(): NodeOutcome {
    return this.leadership.outcome(this.my.status)
  }

  /** Whether this node leads at this moment, by the clocks. */
  leads(): boolean {
    return this.remaining() > 0
  }

  /** The milliseconds for which it leads if nothing prolongs it; 0 where it does not lead. */
  remaining(): number {
    return this.leadership.remaining
  }

  protected get node(): number {
    return this.options.position
  }

  /** A timer is set: this node may act although no message arrives. */
  get mayAct(): boolean {
    return this.timers.pending || this.outbox.pending
  }

  get counts(): MessageCounts {
    return this.counter.counts
  }

  /** Starts it, or lets it recover; a node that runs begins another election. */
  start(): void {
    this.event(() => {
      const slept = this.my.status === 'asleep'
      const { stored, recovers = Boolean(stored) } = this.options
      if (this.updateKey() && !slept) this.revive()
      else if (slept && recovers) this.recoverNode()
      else {
        if (!slept) this.withdraw()
        this.wake()
      }
    })
  }

  /** The bytes of a message arrive; throws MalformedBytes unless they are one. */
  acceptBytes(link: Link, bytes: Uint8Array): void {
    const { kind, body } = this.messages.read(bytes)
    this.accept(link, kind, body)
  }

  accept(link: Link, kind: number, body: AnyBody): void {
    this.counter.received++
    this.event(() => {
      if (this.my.status === 'asleep') this.updateKey()
      this.receive(this.my, kind, body)
    }, link)
  }

  /** The application asks this node for something: a message type that comes over no link. */
  request(message: string, body: AnyBody): void {
    const kind = this.algorithm.kinds.find(({ word }) => word === message)
    if (kind === undefined)
      throw new UsageError(this.algorithm.name, `it has no message type ${message}.`)
    this.event(() => this.receive(this.my, kind.index, body))
  }

  /** A neighbour joins; the detector says when it is up. */
  addLink(link: Link, peer?: number): void {
    if (!this.links.includes(link)) this.links = [...this.links, link]
    if (peer !== undefined) this.peers.set(link, peer)
  }

  /** A neighbour leaves; if it was up, the algorithm must be notified first that it is down. */
  removeLink(link: Link): void {
    this.links = this.links.filter((other) => other !== link)
    this.former.add(link)
    this.peers.delete(link)
  }

  /**
   * Reads the priority and returns whether the key changed. The first key stays where an algorithm
   * knows its peers and cannot handle that they change.
   */
  updateKey(): boolean {
    const { priority, id } = this.options
    if (priority === undefined) return false
    if (this.keyRead && this.announcesKeys && this.algorithm.up === null) return false
    this.keyRead = true
    const key = keyOf(priority(), id)
    if (key === this.my.id) return false
    this.my.id = key
    this.hooks.announceKey?.()
    return true
  }

  /** Whether the key of a neighbour is not known, or may have changed while it was down. */
  isPeerUnknown(link: Link): boolean {
    return this.peers.isUnknown(link)
  }

  /** Resolves when the keys of all neighbours that are up are known. */
  peersKnown(): Promise<void> {
    return this.peers.known()
  }

  /** A neighbour announces its key. */
  learnKey(link: Link, key: number): void {
    this.peers.learn(link, key, (what) => this.notify(what, link))
  }

  notify(what: 'down' | 'up', link: Link): void {
    this.event(() => {
      const { leader } = this.my
      const leaderless = what === 'down' && leader !== null && this.peers.get(link) === leader
      // An election follows, for which the key is read again.
      if (leaderless && this.announcesKeys && this.updateKey()) this.revive()
      else this.notice(what, link)
    })
    this.peers.check()
  }

  /** This process was suspended and is suspected. Algorithms that rest on clocks just go on. */
  recoverFromSuspension(): void {
    this.event(() => {
      if (this.bindable) return
      this.updateKey()
      this.revive()
    })
  }

  /** Recovers like a crashed node: stable fields are kept, and it learns which links are down. */
  private revive(): void {
    const { id, params = {} } = this.options
    this.timers.clearAll()
    this.my = this.algorithm.layout.recovered(this.my, this.my.id ?? id, params)
    this.input?.into(this.my)
    this.term = null
    for (const link of this.links) if (!this.up(link)) this.notice('down', link)
    this.recoverNode()
    this.publish(null)
  }

  /** Runs one handler, then commits and sends; if it throws, nothing has happened. */
  private event(handle: () => void, from: Link = -1): void {
    if (this.closed) return
    this.from = from
    this.began = this.clock.now()
    this.reports = false
    this.input?.expire()
    const saved = this.save()
    try {
      if (this.leadership.isOver) this.endBound()
      handle()
    } catch (error) {
      this.undo(saved)
      throw error
    }
    if (this.reports) this.outbox.add(() => this.hooks.outcomeChanged?.())
    this.outbox.close(this.stable.changed(this.my))
  }

  private run(step: () => void): void {
    this.hooks.run === undefined ? step() : this.hooks.run(step)
  }

  private save(): SavedNode {
    const { my, term, nextBound } = this
    this.timers.save()
    const [fields, leadership] = [this.fields.save(my), this.leadership.save()]
    return { my, term, nextBound, fields, leadership }
  }

  private undo({ my, term, nextBound, fields, leadership }: SavedNode): void {
    this.my = my
    this.fields.restore(my, fields)
    this.term = term
    this.nextBound = nextBound
    this.timers.restore()
    this.outbox.discard()
    this.leadership.restore(leadership)
  }

  /** Ends: it neither sends nor leads any more. */
  close(): void {
    if (this.closed) return
    this.closed = true
    this.timers.clearAll()
    this.outbox.stop()
    this.leadership.close()
  }

  override up(link: Link): boolean {
    return this.peers.up(link)
  }

  override weight(link: Link): number {
    return this.weights.get(link)!
  }

  override peer(link: Link): number {
    // No node has the key -1: it stands for a neighbour that was never up.
    return this.peers.get(link) ?? -1
  }

  override choose(k: number): number {
    return this.generator.below(k)
  }

  override random(): number {
    return this.generator.unit()
  }

  override pick(): Link | null {
    const { outLinks = this.degree } = this.options
    return this.degree === 0 ? null : this.links[this.choose(Math.min(outLinks, this.degree))]
  }

  override moment(span: number): number {
    return span * this.random()
  }

  protected override dispatch(link: Link, kind: number, body: AnyBody): void {
    this.counter.count(kind, body)
    const bytes = this.messages.write(kind, body)
    if (this.up(link)) this.outbox.add(() => this.hooks.send(link, bytes))
    else this.counter.toDead++
  }

  protected override setTimer(timer: number, delay: number): void {
    const { unit = 1000, align = (_, exact) => exact } = this.options
    this.timers.set(timer, align(this.algorithm.timers[timer].word, delay * unit), this.began)
  }

  protected override clearTimer(timer: number): void {
    this.timers.clear(timer)
  }

  /** Between real processes any moment will do, whole or not: fewer candidates stand at once. */
  protected override randomDelay({ from, to }: RandomDelay): number {
    return from + (to - from) * this.random()
  }

  protected override bind(timer: number): boolean {
    const setting = this.timers.setting(timer)
    if (setting === undefined || timeLeft(setting, this.clock) <= 0) return false
    this.nextBound = setting
    return true
  }

  protected override prolonged(): void {
    this.publish(this.nextBound, false)
  }

  protected override unbind(): void {
    this.nextBound = null
  }

  protected override changed(what: OutcomeChange, _before: Status, term?: number): void {
    if (what !== 'stop') this.term = term ?? null
    this.publish(what === 'stop' || what === 'lead' ? this.nextBound : null)
    // Where keys travel in messages, the next election uses the present priority.
    if (what === 'withdraw' && !this.announcesKeys) this.updateKey()
    // Timers of a stopped node have no effect; waiting for them would delay the end.
    if (this.my.stopped) this.timers.clearAll()
  }

  /** The outcome changed, and will hold outside in turn. */
  private publish(bound: TimerSetting | null, report = true): void {
    this.outbox.add(this.leadership.change(this.ownOutcome(), bound))
    if (report) this.reports = true
  }

  private ownOutcome(): NodeOutcome {
    const { status, leader, stopped } = this.my
    return { status, leader, stopped, term: this.term }
  }

  /** What is sent to a neighbour that has left is lost: the algorithm may still remember it. */
  override hasLink(link: Link): boolean {
    return this.links.includes(link) || this.former.has(link)
  }

  override get incarnation(): string {
    return this.ownIncarnation
  }

  override majority(links: Iterable<Link>, own: boolean): boolean {
    return this.options.majority?.(links, own) ?? super.majority(links, own)
  }
}
