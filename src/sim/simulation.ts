import type { Link } from '../core/language/net.ts'
import type { Property } from '../core/language/problem.ts'
import { linksOf, type Topology } from '../core/language/topology.ts'
import type { CorruptedMessage, World } from '../core/language/world.ts'
import { Driver, type OutcomeChange } from '../core/runtime/driver.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import type { State, Status } from '../core/runtime/state.ts'
import { initialStates, type StateReader, type States } from '../core/runtime/states.ts'
import { observed } from '../core/trace/observed.ts'
import { Coins } from './coins.ts'
import { type Conditions, hasExtras, type Observers, spoil } from './conditions.ts'
import { Counters, LinkCounters } from './counters.ts'
import { type MessageOverrides, overridesIn } from './faults/message-overrides.ts'
import { PropertyMonitor } from './property-monitor.ts'
import type { DeliveryTarget, MessagesInFlight } from './queue/messages-in-flight.ts'
import { momentAt } from './queue/time-grid.ts'
import { Timeline } from './queue/timeline.ts'
import { messagesInFlight } from './queue/timing-wheel.ts'
import { type EventSource, type RecordedMessage, Recorder } from './recorder.ts'
import { type Specialised, specialised } from './specialised.ts'
import { TimeLimit } from './stability.ts'

/** The value of `from` while no message is handled. */
const NO_LINK = -1
/** Events and messages are counted in batches of this size, so that counts stay small integers. */
const BATCH = 2 ** 24

/** How a run ended: nothing was left to do, or a limit stopped it. */
export type RunEnd = 'quiet' | 'limit'

/**
 * One run of a world: a deterministic discrete-event simulator. The events of one moment are
 * ordered: faults, deliveries in order of sending, spontaneous starts, timers in order of setting.
 * The synchronous round r is the moment r - 1, with a delay of one time unit for every message.
 */
export class Simulation extends Driver implements DeliveryTarget {
  readonly n: number
  protected node = -1
  protected readonly topology: Topology
  private readonly linkLists: (readonly Link[])[] = []
  private readonly coins: Coins
  override chance = (p: number): boolean => this.coins.chance(this.node, p)
  /** For observers: reading changes nothing. The engine and its handlers use the store. */
  readonly states: StateReader
  protected readonly store: States
  readonly monitor: PropertyMonitor
  readonly linkCounters: LinkCounters | null
  /** When each node last sent, for algorithms that never fall silent. */
  readonly lastSent: Float64Array | null
  readonly overrides: MessageOverrides | null
  readonly counters: Counters
  /** Messages that reached a crashed node, that were lost, and that were duplicated. */
  toDead = 0
  lost = 0
  duplicated = 0
  /** Time of the last receipt at a live node; -1 before the first. */
  lastReceipt = -1
  now = 0
  readonly inFlight: MessagesInFlight
  readonly timeline: Timeline
  /** Whether the properties are due: always, if they must be judged after each event. */
  protected checkDue: boolean
  protected leadersChanged = false
  /** Whether a node may have stopped: otherwise an event need not look. */
  protected anyStopped: boolean
  /** The number of sleeping nodes: at 0 a delivery need not look for one. */
  protected asleepCount: number
  /** The delay of the timer that is set: V8 would allocate a fraction to pass it to a function. */
  private timerDelay = 0.5
  private timersFired = 0
  /** Whether the limit on messages, or on timers that fire, was reached. */
  limitReached = false
  /** The total number of messages at which the limit is checked next. */
  protected allowance: number
  readonly timeLimit: TimeLimit
  protected observed: boolean
  private readonly spoilBodies: boolean
  protected readonly recorder: Recorder | null
  readonly onRecords: Specialised['onRecords'] | null
  private readonly onMoment: ((at: number) => void) | null
  protected readonly offset: number

  constructor(
    readonly world: World,
    readonly conditions: Conditions,
    properties: readonly Property[],
    observers: Observers = {},
  ) {
    super(observed(world.algorithm, observers.handling), world.topology.firstLink)
    const { topology, algorithm } = world
    this.topology = topology
    this.n = topology.n
    this.coins = new Coins(world, conditions)
    this.asleepCount = topology.n
    this.anyStopped = world.corrupted !== undefined
    this.store = initialStates(world)
    this.states = this.store.reader
    observers.states?.(this.states)
    this.counters = new Counters(world)
    this.recorder = observers.trace ? new Recorder(world, observers.trace) : null
    this.onMoment = observers.moment ?? null
    this.linkCounters = observers.traffic ? new LinkCounters(topology) : null
    this.lastSent = algorithm.quiet === 'never' ? new Float64Array(this.n).fill(-1) : null
    this.overrides = overridesIn(conditions)
    this.inFlight = messagesInFlight(world, conditions, (this.recorder ?? this.overrides) !== null)
    this.timeline = new Timeline(conditions, this.n, algorithm, observers.handling)
    this.allowance = Math.min(conditions.maxMessages, BATCH)
    this.timeLimit = new TimeLimit(algorithm, conditions.until)
    this.observed = (this.recorder ?? this.linkCounters) !== null
    this.spoilBodies = observers.spoilBodies === true
    this.offset = conditions.synchronous ? 1 : 0
    this.monitor = new PropertyMonitor(world, this.states, properties, conditions)
    this.checkDue = this.monitor.stepwise
    const usual = new.target === Simulation && !hasExtras(observers)
    const fast = usual ? specialised(algorithm, this.inFlight.arrivals.inOrder) : null
    this.onRecords = fast?.onRecords ?? null
    if (fast !== null) Object.assign(this, fast)
  }

  /** Puts a message in flight that nobody has sent, before the run begins. */
  inject({ node, link, kind, body }: CorruptedMessage): void {
    this.node = node
    this.dispatch(link, kind, body)
  }

  /** Runs until no event is left or a limit is reached. */
  finish(): RunEnd {
    let end = this.run(BATCH)
    while (end === null) end = this.run(BATCH)
    return end
  }

  /** Runs like `finish`, but not beyond a moment. */
  finishUntil(moment: number): RunEnd {
    this.timeLimit.horizon = Math.min(moment, this.timeLimit.end)
    return this.finish()
  }

  /** No timer fires any more: what is in flight, and replies to it, is the rest of the run. */
  stopTimers(): void {
    this.timeline.stopTimers()
  }

  /** Runs like `finish`, but for at most `events` events; null means that there are more. */
  run(events: number): RunEnd | null {
    this.monitor.checkInitialState(this.offset)
    const { inFlight, timeline, timeLimit } = this
    let left = events
    while (left > 0) {
      left -= inFlight.deliver(this, left)
      if (this.limitReached) return 'limit'
      if (left === 0) break
      const skips = this.onMoment === null && this.now < timeline.first
      if (skips && inFlight.advanceToNext(timeline.first, timeLimit.horizon)) {
        this.now = inFlight.now
      } else {
        const done = this.now < timeline.first ? 0 : this.startNext() ? 1 : this.fireDueTimers(left)
        left -= done
        const end = done === 0 ? this.advance() : null
        if (end !== null) return end
      }
    }
    return null
  }

  override get time(): number {
    return this.now + this.offset
  }

  /** Looked up, not kept: a pointer kept here would need a write barrier for each event. */
  get my(): State {
    return this.store.at(this.node)
  }

  /** Changes an input of a node, between two events. */
  setInput(node: number, name: 'value' | 'chosen', value: number): void {
    this.store.set(node, name, value)
  }

  peer(link: Link): number {
    return this.world.ids[this.world.topology.neighbor(this.node, link)]
  }

  up(_link: Link): boolean {
    return true
  }

  weight(link: Link): number {
    return this.world.weights?.[this.topology.channel(this.node, link)] ?? 0
  }

  get degree(): number {
    return this.topology.degree(this.node)
  }

  get links(): readonly Link[] {
    this.linkLists[this.degree] ??= linksOf(this.topology, this.node)
    return this.linkLists[this.degree]
  }

  choose(k: number): number {
    return this.coins.choose(this.node, k)
  }

  random(): number {
    return this.coins.random.unit()
  }

  pick(): Link | null {
    return this.coins.pick(this.node)
  }

  moment(span: number): number {
    return this.coins.moment(span)
  }

  protected dispatch(link: Link, kind: number, body: AnyBody): void {
    const { topology, node, counters } = this
    const number = counters.total
    if (number === this.allowance && !this.allowMore()) return
    const to = topology.neighbor(node, link)
    const back = topology.back(node, link)
    const channel = topology.channel(node, link)
    counters.count(kind, this.inFlight.send(kind, body, to, back, channel, number))
    if (this.lastSent !== null) this.lastSent[node] = this.now
    if (this.observed === true) this.observeSending(link, { number, kind, body })
  }

  protected setTimer(timer: number, delay: number): void {
    this.timerDelay = delay
    this.setDelayed(timer)
  }

  /** Sets a timer with the delay `timerDelay`. */
  private setDelayed(timer: number): void {
    const delay = this.timerDelay
    if (delay > this.timeLimit.longestTimer && !this.timeline.timersStopped)
      this.timeLimit.lengthen(delay)
    this.timeline.setTimer(this.node, timer, momentAt(this.now + delay, this.now))
  }

  protected clearTimer(timer: number): void {
    this.timeline.clearTimer(this.node, timer)
  }

  protected override bind(timer: number): boolean {
    return this.timeline.bind(this.node, timer, this.now)
  }

  protected override unbind(): void {
    this.timeline.unbind(this.node)
  }

  protected changed(what: OutcomeChange, before: Status, term?: number): void {
    this.anyStopped ||= what === 'stop'
    if (what === 'stop') this.timeline.clearTimers(this.node)
    this.announce(what, before, this.my.leader, term)
  }

  /** The outcome of the current node takes effect. */
  protected announce(what: OutcomeChange, before: Status, leader: number | null, term?: number) {
    this.checkDue = true
    const changes = this.monitor.outcomeChanges(this.node, what, before, this.now, term, leader)
    if (changes) this.leadersChanged = true
    this.recorder?.outcome(this.source, what, leader, term)
  }

  onArrival(node: number, link: Link, kind: number, body: AnyBody): boolean {
    const my = this.store.at(node)
    this.node = node
    this.from = link
    if (this.observed === true && this.observeArrival(my, kind, body) === false) return true
    this.lastReceipt = this.now
    if (this.asleepCount > 0 && my.status === 'asleep') {
      this.asleepCount--
      this.wakeByMessage(my)
    }
    this.handle(my, kind, body)
    if (this.checkDue === true) this.checkProperties()
    if (this.spoilBodies === true) spoil(body)
    return !this.limitReached
  }

  protected observeSending(link: Link, message: RecordedMessage): void {
    this.linkCounters?.sending(this.node, this.topology.channel(this.node, link))
    this.recorder?.send(this.source, link, message)
  }

  /** The part of a delivery that only some runs need; false where the node has crashed. */
  private observeArrival(my: State, kind: number, body: AnyBody): boolean {
    const { node, inFlight, recorder } = this
    const alive = this.monitor.alive(node)
    const message = { number: inFlight.number, kind, body }
    if (recorder !== null) recorder.arrival(this.source, this.from, message, alive ? my : null)
    if (this.linkCounters !== null && alive) this.linkCounters.received[node]++
    if (!alive) this.toDead++
    return alive
  }

  /** The allowance is a small integer, which compares quickly; the limit may be larger. */
  protected allowMore(): boolean {
    const { maxMessages } = this.conditions
    this.limitReached = this.counters.total >= maxMessages
    this.allowance = Math.min(maxMessages, this.counters.total + BATCH)
    return !this.limitReached
  }

  /** Starts the next node that is due to start; false when there is none. */
  private startNext(): boolean {
    for (;;) {
      const node = this.timeline.takeStart(this.now)
      if (node < 0) return false
      if (this.store.at(node).status !== 'asleep' || !this.monitor.alive(node)) continue
      this.node = node
      this.from = NO_LINK
      this.recorder?.record(this.source, { event: 'wake' })
      this.asleepCount--
      this.wake()
      this.monitor.starts(this.time)
      if (this.checkDue) this.checkProperties()
      return true
    }
  }

  /** Fires at most `most` timers that are due; returns how many. No message arrives meanwhile. */
  private fireDueTimers(most: number): number {
    const { timers } = this.algorithm
    let fired = 0
    while (fired < most && !this.limitReached) {
      const cell = this.timeline.takeTimer(this.now)
      if (cell < 0) break
      fired++
      // The limit on messages also stops timers that keep setting each other.
      if (this.timersFired++ === this.conditions.maxMessages) this.limitReached = true
      const timer = cell % timers.length
      this.node = ((cell - timer) / timers.length) | 0
      this.from = NO_LINK
      this.recorder?.record(this.source, { event: 'timeout', timer: timers[timer].name })
      this.fireTimer(timer)
      if (this.checkDue) this.checkProperties()
    }
    if (fired < most) this.timeline.update()
    return fired
  }

  /** Bound leaderships end at the beginning of a moment, before anything else happens in it. */
  protected beginMoment(now: number): void {
    for (let node = this.timeline.takeBound(now); node >= 0; node = this.timeline.takeBound(now)) {
      this.node = node
      this.recorder?.record(this.source, { event: 'expire' })
      this.endBound()
    }
    if (this.checkDue) this.checkProperties()
  }

  /** No message is in flight and no timer is set: whether that triggers a further event. */
  protected onIdle(): boolean {
    return false
  }

  /** Goes to the next moment that has an event, if there is one within the limit. */
  private advance(): RunEnd | null {
    const { inFlight, timeline } = this
    if (this.onMoment !== null) this.onMoment(this.now + this.offset)
    if (this.now >= timeline.first) timeline.update()
    const arrival = inFlight.first
    // Math.min would turn integer times into float64s.
    let next = timeline.first
    if (arrival < next) next = arrival
    if (arrival === Number.POSITIVE_INFINITY && !timeline.timersPending && this.onIdle())
      return null
    if (next === Number.POSITIVE_INFINITY) return 'quiet'
    if (next > this.timeLimit.horizon) return 'limit'
    this.now = next
    inFlight.advance(next)
    if (next === timeline.first) this.beginMoment(next)
    return null
  }

  protected get source(): EventSource {
    return { at: this.now + this.offset, node: this.node }
  }

  protected checkProperties(): void {
    this.monitor.check(this.leadersChanged, this.now + this.offset)
    this.leadersChanged = false
    this.checkDue = this.monitor.stepwise
  }
}
