import { randomInt } from 'node:crypto'
import { ceilLog2 } from '../core/language/logarithm.ts'
import type { Link, RandomDelay } from '../core/language/net.ts'
import { Driver, type OutcomeChange } from '../core/runtime/driver.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import { Random } from '../core/runtime/random.ts'
import type { State, Status } from '../core/runtime/state.ts'
import { AggregateInput } from './aggregate-input.ts'
import { announcesKeys, keyOf } from './dynamic-keys.ts'
import type { MemberOptions } from './member-options.ts'

/** The messages of the algorithm that a member sent and received. */
export interface MessageCounts {
  /** Sent, by message type. */
  readonly byType: Readonly<Record<string, number>>
  /** Sent, of all types. */
  readonly total: number
  /** The size of the sent messages in bits, as theory counts it. */
  readonly bits: number
  readonly received: number
  /** Sent over links that were down, and lost. */
  readonly toDead: number
}

/** The connection of a driver to its member. */
interface NodeEnvironment {
  send(link: Link, kind: number, body: AnyBody): void
  /** A timer fires: to be handled by `timerFired`. */
  timerFires(timer: number): void
  /** Whether the failure detector, if there is one, trusts the neighbour. */
  up(link: Link): boolean
  /** The key of this node changed: the neighbours must know before they get other frames. */
  announceKey(): void
}

/** The driver of one node in real time, with the timers of the JavaScript runtime. */
export class NodeDriver extends Driver {
  my: State
  readonly n: number
  readonly links: readonly Link[]
  readonly degree: number
  /** Whether the outcome changed; reset by the member. */
  outcomeChanged = false
  /** The term in which this node leads; null where it does not, or there are no terms. */
  term: number | null = null
  /** The ids or keys of the neighbours, as configured or as announced. */
  private readonly peers: Map<Link, number>
  /** The link whose neighbour changed its key, while the algorithm is notified. */
  private replaced: Link | null = null
  private readonly announcesKeys: boolean
  private keyRead = false
  private resolvePeers = () => {}
  private readonly weights: ReadonlyMap<Link, number>
  private readonly input: AggregateInput | null
  private readonly generator: Random
  private readonly timers: MemberTimers
  private readonly unit: number
  private readonly uidBits: number
  private readonly sent: number[]
  private bits = 0
  private received = 0
  private toDead = 0

  constructor(
    private readonly options: MemberOptions,
    private readonly environment: NodeEnvironment,
  ) {
    const { algorithm, n, transport, id, unit = 1000, uidBits = 53 } = options
    super(algorithm, transport.links[0] ?? 0)
    const { params = {}, previousState, aggregateSource } = options
    this.input = aggregateSource
      ? new AggregateInput(aggregateSource, options, (link) => this.up(link))
      : null
    this.my = algorithm.layout.create(id, params)
    if (previousState !== undefined) this.my = algorithm.layout.recovered(previousState, id, params)
    this.input?.into(this.my)
    this.n = n
    this.announcesKeys = announcesKeys(options)
    this.peers = new Map(this.announcesKeys ? [] : options.peers)
    this.weights = options.weights ?? new Map()
    this.generator = options.random ?? Random.from(randomInt(2 ** 47))
    this.links = transport.links
    this.degree = transport.links.length
    this.unit = unit
    this.uidBits = uidBits
    this.sent = algorithm.kinds.map(() => 0)
    this.timers = new MemberTimers((timer) => environment.timerFires(timer))
  }

  protected get node(): number {
    return this.options.position
  }

  /** A timer is set: this node may act although no message arrives. */
  get hasTimers(): boolean {
    return this.timers.pending
  }

  get counts(): MessageCounts {
    const byType = this.algorithm.kinds.map(({ name }, kind) => [name, this.sent[kind]])
    return {
      byType: Object.fromEntries(byType),
      total: this.sent.reduce((a, b) => a + b, 0),
      bits: this.bits,
      received: this.received,
      toDead: this.toDead,
    }
  }

  start(): void {
    this.beginEvent()
    const slept = this.my.status === 'asleep'
    if (this.updateKey() && !slept) this.revive()
    else {
      if (!slept) this.withdraw()
      this.wake()
    }
  }

  accept(link: Link, kind: number, body: AnyBody): void {
    this.received++
    this.beginEvent(link)
    if (this.my.status === 'asleep') this.updateKey()
    this.receive(this.my, kind, body)
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
    this.environment.announceKey()
    return true
  }

  /** Whether the key of a neighbour is not known, or may have changed while it was down. */
  isPeerUnknown(link: Link): boolean {
    return !this.peers.has(link) || !this.up(link)
  }

  /** Resolves when the keys of all neighbours that are up are known. */
  peersKnown(): Promise<void> {
    return new Promise((resolve) => {
      this.resolvePeers = resolve
      this.checkPeers()
    })
  }

  /** A neighbour announces its key. */
  learnKey(link: Link, key: number): void {
    const known = this.peers.get(link)
    if (known === key) return
    const replaces = !this.isPeerUnknown(link)
    if (replaces) {
      this.replaced = link
      this.notify('down', link)
      this.replaced = null
    }
    this.peers.set(link, key)
    if (replaces) this.notify('up', link)
    this.checkPeers()
  }

  private checkPeers(): void {
    if (this.links.every((link) => this.peers.has(link) || !this.up(link))) this.resolvePeers()
  }

  timerFired(timer: number): void {
    this.beginEvent()
    this.fireTimer(timer)
  }

  notify(what: 'down' | 'up', link: Link): void {
    this.beginEvent()
    const { leader } = this.my
    const leaderless = what === 'down' && leader !== null && this.peers.get(link) === leader
    // An election follows, for which the key is read again.
    if (leaderless && this.announcesKeys && this.updateKey()) this.revive()
    else this.notice(what, link)
    this.checkPeers()
  }

  /** This process was suspended for longer than the timeout: its neighbours suspect it. */
  recoverFromSuspension(): void {
    this.beginEvent()
    this.updateKey()
    this.revive()
  }

  /** Recovers like a crashed node: stable fields are kept, and it learns which links are down. */
  private revive(): void {
    const { id, params = {} } = this.options
    this.clearTimers()
    this.my = this.algorithm.layout.recovered(this.my, this.my.id ?? id, params)
    this.term = null
    this.input?.into(this.my)
    this.outcomeChanged = true
    for (const link of this.links) if (!this.up(link)) this.notice('down', link)
    this.recoverNode()
  }

  /** An event begins; `from` is the link of a message. */
  private beginEvent(from: Link = -1): void {
    this.from = from
    this.input?.expire()
  }

  clearTimers(): void {
    this.timers.clearAll()
  }

  override up(link: Link): boolean {
    return link !== this.replaced && this.environment.up(link)
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
    return this.degree === 0 ? null : this.links[this.choose(this.degree)]
  }

  override moment(span: number): number {
    return span * this.random()
  }

  protected override dispatch(link: Link, kind: number, body: AnyBody): void {
    const { kinds } = this.algorithm
    this.sent[kind]++
    this.bits += ceilLog2(kinds.length) + kinds[kind].codec.bits(body, this.uidBits)
    if (this.up(link)) this.environment.send(link, kind, body)
    else this.toDead++
  }

  protected override setTimer(timer: number, delay: number): void {
    if (!this.my.stopped) this.timers.set(timer, delay * this.unit)
  }

  protected override clearTimer(timer: number): void {
    this.timers.clear(timer)
  }

  /** Between real processes any moment will do, whole or not: fewer candidates stand at once. */
  protected override randomDelay({ from, to }: RandomDelay): number {
    return from + (to - from) * this.random()
  }

  protected override changed(what: OutcomeChange, _before: Status, term?: number): void {
    this.outcomeChanged = true
    if (what !== 'stop') this.term = term ?? null
    // Where keys travel in messages, the next election uses the present priority.
    if (what === 'withdraw' && !this.announcesKeys) this.updateKey()
    // Timers of a stopped node have no effect; waiting for them would delay the end.
    if (this.my.stopped) this.clearTimers()
  }
}

/** The longest delay of a JavaScript timer; a longer one would fire at once. */
const LONGEST_DELAY = 2 ** 31 - 1

/** The timers of one member, by number, in real milliseconds. */
export class MemberTimers {
  private readonly timers = new Map<number, NodeJS.Timeout>()

  constructor(private readonly fire: (timer: number) => void) {}

  get pending(): boolean {
    return this.timers.size > 0
  }

  set(timer: number, milliseconds: number): void {
    this.clear(timer)
    const delay = Math.min(milliseconds, LONGEST_DELAY)
    const timeout = setTimeout(() => {
      if (milliseconds > delay) return this.set(timer, milliseconds - delay)
      this.timers.delete(timer)
      this.fire(timer)
    }, delay)
    this.timers.set(timer, timeout)
  }

  clear(timer: number): void {
    clearTimeout(this.timers.get(timer))
    this.timers.delete(timer)
  }

  clearAll(): void {
    for (const timer of [...this.timers.keys()]) this.clear(timer)
  }
}
