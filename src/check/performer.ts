import { Complaint } from '../core/complaint.ts'
import { Driver, type OutcomeChange } from '../core/driver.ts'
import type { Link } from '../core/net.ts'
import type { AnyBody } from '../core/packing.ts'
import type { State } from '../core/state.ts'
import { linksOf } from '../core/topology.ts'
import type { World } from '../core/world.ts'
import type { Due, Local } from './local.ts'
import type { Mail } from './mail.ts'

/** What can happen to a node. */
export type Occasion =
  | { readonly event: 'wake' }
  | { readonly event: 'receive'; readonly link: Link; readonly message: number }
  | { readonly event: 'timeout'; readonly alarm: number }

/** What a handler asks for that others can notice, in its order. */
export type Deed =
  | { readonly deed: 'send'; readonly link: Link; readonly message: number }
  | { readonly deed: 'lead' | 'stop' | 'withdraw' }
  | { readonly deed: 'follow'; readonly leader: number | null }

/** What a node makes of an occasion, with one sequence of choices. */
export interface Performance {
  readonly local: Local
  readonly deeds: readonly Deed[]
  readonly draws: readonly number[]
}

interface Draw {
  value: number
  readonly of: number
}

/** A handler with more choices, or with more ways to end, is taken to have no end of them. */
const MOST_DRAWS = 1000
const MOST_WAYS = 100_000

/** Runs the handlers of single nodes on copies of their states, and notes what they ask for. */
export class Performer extends Driver {
  my!: State
  readonly n: number
  links: readonly Link[] = []
  private node = 0
  private alarms: Due[] = []
  private deeds: Deed[] = []
  private draws: Draw[] = []
  private drawn = 0
  private readonly linksByNode: readonly (readonly Link[])[]

  constructor(
    private readonly world: World,
    private readonly mail: Mail,
    private readonly timed: boolean,
  ) {
    super(world.algorithm)
    this.n = world.topology.n
    this.linksByNode = Array.from({ length: this.n }, (_, node) => linksOf(world.topology, node))
  }

  get degree(): number {
    return this.links.length
  }

  /** Every way in which the node can react: one for each sequence of choices. */
  perform(node: number, local: Local, occasion: Occasion): Performance[] {
    const ways: Performance[] = []
    this.node = node
    this.links = this.linksByNode[node]
    this.draws = []
    do {
      if (ways.length === MOST_WAYS) throw this.endless(`more than ${MOST_WAYS} ways to end`)
      ways.push(this.once(local, occasion))
    } while (this.nextDraws())
    return ways
  }

  private once(local: Local, occasion: Occasion): Performance {
    this.my = this.algorithm.form.copy(local.state)
    this.alarms = [...local.alarms]
    this.deeds = []
    this.drawn = 0
    this.from = -1
    if (occasion.event === 'wake') this.wake()
    else if (occasion.event === 'receive') {
      this.from = occasion.link
      this.receive(
        this.my,
        this.mail.kind(occasion.message).index,
        this.mail.body(occasion.message),
      )
    } else {
      this.clearAlarm(occasion.alarm)
      this.ring(occasion.alarm)
    }
    return {
      // Alarms of a node that has stopped would go off unheard; without them it is quiet at once.
      local: { state: this.my, alarms: this.my.stopped ? [] : this.alarms },
      deeds: this.deeds,
      draws: this.draws.map(({ value }) => value),
    }
  }

  /** Moves on to the next sequence of choices, the last choice first; false when all are done. */
  private nextDraws(): boolean {
    while (this.draws.length > 0) {
      const last = this.draws[this.draws.length - 1]
      if (++last.value < last.of) return true
      this.draws.pop()
    }
    return false
  }

  choose(k: number): number {
    if (!(Number.isInteger(k) && k > 0))
      throw new Complaint(
        `check ${this.algorithm.name}`,
        'net.choose needs a whole number above 0',
        `it was given ${k}`,
        'Correct the algorithm.',
      )
    if (this.drawn === MOST_DRAWS) throw this.endless(`more than ${MOST_DRAWS} choices in one go`)
    if (this.drawn === this.draws.length) this.draws.push({ value: 0, of: k })
    return this.draws[this.drawn++].value
  }

  random(): never {
    throw new Complaint(
      `check ${this.algorithm.name}`,
      'the explorer tries every outcome of a coin',
      'net.random() has too many',
      'Use net.choose(k), or simulate it with `conclave run`.',
    )
  }

  peer(link: Link): number {
    return this.world.ids[this.world.topology.neighbor(this.node, link)]
  }

  up(): boolean {
    return true
  }

  weight(link: Link): number {
    return this.world.weights?.[this.world.topology.channel(this.node, link)] ?? 0
  }

  protected dispatch(link: Link, kind: number, body: AnyBody): void {
    if (!this.links.includes(link))
      throw new Complaint(
        `check ${this.algorithm.name}`,
        `position ${this.node} must send over one of its links (${this.links.join(', ')})`,
        `it sends over link ${link}`,
        'Correct the algorithm.',
      )
    const message = this.mail.numberOf(this.algorithm.kinds[kind], body)
    this.deeds.push({ deed: 'send', link, message })
  }

  /** Alarms due at one moment go off in the order in which they were set. */
  protected setAlarm(alarm: number, delay: number): void {
    this.clearAlarm(alarm)
    if (!this.timed) {
      this.alarms.push({ alarm, left: 0 })
      this.alarms.sort((a, b) => a.alarm - b.alarm)
      return
    }
    // An alarm that no clock could count up to never goes off.
    if (delay > Number.MAX_SAFE_INTEGER) return
    if (!Number.isInteger(delay))
      throw new Complaint(
        `check ${this.algorithm.name}`,
        'time goes in whole units in mode clocked',
        `a timer is set to ${delay}`,
        'Use whole delays, or another mode.',
      )
    const later = this.alarms.findIndex((due) => due.left > delay)
    this.alarms.splice(later < 0 ? this.alarms.length : later, 0, { alarm, left: delay })
  }

  protected clearAlarm(alarm: number): void {
    this.alarms = this.alarms.filter((due) => due.alarm !== alarm)
  }

  protected changed(what: OutcomeChange): void {
    if (what === 'follow') this.deeds.push({ deed: what, leader: this.my.leader })
    else this.deeds.push({ deed: what })
  }

  private endless(given: string): Complaint {
    return new Complaint(
      `check ${this.algorithm.name}`,
      'a handler must have a bounded number of outcomes',
      `one has ${given}`,
      'Draw less in one handler.',
    )
  }
}
