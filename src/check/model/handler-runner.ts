import { type Link, left, type RandomDelay } from '../../core/language/net.ts'
import { linksOf } from '../../core/language/topology.ts'
import { HandlerError } from '../../core/language/validation/handler-error.ts'
import { TypeViolation } from '../../core/language/value-types.ts'
import { constantsOf, type World } from '../../core/language/world.ts'
import { ByteWriter } from '../../core/runtime/bytes.ts'
import { Driver, type OutcomeChange } from '../../core/runtime/driver.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import type { State, Status } from '../../core/runtime/state.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { HandlerLimits } from '../options.ts'
import type { MessageTable } from './interner.ts'
import {
  type ArmedTimer,
  drawCount,
  isDue,
  type LeadershipBound,
  type LinkView,
  type LocalState,
} from './local-states.ts'
import { notifiedLinks, type Routing } from './routing.ts'
import type { HandlerAction, HandlerEvent, HandlerResult, LinkNotice } from './transition.ts'

/** A handler with more random choices or more outcomes is assumed to have unboundedly many. */
const MOST_CHOICES = 1000
const MOST_OUTCOMES = 100_000

/** Runs a handler on a copy of a local state and records its actions. */
export class HandlerRunner extends Driver {
  my!: State
  /** Whether some handler has read the id of a neighbour. */
  readsNeighbourIds = false
  /** Whether some handler needed more random choices than the limit. */
  drawLimitReached = false
  /** Whether some handler would have exceeded the bound of a field. */
  boundReached = false
  /** Whether not every value of some random delay was tried. */
  timeoutsLeftOut = false
  readonly n: number
  links: readonly Link[] = []
  protected node = 0
  private timers: ArmedTimer[] = []
  private bound: LeadershipBound | undefined
  private view!: LinkView
  private actions: HandlerAction[] = []
  private followed: readonly number[] = []
  private armed: number[] = []
  private handled: number[] = []
  private renews = false
  private readonly running: Set<number> | null
  private readonly odometer = new ChoiceOdometer()
  /** For a trial encoding, which shows whether all values are within their types. */
  private readonly scratch = new ByteWriter()
  private readonly linksByNode: readonly (readonly Link[])[]
  private readonly bounds: readonly [field: string, most: number][]

  constructor(
    private readonly world: World,
    private readonly routing: Routing,
    private readonly messages: MessageTable,
    private readonly timed: boolean,
    private readonly limits: HandlerLimits,
    /** Whether faults may occur: crashes, lost messages and the like. */
    private readonly faulty: boolean,
    /** By how many units timers may fire early or late. */
    private readonly drift: number,
    /** Whether each node keeps whom it has followed. */
    private readonly keepsFollowed: boolean,
  ) {
    super(world.algorithm, world.topology.firstLink)
    this.bounds = Object.entries(limits.bounds ?? {})
    this.running = world.coverage?.running ?? null
    this.handlers = this.handlers.map((handle, kind) => (my, body, net) => {
      handle(my, body, net)
      if (!this.wasDeferred) this.handled.push(kind)
    })
    this.handleFirst = this.handlers[0]
    this.handleSecond = this.handlers[1] ?? this.handlers[0]
    this.n = world.topology.n
    this.linksByNode = Array.from({ length: this.n }, (_, node) => linksOf(world.topology, node))
  }

  get degree(): number {
    return this.links.length
  }

  /** All outcomes of a handler: one for each sequence of random choices. */
  run(node: number, local: LocalState, trigger: HandlerEvent): HandlerResult[] {
    const outcomes: HandlerResult[] = []
    this.node = node
    this.links = this.linksByNode[node]
    this.odometer.reset()
    do {
      if (outcomes.length === MOST_OUTCOMES) throw this.unbounded(`more than ${MOST_OUTCOMES}`)
      const outcome = this.runOnce(local, trigger)
      if (outcome !== null) outcomes.push(outcome)
    } while (this.odometer.advance())
    return outcomes
  }

  /** One outcome; null where it exceeds a limit. */
  private runOnce(local: LocalState, trigger: HandlerEvent): HandlerResult | null {
    const { drawn: before = 0 } = local
    const { draws = Number.POSITIVE_INFINITY } = this.limits
    this.odometer.begin(draws - before)
    this.my = this.algorithm.layout.copy(local.state)
    this.timers = [...local.timers]
    this.bound = local.bound
    this.view = local
    this.actions = []
    this.armed = []
    this.followed = local.followed ?? []
    this.handled = []
    this.renews = false
    this.running?.clear()
    this.from = -1
    try {
      this.deliver(trigger)
      this.algorithm.layout.write(this.scratch, this.my)
      this.scratch.take()
    } catch (error) {
      if (error !== DRAW_LIMIT) return this.withTypeViolation(local, error)
      this.drawLimitReached = true
      return null
    }
    if (this.bounds.some(([field, most]) => (this.my[field] as number) > most)) {
      this.boundReached = true
      return null
    }
    const { down, renamed } = this.view
    const drawn = this.limits.draws === undefined ? undefined : before + this.odometer.drawn
    // A stopped node ignores its timers; without them it is quiescent at once.
    const timers = this.my.stopped ? [] : this.timers
    return {
      local: {
        state: this.my,
        timers,
        down,
        renamed,
        ...drawCount(drawn),
        ...(this.bound !== undefined && { bound: this.bound }),
        ...(this.followed.length > 0 && { followed: this.followed }),
      },
      actions: this.actions,
      draws: this.odometer.values,
      armed: this.armed,
      ...this.recorded,
    }
  }

  /**
   * Any other error is thrown by the handler itself and goes to its author. Where faults may lead
   * to a wrong value, the run that leads to it says more than the line.
   */
  private withTypeViolation(local: LocalState, error: unknown): HandlerResult {
    const counted = error instanceof HandlerError && error.wrongValue && this.faulty
    if (!(error instanceof TypeViolation || counted)) throw error
    const typeViolation = counted ? error.problem.replace(/\.$/, '') : error.message
    const { values: draws } = this.odometer
    const effects = { actions: [], draws, armed: [], ...this.recorded }
    return { local: { ...local, typeViolation }, ...effects, typeViolation }
  }

  /** What else the result says about the run of the handler. */
  private get recorded(): Pick<HandlerResult, 'handled' | 'renews' | 'pieces'> {
    const { handled, renews, running } = this
    return { handled, renews, pieces: running === null ? [] : [...running] }
  }

  private deliver(trigger: HandlerEvent): void {
    switch (trigger.event) {
      case 'wake':
        this.from = trigger.link ?? -1
        this.wake()
        break
      case 'receive': {
        const { link, message } = trigger
        this.from = link
        this.receive(this.my, this.messages.kind(message).index, this.messages.body(message))
        break
      }
      case 'timeout':
        // Without a clock this is the moment to which leadership may be bound.
        if (!this.timed && this.bound?.timer === trigger.timer) this.endBound()
        this.clearTimer(trigger.timer)
        this.fireTimer(trigger.timer)
        break
      case 'meet':
        this.initiator = trigger.initiator
        this.algorithm.meet!(this.my, trigger.other, this)
        this.settle(this.my)
        break
      case 'expire':
        this.makeDue(this.bound?.timer)
        this.endBound()
        break
      case 'recover':
        this.my = this.algorithm.layout.recovered(
          this.my,
          trigger.id,
          constantsOf(this.world, this.node),
          trigger.amnesia !== true,
        )
        this.view = trigger.view
        // It joins the attempt that its recovery starts.
        if (this.algorithm.restarts) this.my.attempt = trigger.changes
        this.recoverNode()
        break
      default:
        this.deliverNotice(trigger)
    }
  }

  private deliverNotice(notice: LinkNotice): void {
    const before = this.view
    this.updateView(notice)
    const links = notifiedLinks(this.routing, this.links, notice, before, this.view)
    // Attempts are counted by notices, wherever in the ring the change was.
    if (this.algorithm.restarts) this.notice(notice.event, links[0] ?? left)
    else for (const link of links) this.notice(notice.event, link)
  }

  /** Updates the view of a link and of the node at its other end. */
  private updateView({ event, link, id }: LinkNotice): void {
    const down = this.view.down.filter((other) => other !== link)
    const renamed = this.view.renamed.filter((other) => other.link !== link)
    const { ids } = this.world
    if (event === 'down') down.push(link)
    if (ids[this.routing.detectorGraph.neighbor(this.node, link)] !== id) renamed.push({ link, id })
    this.view = {
      down: down.sort((a, b) => a - b),
      renamed: renamed.sort((a, b) => a.link - b.link),
    }
  }

  choose(k: number): number {
    if (!(Number.isInteger(k) && k > 0))
      throw new UsageError(
        `check ${this.algorithm.name}`,
        `net.choose(k) needs a whole number above 0; ${k} was given.`,
        'Correct the algorithm.',
      )
    if (this.odometer.drawn === MOST_CHOICES)
      throw this.unbounded(`more than ${MOST_CHOICES} random choices`)
    return this.odometer.draw(k)
  }

  random(): never {
    throw new UsageError(
      `check ${this.algorithm.name}`,
      'net.random() has too many outcomes: an exploration tries each of them.',
      'Use net.choose(k), or simulate the algorithm.',
    )
  }

  chance(p: number): boolean {
    return p > 0 && (p >= 1 || this.choose(2) === 1)
  }

  pick(): Link | null {
    const { outLinks } = this.world.topology
    return this.degree === 0 ? null : this.links[this.choose(outLinks ?? this.degree)]
  }

  moment(span: number): number {
    return this.timed ? this.choose(span) : 0
  }

  /**
   * Without a clock a timer may fire at any time, whatever its delay. With one, every whole delay
   * is tried, or a few that are spread over the range, both ends included.
   */
  protected override randomDelay({ from, to }: RandomDelay): number {
    if (!this.timed) return from
    const all = to - from + 1
    const { timeouts = all } = this.limits
    if (!(timeouts < all)) return from + this.choose(all)
    this.timeoutsLeftOut = true
    const step = timeouts === 1 ? 0 : (to - from) / (timeouts - 1)
    return from + this.odometer.draw(timeouts, (i) => Math.round(i * step))
  }

  peer(link: Link): number {
    this.readsNeighbourIds = true
    const target = this.routing.resolve(link, this.view)
    const renamed = this.view.renamed.find((other) => other.link === target)
    return renamed?.id ?? this.world.ids[this.routing.detectorGraph.neighbor(this.node, target)]
  }

  up(link: Link): boolean {
    return !this.view.down.includes(this.routing.resolve(link, this.view))
  }

  weight(link: Link): number {
    return this.world.weights?.[this.world.topology.channel(this.node, link)] ?? 0
  }

  protected dispatch(link: Link, kind: number, body: AnyBody): void {
    const message = this.messages.intern(this.algorithm.kinds[kind], body)
    this.actions.push({ action: 'send', link, message })
  }

  /** Timers that are due at the same time fire in the order in which they were armed. */
  protected setTimer(timer: number, delay: number): void {
    this.clearTimer(timer)
    this.armed.push(timer)
    if (!this.timed) {
      this.timers.push({ timer, remaining: 0 })
      this.timers.sort((a, b) => a.timer - b.timer)
      return
    }
    // A delay that the clock cannot count up to never elapses.
    if (delay > Number.MAX_SAFE_INTEGER) return
    if (!Number.isInteger(delay))
      throw new UsageError(
        `check ${this.algorithm.name}`,
        `mode clocked needs whole delays, but a timer is set to ${delay}.`,
        'Use whole numbers, or another mode.',
      )
    const later = this.timers.findIndex((other) => other.remaining > delay)
    const set = { timer, remaining: delay, ...this.precision(delay) }
    this.timers.splice(later < 0 ? this.timers.length : later, 0, set)
  }

  /** By how much clocks may make a timer early or late; never by more than half of its delay. */
  private precision(delay: number): Pick<ArmedTimer, 'drift'> {
    const drift = Math.min(this.drift, Math.floor(delay / 2))
    return drift === 0 ? {} : { drift }
  }

  protected clearTimer(timer: number): void {
    this.timers = this.timers.filter((other) => other.timer !== timer)
    if (this.bound?.timer !== timer) return
    // With a clock its end stands; without, it comes at any time.
    const { timer: _, ...bound } = this.bound
    this.bound = bound
  }

  protected override bind(timer: number): boolean {
    const set = this.timers.find((other) => other.timer === timer)
    if (set === undefined || (this.timed && isDue(set))) return false
    this.bound = set
    return true
  }

  protected override prolonged(): void {
    this.renews = true
  }

  protected override unbind(): void {
    this.bound = undefined
  }

  /** The timer whose setting has ended a leadership fires at this very moment. */
  private makeDue(timer: number | undefined): void {
    this.timers = this.timers.map((other) =>
      other.timer === timer ? { ...other, remaining: -(other.drift ?? 0) } : other,
    )
  }

  protected changed(what: OutcomeChange, _before: Status, term?: number): void {
    if (what === 'follow') this.follows(this.my.leader)
    else if (what === 'lead')
      this.actions.push({ action: what, ...(term !== undefined && { term }) })
    else this.actions.push({ action: what })
  }

  private follows(leader: number | null): void {
    this.actions.push({ action: 'follow', leader })
    if (!this.keepsFollowed || leader === null || this.followed.includes(leader)) return
    this.followed = [...this.followed, leader].sort((a, b) => a - b)
  }

  private unbounded(given: string): UsageError {
    return new UsageError(
      `check ${this.algorithm.name}`,
      `a handler must have a bounded number of outcomes; one has ${given}.`,
      'Make fewer random choices in one handler.',
    )
  }
}

/** Thrown out of a handler that needs more random choices than the limit. */
const DRAW_LIMIT = Symbol('draw limit')

type Meaning = (choice: number) => number

/** Enumerates the sequences of random choices of one handler, like the digits of an odometer. */
class ChoiceOdometer {
  private digits: { value: number; readonly of: number; readonly meaning: Meaning }[] = []
  private next = 0
  private limit = 0

  /** The number of choices since the handler started. */
  get drawn(): number {
    return this.next
  }

  get values(): number[] {
    return this.digits.map(({ value, meaning }) => meaning(value))
  }

  /** Starts the enumeration for another handler. */
  reset(): void {
    this.digits = []
  }

  /** Starts the next run, with at most `limit` choices. */
  begin(limit: number): void {
    this.next = 0
    this.limit = limit
  }

  /** One of k choices; `meaning` maps them to what the handler gets. */
  draw(k: number, meaning: Meaning = (choice) => choice): number {
    if (this.next === this.limit) throw DRAW_LIMIT
    if (this.next === this.digits.length) this.digits.push({ value: 0, of: k, meaning })
    return meaning(this.digits[this.next++].value)
  }

  /** Advances to the next sequence, the last choice first; false after the last sequence. */
  advance(): boolean {
    while (this.digits.length > 0) {
      const last = this.digits[this.digits.length - 1]
      if (++last.value < last.of) return true
      this.digits.pop()
    }
    return false
  }
}
