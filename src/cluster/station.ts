import { randomInt } from 'node:crypto'
import { Driver } from '../core/driver.ts'
import { ceilLog2 } from '../core/logarithm.ts'
import type { Link } from '../core/net.ts'
import type { AnyBody } from '../core/packing.ts'
import { Random } from '../core/random.ts'
import type { State } from '../core/state.ts'
import { Alarms } from './alarms.ts'
import { keyOf, type MemberOptions } from './membership.ts'

/** What a member has sent and received of the algorithm's messages. */
export interface Counts {
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
}

/** The driver of one node in real time: its net hands messages out, its timers are Node's. */
export class Station extends Driver {
  my: State
  readonly n: number
  readonly links: readonly Link[]
  readonly degree: number
  /** Whether the outcome has changed since somebody last looked. */
  news = false
  private readonly peers: ReadonlyMap<Link, number>
  private readonly weights: ReadonlyMap<Link, number>
  private readonly coins: Random
  private readonly alarms: Alarms
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
    const { params = {}, earlier } = options
    this.my = algorithm.form.create(id, params)
    if (earlier !== undefined) this.my = algorithm.form.revived(earlier, id, params)
    this.n = n
    this.peers = options.peers ?? new Map()
    this.weights = options.weights ?? new Map()
    this.coins = options.random ?? Random.from(randomInt(2 ** 47))
    this.links = transport.links
    this.degree = transport.links.length
    this.unit = unit
    this.uidBits = uidBits
    this.sent = algorithm.kinds.map(() => 0)
    this.alarms = new Alarms((alarm) => surroundings.alarm(alarm))
  }

  protected get node(): number {
    return this.options.position
  }

  /** An alarm is set: this node may yet act although no message comes. */
  get waiting(): boolean {
    return this.alarms.pending
  }

  get counts(): Counts {
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
    this.from = -1
    this.appraise()
    this.wake()
  }

  accept(link: Link, kind: number, body: AnyBody): void {
    this.received++
    this.from = link
    if (this.my.status === 'asleep') this.appraise()
    this.receive(this.my, kind, body)
  }

  /** Takes as its key what it is worth now, and its id in the lower digits. */
  private appraise(): void {
    const { worth, id } = this.options
    if (worth !== undefined) this.my.id = keyOf(worth(), id)
  }

  sound(alarm: number): void {
    this.from = -1
    this.ring(alarm)
  }

  notify(what: 'down' | 'up', link: Link): void {
    this.from = -1
    this.notice(what, link)
  }

  /** Begins anew, like one that was dead: it knows what is stable, and which links are down. */
  recover(down: readonly Link[]): void {
    const { id, params = {} } = this.options
    this.silence()
    this.my = this.algorithm.form.revived(this.my, id, params)
    this.news = true
    for (const link of down) this.notify('down', link)
    this.start()
  }

  silence(): void {
    this.alarms.clearAll()
  }

  override up(link: Link): boolean {
    return this.surroundings.up(link)
  }

  override weight(link: Link): number {
    return this.weights.get(link)!
  }

  override peer(link: Link): number {
    return this.peers.get(link)!
  }

  override choose(k: number): number {
    return this.coins.below(k)
  }

  override random(): number {
    return this.coins.unit()
  }

  protected override dispatch(link: Link, kind: number, body: AnyBody): void {
    const { kinds } = this.algorithm
    this.sent[kind]++
    this.bits += ceilLog2(kinds.length) + kinds[kind].packing.bits(body, this.uidBits)
    if (this.up(link)) this.surroundings.send(link, kind, body)
    else this.toDead++
  }

  protected override setAlarm(alarm: number, delay: number): void {
    if (!this.my.stopped) this.alarms.set(alarm, delay * this.unit)
  }

  protected override clearAlarm(alarm: number): void {
    this.alarms.clear(alarm)
  }

  protected override changed(): void {
    this.news = true
    // Nobody will answer the alarms of a node that has stopped; waiting for them delays the end.
    if (this.my.stopped) this.silence()
  }
}
