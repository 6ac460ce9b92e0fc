import { randomInt } from 'node:crypto'
import { ceilLog2 } from '../core/language/logarithm.ts'
import type { Link } from '../core/language/net.ts'
import { Driver, type OutcomeChange } from '../core/runtime/driver.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import { Random } from '../core/runtime/random.ts'
import type { State } from '../core/runtime/state.ts'
import { AggregateInput } from './aggregate-input.ts'
import { keyFor, tellsKeys } from './dynamic-keys.ts'
import type { MemberOptions } from './member-options.ts'
import { MemberTimers } from './timers.ts'

/** What a member has sent and received of the algorithm's messages. */
export interface MessageCounts {
  /** Sent, by the names of the message types. */
  readonly byType: Readonly<Record<string, number>>
  /** Sent, of all types. */
  readonly total: number
  /** Bits that theory charges for what was sent. */
  readonly bits: number
  readonly received: number
  /** Sent over links that were down, and gone. */
  readonly toDead: number
}

/** What a station has done to it, and does, outside of itself. */
interface Surroundings {
  send(link: Link, kind: number, body: AnyBody): void
  /** An alarm goes off: to be handled by `sound`. */
  alarm(alarm: number): void
  /** What the failure detector says, where there is one. */
  up(link: Link): boolean
  /** This node goes by another key: to be told to the neighbours before anything else. */
  announce(): void
}

/** The driver of one node in real time: its net hands messages out, its timers are Node's. */
export class NodeDriver extends Driver {
  my: State
  readonly n: number
  readonly links: readonly Link[]
  readonly degree: number
  /** Whether the outcome has changed since somebody last looked. */
  news = false
  /** As they were given, or as the neighbours have told. */
  private readonly peers: Map<Link, number>
  /** The link behind which one has gone and another has come, while the algorithm is told. */
  private replaced: Link | null = null
  private readonly tellsKeys: boolean
  private appraised = false
  private acquainted = () => {}
  private readonly weights: ReadonlyMap<Link, number>
  private readonly input: AggregateInput | null
  private readonly coins: Random
  private readonly alarms: MemberTimers
  private readonly unit: number
  private readonly uidBits: number
  private readonly sent: number[]
  private bits = 0
  private received = 0
  private toDead = 0

  constructor(
    private readonly options: MemberOptions,
    private readonly surroundings: Surroundings,
  ) {
    const { algorithm, n, transport, id, unit = 1000, uidBits = 53 } = options
    super(algorithm, transport.links[0] ?? 0)
    const { params = {}, earlier, brings } = options
    const input = brings && new AggregateInput(brings, options, (link) => this.up(link))
    this.input = input ?? null
    this.my = algorithm.layout.create(id, params)
    if (earlier !== undefined) this.my = algorithm.layout.recovered(earlier, id, params)
    this.input?.into(this.my)
    this.n = n
    this.tellsKeys = tellsKeys(options)
    this.peers = new Map(this.tellsKeys ? [] : options.peers)
    this.weights = options.weights ?? new Map()
    this.coins = options.random ?? Random.from(randomInt(2 ** 47))
    this.links = transport.links
    this.degree = transport.links.length
    this.unit = unit
    this.uidBits = uidBits
    this.sent = algorithm.kinds.map(() => 0)
    this.alarms = new MemberTimers((alarm) => surroundings.alarm(alarm))
  }

  protected get node(): number {
    return this.options.position
  }

  /** An alarm is set: this node may yet act although no message comes. */
  get waiting(): boolean {
    return this.alarms.pending
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
    this.turn()
    const slept = this.my.status === 'asleep'
    if (this.appraise() && !slept) this.beginAnew()
    else {
      if (!slept) this.withdraw()
      this.wake()
    }
  }

  accept(link: Link, kind: number, body: AnyBody): void {
    this.received++
    this.turn(link)
    if (this.my.status === 'asleep') this.appraise()
    this.receive(this.my, kind, body)
  }

  /**
   * Takes as its key what it is worth now, and says whether that is another than before. Where an
   * algorithm knows its peers and has no answer to their changing, the first one stays.
   */
  appraise(): boolean {
    const { worth, id } = this.options
    if (worth === undefined) return false
    if (this.appraised && this.tellsKeys && this.algorithm.up === null) return false
    this.appraised = true
    const key = keyFor(worth(), id)
    if (key === this.my.id) return false
    this.my.id = key
    this.surroundings.announce()
    return true
  }

  /** Whether the neighbour behind a link has not said yet who it is, or may be another by now. */
  isStranger(link: Link): boolean {
    return !this.peers.has(link) || !this.up(link)
  }

  /** Resolves when all neighbours that are there have told their keys. */
  acquaintance(): Promise<void> {
    return new Promise((resolve) => {
      this.acquainted = resolve
      this.lookForStrangers()
    })
  }

  /** The neighbour behind a link tells its key. */
  meet(link: Link, key: number): void {
    const known = this.peers.get(link)
    if (known === key) return
    const replaces = !this.isStranger(link)
    if (replaces) {
      this.replaced = link
      this.notify('down', link)
      this.replaced = null
    }
    this.peers.set(link, key)
    if (replaces) this.notify('up', link)
    this.lookForStrangers()
  }

  private lookForStrangers(): void {
    if (this.links.every((link) => this.peers.has(link) || !this.up(link))) this.acquainted()
  }

  sound(alarm: number): void {
    this.turn()
    this.fireTimer(alarm)
  }

  notify(what: 'down' | 'up', link: Link): void {
    this.turn()
    const { leader } = this.my
    const leaderless = what === 'down' && leader !== null && this.peers.get(link) === leader
    // An election follows, in which it may stand as another.
    if (leaderless && this.tellsKeys && this.appraise()) this.beginAnew()
    else this.notice(what, link)
    this.lookForStrangers()
  }

  /** This process was stopped for so long that the others have taken it for dead. */
  recover(): void {
    this.turn()
    this.appraise()
    this.beginAnew()
  }

  /** Like one that was dead: it knows what is stable, and which links are down. */
  private beginAnew(): void {
    const { id, params = {} } = this.options
    this.silence()
    this.my = this.algorithm.layout.recovered(this.my, this.my.id ?? id, params)
    this.input?.into(this.my)
    this.news = true
    for (const link of this.links) if (!this.up(link)) this.notice('down', link)
    this.recoverNode()
  }

  /** An event begins: a message over a link, or something without one. */
  private turn(from: Link = -1): void {
    this.from = from
    this.input?.expire()
  }

  silence(): void {
    this.alarms.clearAll()
  }

  override up(link: Link): boolean {
    return link !== this.replaced && this.surroundings.up(link)
  }

  override weight(link: Link): number {
    return this.weights.get(link)!
  }

  override peer(link: Link): number {
    // Nobody goes by -1: who has never been heard is dead, and compares with nobody.
    return this.peers.get(link) ?? -1
  }

  override choose(k: number): number {
    return this.coins.below(k)
  }

  override random(): number {
    return this.coins.unit()
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
    if (this.up(link)) this.surroundings.send(link, kind, body)
    else this.toDead++
  }

  protected override setTimer(alarm: number, delay: number): void {
    if (!this.my.stopped) this.alarms.set(alarm, delay * this.unit)
  }

  protected override clearTimer(alarm: number): void {
    this.alarms.clear(alarm)
  }

  protected override changed(what: OutcomeChange): void {
    this.news = true
    // Who learns of the others by messages joins the next election as what it is worth now.
    if (what === 'withdraw' && !this.tellsKeys) this.appraise()
    // Nobody will answer the alarms of a node that has stopped; waiting for them delays the end.
    if (this.my.stopped) this.silence()
  }
}
