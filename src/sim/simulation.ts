import { Driver, type OutcomeChange } from '../core/driver.ts'
import { ceilLog2 } from '../core/logarithm.ts'
import type { Link } from '../core/net.ts'
import type { AnyBody } from '../core/packing.ts'
import type { Property } from '../core/problem.ts'
import type { Random } from '../core/random.ts'
import type { State, Status } from '../core/state.ts'
import { linksOf, type Topology } from '../core/topology.ts'
import { sleeper, uidBits, type World } from '../core/world.ts'
import { Alarms } from './alarms.ts'
import type { Conditions, Watching } from './conditions.ts'
import { Flight } from './flight.ts'
import { type Place, Recorder } from './recorder.ts'
import { Referee } from './referee.ts'
import { Tallies } from './tallies.ts'

/** What `from` is while no message is being handled. */
const NOWHERE = -1

export type Ending = 'quiet' | 'limit'

/**
 * One run of a world. A deterministic discrete-event simulator: the order of what happens at one
 * moment is crashes, deliveries in order of sending, spontaneous starts, timers in order of setting.
 * A synchronous round r is the moment r - 1 with every message taking one time unit.
 */
export class Simulation extends Driver {
  readonly n: number
  readonly states: State[]
  readonly referee: Referee
  readonly tallies: Tallies | null
  /** Messages sent, by kind. */
  readonly sent: Float64Array
  /** Messages sent, those of them that reached a dead node, and alarms that went off. */
  total = 0
  toDead = 0
  private rung = 0
  private unevenBits = 0
  /** Time of the last receipt at a live node; -1 before the first. */
  lastReceipt = -1
  now = 0

  private node = -1
  private readonly topology: Topology
  private readonly flight: Flight
  private readonly alarms: Alarms
  private readonly coins: Random
  private readonly uidBits: number
  /** Bits charged for each message of a kind, as far as all are charged the same. */
  private readonly charges: readonly number[]
  /** Whether that is the whole charge, for every kind. */
  private readonly allEven: boolean
  private unsettled = false
  private leadersChanged = false
  private readonly linkLists: (readonly Link[])[] = []
  private nextStart = 0
  private nextCrash = 0
  private cut = false
  /** When the next thing happens that no message brings about. */
  private agenda = 0
  private readonly maxMessages: number
  private readonly until: number
  /** Whether deliveries need more than the handler. */
  private readonly watched: boolean
  private readonly spoilBodies: boolean
  private readonly recorder: Recorder | null
  private readonly offset: number

  constructor(
    readonly world: World,
    readonly conditions: Conditions,
    properties: readonly Property[],
    private readonly watching: Watching = {},
  ) {
    super(world.algorithm)
    const { topology, algorithm } = world
    this.topology = topology
    this.n = topology.n
    this.states = Array.from({ length: this.n }, (_, node) => sleeper(world, node))
    this.sent = new Float64Array(algorithm.kinds.length)
    this.uidBits = uidBits(world)
    this.allEven = algorithm.kinds.every(({ packing }) => packing.evenBits)
    const typeBits = ceilLog2(algorithm.kinds.length)
    this.charges = algorithm.kinds.map(({ packing }) =>
      packing.evenBits ? typeBits + packing.bits(packing.start(), this.uidBits) : typeBits,
    )
    this.recorder = watching.trace ? new Recorder(world, watching.trace) : null
    this.tallies = watching.tallies ? new Tallies(topology) : null
    this.flight = new Flight(world, conditions, this.recorder !== null)
    this.alarms = new Alarms(this.n, algorithm.alarms.length)
    this.coins = conditions.random.split('coins')
    this.maxMessages = conditions.maxMessages
    this.until = conditions.until
    const crashing = conditions.crashes.nodes.length > 0
    this.watched = crashing || this.recorder !== null || this.tallies !== null
    this.spoilBodies = watching.spoilBodies === true
    this.offset = conditions.synchronous ? 1 : 0
    this.referee = new Referee(world, this.states, properties, conditions.synchronous)
    this.crash(-1)
    this.plan()
  }

  /** Runs until nothing is left to do, a limit is hit, or so many events have passed (null). */
  run(events = Number.POSITIVE_INFINITY): Ending | null {
    const { flight } = this
    for (let left = events; left > 0; left--) {
      if (flight.arrive() === true) this.deliver()
      else if (this.now < this.agenda || !(this.startNext() || this.ringNext())) {
        const ending = this.moveOn()
        if (ending !== null) return ending
      }
      if (this.cut === true) return 'limit'
    }
    return null
  }

  /** Bits that theory charges for all messages sent. */
  get bits(): number {
    return this.charges.reduce(
      (sum, charge, kind) => sum + charge * this.sent[kind],
      this.unevenBits,
    )
  }

  /** Looked up, not kept: a pointer kept here would cost the collector's bookkeeping each time. */
  get my(): State {
    return this.states[this.node]
  }

  /** The node at the other end of a link; what algorithms that know their peers see of it. */
  peer(link: Link): number {
    return this.world.ids[this.world.topology.neighbor(this.node, link)]
  }

  get degree(): number {
    return this.world.topology.degree(this.node)
  }

  get links(): readonly Link[] {
    const { degree } = this
    this.linkLists[degree] ??= linksOf(this.world.topology, this.node)
    return this.linkLists[degree]
  }

  choose(k: number): number {
    return this.coins.below(k)
  }

  random(): number {
    return this.coins.unit()
  }

  protected dispatch(link: Link, kind: number, body: AnyBody): void {
    const { topology, node, total: number } = this
    if (number === this.maxMessages) {
      this.cut = true
      return
    }
    this.total = number + 1
    this.sent[kind]++
    if (this.allEven === false) this.charge(kind, body)
    const channel = topology.channel(node, link)
    const to = topology.neighbor(node, link)
    this.flight.send(kind, body, to, topology.back(node, link), channel, number)
    if (this.tallies !== null) this.tallies.sending(node, channel)
    if (this.recorder !== null) this.recorder.send(this.place, link, { number, kind, body })
  }

  protected setAlarm(alarm: number, delay: number): void {
    this.alarms.set(this.node, alarm, this.now + delay)
    this.agenda = Math.min(this.agenda, this.now + delay)
  }

  protected clearAlarm(alarm: number): void {
    this.alarms.clear(this.node, alarm)
    this.plan()
  }

  protected changed(what: OutcomeChange, before: Status): void {
    this.unsettled = true
    if (what === 'stop' && this.alarms.size > 0) {
      this.alarms.clearAll(this.node)
      this.plan()
    }
    if (what === 'lead') {
      this.referee.takesOffice(this.node, this.now)
      this.leadersChanged = true
    } else if (before === 'leader' && what === 'follow') {
      this.referee.leavesOffice(this.node)
      this.leadersChanged = true
    }
    if (this.recorder === null) return
    const event = what === 'follow' ? { event: what, leader: this.my.leader } : { event: what }
    this.recorder.record(this.place, event)
  }

  private deliver(): void {
    const { flight } = this
    const node = flight.to
    const kind = flight.kind
    const my = this.states[node]
    this.node = node
    this.from = flight.link
    const body = flight.body(kind)
    if (this.watched === true && this.observe(my, kind, body) === false) return
    this.lastReceipt = this.now
    this.receive(my, kind, body)
    if (this.spoilBodies === true) for (const field in body) body[field] = Symbol('spoiled')
    if (this.unsettled === true) this.settle()
  }

  /** What only some runs need at a delivery; false where the node is dead. */
  private observe(my: State, kind: number, body: AnyBody): boolean {
    const { node, flight, recorder } = this
    const alive = this.referee.alive(node)
    const letter = { number: flight.number, kind, body }
    if (recorder !== null) recorder.arrival(this.place, this.from, letter, alive ? my : null)
    if (this.tallies !== null && alive) this.tallies.received[node]++
    if (!alive) this.toDead++
    return alive
  }

  private charge(kind: number, body: AnyBody): void {
    const { packing } = this.algorithm.kinds[kind]
    if (!packing.evenBits) this.unevenBits += packing.bits(body, this.uidBits)
  }

  /** Starts the next node whose time has come; false when there is none. */
  private startNext(): boolean {
    const { nodes, times } = this.conditions.starts
    while (this.nextStart < nodes.length && times[this.nextStart] <= this.now) {
      const node = nodes[this.nextStart++]
      if (this.states[node].status !== 'asleep' || !this.referee.alive(node)) continue
      this.node = node
      this.from = NOWHERE
      this.recorder?.record(this.place, { event: 'wake' })
      this.wake()
      if (this.unsettled) this.settle()
      return true
    }
    return false
  }

  /** Lets the next alarm that is due go off; false when there is none. */
  private ringNext(): boolean {
    if (this.alarms.size === 0 || this.alarms.first > this.now) return false
    if (this.rung++ === this.conditions.maxMessages) this.cut = true
    const kinds = this.algorithm.alarms.length
    const place = this.alarms.take()
    const alarm = place % kinds
    this.node = (place - alarm) / kinds
    this.from = NOWHERE
    if (!this.my.stopped)
      this.recorder?.record(this.place, {
        event: 'timeout',
        timer: this.algorithm.alarms[alarm].name,
      })
    this.ring(alarm)
    if (this.unsettled) this.settle()
    return true
  }

  private crash(now: number): void {
    const { nodes, times } = this.conditions.crashes
    while (this.nextCrash < nodes.length && times[this.nextCrash] <= now) {
      const node = nodes[this.nextCrash++]
      if (!this.referee.alive(node)) continue
      this.node = node
      this.alarms.clearAll(node)
      this.referee.dies(node)
      this.leadersChanged = true
      this.recorder?.record(this.place, { event: 'crash' })
      this.settle()
    }
  }

  /** Goes to the next moment in which something happens, if there is one within the limit. */
  private moveOn(): Ending | null {
    this.watching.moment?.(this.now + this.offset)
    if (this.now >= this.agenda) this.plan()
    const { flight, agenda } = this
    const arrival = flight.first
    const next = Math.min(arrival, agenda)
    if (next > this.until) return next === Number.POSITIVE_INFINITY ? 'quiet' : 'limit'
    this.now = next
    flight.advance(next)
    if (next === agenda) this.crash(next)
    return null
  }

  private plan(): void {
    const { starts, crashes } = this.conditions
    this.agenda = Math.min(
      this.alarms.size > 0 ? this.alarms.first : Number.POSITIVE_INFINITY,
      this.nextStart < starts.nodes.length
        ? starts.times[this.nextStart]
        : Number.POSITIVE_INFINITY,
      this.nextCrash < crashes.nodes.length
        ? crashes.times[this.nextCrash]
        : Number.POSITIVE_INFINITY,
    )
  }

  private get place(): Place {
    return { at: this.now + this.offset, node: this.node }
  }

  private settle(): void {
    this.unsettled = false
    this.referee.look(this.leadersChanged, this.now + this.offset)
    this.leadersChanged = false
  }
}
