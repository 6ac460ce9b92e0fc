import { Driver, type OutcomeChange } from '../core/driver.ts'
import { ceilLog2 } from '../core/logarithm.ts'
import type { Link } from '../core/net.ts'
import type { AnyBody, Packing } from '../core/packing.ts'
import type { Property } from '../core/problem.ts'
import type { Random } from '../core/random.ts'
import type { State, Status } from '../core/state.ts'
import { linksOf } from '../core/topology.ts'
import type { TraceEvent } from '../core/trace.ts'
import { sleeper, uidBits, type World } from '../core/world.ts'
import { Alarms } from './alarms.ts'
import type { Conditions, Watching } from './conditions.ts'
import { Flight } from './flight.ts'
import { Referee } from './referee.ts'
import { Tallies } from './tallies.ts'

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
  private readonly flight: Flight
  private readonly alarms: Alarms
  private readonly coins: Random
  private readonly uidBits: number
  /** Bits charged for each message of a kind, as far as all are charged the same. */
  private readonly charges: readonly number[]
  private readonly packings: readonly Packing[]
  private unsettled = false
  private leadersChanged = false
  private readonly linkLists: (readonly Link[])[] = []
  private nextStart = 0
  private nextCrash = 0
  private cut = false
  private readonly maxMessages: number
  private readonly spoilBodies: boolean
  private readonly tell: ((event: TraceEvent) => void) | null
  private readonly offset: number

  constructor(
    readonly world: World,
    readonly conditions: Conditions,
    properties: readonly Property[],
    private readonly watching: Watching = {},
  ) {
    super(world.algorithm)
    const { topology, algorithm } = world
    this.n = topology.n
    this.states = Array.from({ length: this.n }, (_, node) => sleeper(world, node))
    this.sent = new Float64Array(algorithm.kinds.length)
    this.uidBits = uidBits(world)
    this.packings = algorithm.kinds.map(({ packing }) => packing)
    const typeBits = ceilLog2(algorithm.kinds.length)
    this.charges = algorithm.kinds.map(({ packing }) =>
      packing.evenBits ? typeBits + packing.bits(packing.start(), this.uidBits) : typeBits,
    )
    this.tell = watching.trace ?? null
    this.tallies = watching.tallies ? new Tallies(topology) : null
    this.flight = new Flight(world, conditions, this.tell !== null)
    this.alarms = new Alarms(this.n, algorithm.alarms.length)
    this.coins = conditions.random.split('coins')
    this.maxMessages = conditions.maxMessages
    this.spoilBodies = watching.spoilBodies === true
    this.offset = conditions.synchronous ? 1 : 0
    this.referee = new Referee(world, this.states, properties, conditions.synchronous)
    this.crash(-1)
  }

  /** Runs until nothing is left to do, a limit is hit, or so many events have passed (null). */
  run(events = Number.POSITIVE_INFINITY): Ending | null {
    let left = events
    while (left > 0) {
      if (this.flight.arrive()) this.deliver()
      else if (!this.startNext() && !this.ringNext()) {
        this.watching.moment?.(this.now + this.offset)
        const next = this.nextMoment()
        if (next === Number.POSITIVE_INFINITY) return 'quiet'
        if (next > this.conditions.until) return 'limit'
        this.now = next
        this.flight.advance(next)
        this.crash(next)
        continue
      }
      if (this.cut) return 'limit'
      left--
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
    if (this.total === this.maxMessages) {
      this.cut = true
      return
    }
    const { topology } = this.world
    const { node } = this
    const to = topology.neighbor(node, link)
    const number = this.total++
    this.sent[kind]++
    const packing = this.packings[kind]
    if (!packing.evenBits) this.unevenBits += packing.bits(body, this.uidBits)
    const channel = topology.channel(node, link)
    this.flight.send(kind, body, to, topology.back(node, link), channel, number)
    if (this.tallies !== null) this.tallies.sending(node, channel)
    if (this.tell !== null) {
      const { name } = this.algorithm.kinds[kind]
      this.record({
        event: 'send',
        message: number,
        type: name,
        link,
        to,
        body: packing.plain(body),
      })
    }
  }

  protected setAlarm(alarm: number, delay: number): void {
    this.alarms.set(this.node, alarm, this.now + delay)
  }

  protected clearAlarm(alarm: number): void {
    this.alarms.clear(this.node, alarm)
  }

  protected changed(what: OutcomeChange, before: Status): void {
    this.unsettled = true
    if (what === 'lead') {
      this.referee.takesOffice(this.node, this.now)
      this.leadersChanged = true
    } else if (before === 'leader' && what === 'follow') {
      this.referee.leavesOffice(this.node)
      this.leadersChanged = true
    }
    if (this.tell === null) return
    if (what === 'follow') this.record({ event: 'follow', leader: this.my.leader })
    else this.record({ event: what })
  }

  private deliver(): void {
    const { flight } = this
    this.node = flight.to
    this.from = flight.link
    if (this.tell !== null) this.recordArrival()
    if (this.referee.anyDead && !this.referee.alive(this.node)) {
      this.toDead++
      return
    }
    this.lastReceipt = this.now
    if (this.tallies !== null) this.tallies.received[this.node]++
    const { body } = flight
    this.receive(flight.kind, body)
    if (this.spoilBodies) for (const field in body) body[field] = Symbol('spoiled')
    this.from = -1
    if (this.unsettled) this.settle()
  }

  /** Starts the next node whose time has come; false when there is none. */
  private startNext(): boolean {
    const { nodes, times } = this.conditions.starts
    while (this.nextStart < nodes.length && times[this.nextStart] <= this.now) {
      const node = nodes[this.nextStart++]
      if (this.states[node].status !== 'asleep' || !this.referee.alive(node)) continue
      this.node = node
      if (this.tell !== null) this.record({ event: 'wake' })
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
    if (this.tell !== null && !this.my.stopped) {
      this.record({ event: 'timeout', timer: this.algorithm.alarms[alarm].name })
    }
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
      if (this.tell !== null) this.record({ event: 'crash' })
      this.settle()
    }
  }

  private nextMoment(): number {
    const { starts, crashes } = this.conditions
    return Math.min(
      this.flight.first,
      this.alarms.size > 0 ? this.alarms.first : Number.POSITIVE_INFINITY,
      this.nextStart < starts.nodes.length
        ? starts.times[this.nextStart]
        : Number.POSITIVE_INFINITY,
      this.nextCrash < crashes.nodes.length
        ? crashes.times[this.nextCrash]
        : Number.POSITIVE_INFINITY,
    )
  }

  private settle(): void {
    this.unsettled = false
    this.referee.look(this.leadersChanged, this.now + this.offset)
    this.leadersChanged = false
  }

  private record(event: Unplaced<TraceEvent>): void {
    this.tell?.({ at: this.now + this.offset, node: this.node, ...event } as TraceEvent)
  }

  private recordArrival(): void {
    const { flight, my, node, from: link } = this
    const { name, packing } = this.algorithm.kinds[flight.kind]
    const record = {
      message: flight.number,
      type: name,
      link,
      from: this.world.topology.neighbor(node, link),
      body: packing.plain(flight.body),
    }
    if (!this.referee.alive(node)) {
      this.record({ event: 'vanish', ...record })
      return
    }
    this.record({
      event: 'receive',
      ...record,
      ...(my.status === 'asleep' && { woken: true }),
      ...(my.stopped && { ignored: true }),
    })
  }
}

type Unplaced<E> = E extends TraceEvent ? Omit<E, 'at' | 'node'> : never
