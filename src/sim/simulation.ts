import type { Link } from '../core/language/net.ts'
import type { Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import type { OutcomeChange } from '../core/runtime/driver.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import type { State, Status } from '../core/runtime/state.ts'
import { initialStates, type StateReader, type States } from '../core/runtime/states.ts'
import { type Conditions, type Observers, spoil } from './conditions.ts'
import { Counters } from './counters.ts'
import { type MessageOverrides, overridesIn } from './faults/message-overrides.ts'
import { LinkCounters } from './link-counters.ts'
import { NodeView } from './node-view.ts'
import { PropertyMonitor } from './property-monitor.ts'
import { type DeliveryTarget, MessagesInFlight } from './queue/messages-in-flight.ts'
import { momentAt } from './queue/moment.ts'
import { Prefetcher } from './queue/prefetcher.ts'
import { Timeline } from './queue/timeline.ts'
import { type EventSource, type RecordedMessage, Recorder } from './recorder.ts'

/** What `from` is while no message is being handled. */
const NOWHERE = -1
/** So many messages, or events, at a time that their numbers stay small integers. */
const MANY = 2 ** 24
/** So many states stay close to the processor by themselves. */
const CACHED = 4096

export type RunEnd = 'quiet' | 'limit'

/**
 * One run of a world. A deterministic discrete-event simulator: the order of what happens at one
 * moment is upheavals, deliveries in order of sending, spontaneous starts, timers in order of
 * setting. A synchronous round r is the moment r - 1 with every message taking one time unit.
 */
export class Simulation extends NodeView implements DeliveryTarget {
  /** For observers: reading changes nothing. The engine itself and its handlers use the store. */
  readonly states: StateReader
  protected readonly store: States
  readonly monitor: PropertyMonitor
  readonly linkCounters: LinkCounters | null
  readonly overrides: MessageOverrides | null
  readonly counters: Counters
  /** Messages that reached a dead node, that the network lost, and that it doubled. */
  toDead = 0
  lost = 0
  duplicated = 0
  /** Time of the last receipt at a live node; -1 before the first. */
  lastReceipt = -1
  now = 0

  readonly inFlight: MessagesInFlight
  protected readonly timeline: Timeline
  protected outcomeChanged = false
  protected leadersChanged = false
  /** How many nodes are asleep: where none is, nobody need be looked at. */
  protected asleepCount: number
  private timersFired = 0
  readonly prefetcher: Prefetcher | null
  /** Whether there were more messages, or alarms, than there may be. */
  limitReached = false
  private draining = false
  /** How many messages may be sent before the limit is looked at. */
  protected allowance: number
  /** Nothing happens after this for now. */
  private horizon: number
  /** The same where arrivals alone need no more ado. */
  private fastUntil: number
  /** Whether sending and receiving need more than the handlers. */
  protected observed: boolean
  private readonly spoilBodies: boolean
  protected readonly recorder: Recorder | null
  private readonly onMoment: ((at: number) => void) | null
  protected readonly offset: number

  constructor(
    world: World,
    readonly conditions: Conditions,
    properties: readonly Property[],
    watching: Observers = {},
  ) {
    super(world, conditions.random.split('coins'))
    const { topology, algorithm } = world
    this.asleepCount = topology.n
    this.store = initialStates(world)
    this.states = this.store.reader
    this.prefetcher = this.n > CACHED ? new Prefetcher(this.store) : null
    this.counters = new Counters(world)
    this.recorder = watching.trace ? new Recorder(world, watching.trace) : null
    this.onMoment = watching.moment ?? null
    this.linkCounters = watching.traffic ? new LinkCounters(topology) : null
    this.overrides = overridesIn(conditions)
    this.inFlight = new MessagesInFlight(
      world,
      conditions,
      (this.recorder ?? this.overrides) !== null,
    )
    this.timeline = new Timeline(conditions, this.n, algorithm.timers.length, this.prefetcher)
    this.allowance = Math.min(conditions.maxMessages, MANY)
    this.horizon = conditions.until
    this.fastUntil = watching.moment ? NOWHERE : conditions.until
    this.observed = this.recorder !== null || this.linkCounters !== null
    this.spoilBodies = watching.spoilBodies === true
    this.offset = conditions.synchronous ? 1 : 0
    this.monitor = new PropertyMonitor(world, this.states, properties, conditions)
  }

  /** Runs until nothing is left to do or a limit is hit. */
  finish(): RunEnd {
    for (;;) {
      const ending = this.run(MANY)
      if (ending !== null) return ending
    }
  }

  /** The same, but not beyond a moment. */
  finishUntil(moment: number): RunEnd {
    this.horizon = Math.min(moment, this.conditions.until)
    if (this.onMoment === null) this.fastUntil = this.horizon
    return this.finish()
  }

  /** Lets everything in flight arrive, and what answers it; no alarm goes off any more. */
  drain(): RunEnd {
    const { inFlight, timeline } = this
    this.draining = true
    for (let node = 0; node < this.n; node++) timeline.clearTimers(node)
    let ending: RunEnd = 'quiet'
    for (
      let next = inFlight.first;
      next < Number.POSITIVE_INFINITY && !this.limitReached;
      next = inFlight.first
    )
      ending = this.finishUntil(next)
    return ending
  }

  /** The same as `finish`, but not beyond so many events: null says that there are more. */
  run(events: number): RunEnd | null {
    const { inFlight, timeline } = this
    let left = events
    while (left > 0) {
      left -= inFlight.deliver(this, left)
      if (this.limitReached) return 'limit'
      if (left === 0) break
      if (this.now < timeline.first && inFlight.advanceToNext(timeline.first, this.fastUntil)) {
        this.now = inFlight.now
      } else {
        const done = this.now < timeline.first ? 0 : this.startNext() ? 1 : this.fireDueTimers(left)
        left -= done
        const ending = done === 0 ? this.advance() : null
        if (ending !== null) return ending
      }
    }
    return null
  }

  /** Looked up, not kept: a pointer kept here would cost the collector's bookkeeping each time. */
  get my(): State {
    return this.store.at(this.node)
  }

  /** What a node is given changes, between two events. */
  setInput(node: number, name: 'value' | 'chosen', value: number): void {
    this.store.set(node, name, value)
  }

  protected dispatch(link: Link, kind: number, body: AnyBody): void {
    const { topology, node, counters } = this
    const number = counters.total
    if (number === this.allowance && !this.allowMore()) return
    const to = topology.neighbor(node, link)
    const back = topology.back(node, link)
    const channel = topology.channel(node, link)
    counters.count(kind, this.inFlight.send(kind, body, to, back, channel, number))
    if (this.observed === true) this.observeSending(link, { number, kind, body })
  }

  protected setTimer(alarm: number, delay: number): void {
    if (this.draining === true) return
    this.timeline.setTimer(this.node, alarm, momentAt(this.now + delay, this.now))
  }

  protected clearTimer(alarm: number): void {
    this.timeline.clearTimer(this.node, alarm)
  }

  protected changed(what: OutcomeChange, before: Status): void {
    this.outcomeChanged = true
    if (what === 'stop') this.timeline.clearTimers(this.node)
    if (what === 'lead') {
      this.monitor.becomesLeader(this.node, this.now)
      this.leadersChanged = true
    } else if (before === 'leader' && what !== 'stop') {
      this.monitor.stopsLeading(this.node, this.now)
      this.leadersChanged = true
    }
    if (this.recorder === null) return
    if (what !== 'follow') this.recorder.record(this.source, { event: what })
    else this.recorder.follow(this.source, this.my.leader)
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
    if (this.outcomeChanged === true) this.checkProperties()
    if (this.spoilBodies === true) spoil(body)
    return !this.limitReached
  }

  protected observeSending(link: Link, letter: RecordedMessage): void {
    this.linkCounters?.sending(this.node, this.topology.channel(this.node, link))
    this.recorder?.send(this.source, link, letter)
  }

  /** What only some runs need at a delivery; false where the node is dead. */
  private observeArrival(my: State, kind: number, body: AnyBody): boolean {
    const { node, inFlight, recorder } = this
    const alive = this.monitor.alive(node)
    const letter = { number: inFlight.number, kind, body }
    if (recorder !== null) recorder.arrival(this.source, this.from, letter, alive ? my : null)
    if (this.linkCounters !== null && alive) this.linkCounters.received[node]++
    if (!alive) this.toDead++
    return alive
  }

  /** The allowance is a small integer, which is quick to compare; the limit need not be one. */
  protected allowMore(): boolean {
    const { maxMessages } = this.conditions
    this.limitReached = this.counters.total >= maxMessages
    this.allowance = Math.min(maxMessages, this.counters.total + MANY)
    return !this.limitReached
  }

  /** Starts the next node whose time has come; false when there is none. */
  private startNext(): boolean {
    for (;;) {
      const node = this.timeline.takeStart(this.now)
      if (node < 0) return false
      if (this.store.at(node).status !== 'asleep' || !this.monitor.alive(node)) continue
      this.node = node
      this.from = NOWHERE
      this.recorder?.record(this.source, { event: 'wake' })
      this.asleepCount--
      this.wake()
      if (this.outcomeChanged) this.checkProperties()
      return true
    }
  }

  /** Lets alarms that are due go off, at most so many; returns how many. No message comes now. */
  private fireDueTimers(most: number): number {
    let rung = 0
    while (rung < most && !this.limitReached && this.fireNextTimer()) rung++
    if (rung < most) this.timeline.update()
    return rung
  }

  /** Lets the next alarm that is due go off; false when there is none. */
  private fireNextTimer(): boolean {
    const place = this.timeline.takeTimer(this.now)
    if (place < 0) return false
    // Alarms that set each other off for ever are stopped by the limit on messages.
    if (this.timersFired++ === this.conditions.maxMessages) this.limitReached = true
    const { timers } = this.algorithm
    const alarm = place % timers.length
    this.node = ((place - alarm) / timers.length) | 0
    this.from = NOWHERE
    this.recorder?.record(this.source, { event: 'timeout', timer: timers[alarm].name })
    this.fireTimer(alarm)
    if (this.outcomeChanged) this.checkProperties()
    return true
  }

  /** What changes the world at the beginning of a moment; nothing here. */
  protected applyFaults(_now: number): void {}

  /** Nothing is under way: whether that brings something about. */
  protected onIdle(): boolean {
    return false
  }

  /** Goes to the next moment in which something happens, if there is one within the limit. */
  private advance(): RunEnd | null {
    const { inFlight, timeline } = this
    if (this.onMoment !== null) this.onMoment(this.now + this.offset)
    if (this.now >= timeline.first) timeline.update()
    const arrival = inFlight.first
    // Not Math.min, which would turn whole moments into float64s.
    let next = timeline.first
    if (arrival < next) next = arrival
    if (arrival === Number.POSITIVE_INFINITY && !timeline.timersPending && this.onIdle())
      return null
    if (next === Number.POSITIVE_INFINITY) return 'quiet'
    if (next > this.horizon) return 'limit'
    this.now = next
    inFlight.advance(next)
    if (next === timeline.first) this.applyFaults(next)
    return null
  }

  protected get source(): EventSource {
    return { at: this.now + this.offset, node: this.node }
  }

  protected checkProperties(): void {
    this.outcomeChanged = false
    this.monitor.check(this.leadersChanged, this.now + this.offset)
    this.leadersChanged = false
  }
}
