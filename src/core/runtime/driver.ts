import type { Algorithm, MessageKind } from '../language/algorithm.ts'
import type { Message, Timer } from '../language/message.ts'
import { type Link, left, type Office, type RandomDelay, right } from '../language/net.ts'
import {
  requireTerm,
  unbindable,
  undeclared,
  unknownLink,
} from '../language/validation/handler-error.ts'
import { UsageError } from '../usage-error.ts'
import type { AnyBody, Deferred } from './message-codec.ts'

import type { State, Status } from './state.ts'

export type OutcomeChange = 'lead' | 'follow' | 'stop' | 'withdraw'

/**
 * The base class of all engines: the net that handlers see and the rules of waking, handling and
 * stopping. An engine sets the current node before each event and carries out the calls of the
 * handlers.
 */
export abstract class Driver {
  /** The position of the current node, and its state. */
  protected abstract readonly node: number
  abstract readonly my: State
  from: Link = -1
  /** In a meeting: whether the current node began it. */
  initiator = false
  abstract readonly n: number
  abstract readonly links: readonly Link[]
  abstract readonly degree: number

  protected handlers: readonly MessageKind['handle'][]
  private readonly kindBySerial: Algorithm['kindBySerial']
  /** The first two handlers have fields of their own, so that V8 can inline their calls. */
  protected handleFirst: MessageKind['handle']
  protected handleSecond: MessageKind['handle']

  /** Whether the state has maps or sets. */
  private readonly ordered: boolean
  private readonly restarts: boolean
  private readonly defers: boolean
  /** Whether the handler that ran last has deferred its message. */
  wasDeferred = false
  /** Leaders are elected term by term: each must say in which it leads. */
  private readonly inTerms: boolean
  /** Leadership may be bound to a timer. */
  protected readonly bindable: boolean
  /** The state counts recoveries: each start is another incarnation. */
  private readonly countsStarts: boolean

  /** `firstLink`: the number of the first link of every node. */
  constructor(
    readonly algorithm: Algorithm,
    private readonly firstLink: number,
  ) {
    this.ordered = algorithm.layout.hasOrdered
    this.restarts = algorithm.restarts
    this.defers = algorithm.defers
    this.inTerms = algorithm.problem?.terms === true
    this.countsStarts = algorithm.needs.knows?.includes('incarnation') === true
    this.bindable = algorithm.needs.time === 'clocks'
    this.handlers = algorithm.kinds.map((kind) => kind.handle)
    this.kindBySerial = algorithm.kindBySerial
    this.handleFirst = this.handlers[0]
    this.handleSecond = this.handlers[1] ?? this.handlers[0]
  }

  /** Where and when the current event happens, for errors; time is null where there is none. */
  get position(): number {
    return this.node
  }

  get time(): number | null {
    return null
  }

  /** A handler sends a message over a link. */
  protected abstract dispatch(link: Link, kind: number, body: AnyBody): void
  protected abstract setTimer(timer: number, delay: number): void
  protected abstract clearTimer(timer: number): void
  /**
   * The outcome of the current node has changed; `before` is its former status. A leader that leads
   * in a term is given with it, again when it leads in another term.
   */
  protected abstract changed(what: OutcomeChange, before: Status, term?: number): void
  /**
   * Binds the leadership of the current node to the present setting of a timer: the engine calls
   * `endBound` when it is due, before any handler sees that moment. A later binding replaces it.
   * False where the timer is not set, or due already.
   */
  protected bind(_timer: number): boolean {
    throw new Error(`${this.algorithm.name}: this engine cannot bind leadership to a timer`)
  }
  /** A leader leads on in the same term, bound to another setting of a timer. */
  protected prolonged(): void {}
  /** The leadership of the current node is bound no more. */
  protected unbind(): void {}
  abstract peer(link: Link): number
  abstract up(link: Link): boolean
  abstract weight(link: Link): number
  abstract choose(k: number): number
  abstract random(): number
  abstract chance(p: number): boolean
  abstract pick(): Link | null
  abstract moment(span: number): number

  /** The current node wakes spontaneously. */
  protected wake(): void {
    this.my.status = 'unknown'
    this.algorithm.start(this.my, this)
    this.settle(this.my)
  }

  /** A handler has ended: the next one goes through maps and sets in the order of their keys. */
  protected settle(my: State): void {
    if (this.ordered === true) this.algorithm.layout.settle(my)
  }

  /** The current node recovers from a crash, with the stable part of its state. */
  protected recoverNode(): void {
    const { my } = this
    my.status = 'unknown'
    if (this.countsStarts) my.restarts = (my.restarts as number) + 1
    this.algorithm.recover(my, this)
    this.settle(my)
  }

  /** The current node, in the state `my`, receives a message over the link `from`. */
  protected receive(my: State, kind: number, body: AnyBody): void {
    if (my.status === 'asleep') this.wakeByMessage(my)
    this.handle(my, kind, body)
  }

  /** A message wakes the node; with `wakes` it also starts like an initiator. */
  protected wakeByMessage(my: State): void {
    my.status = 'unknown'
    if (!this.algorithm.wakes) return
    this.algorithm.start(my, this)
    this.settle(my)
  }

  protected handle(my: State, kind: number, body: AnyBody): void {
    if (my.stopped === true && !this.reopens(my, body)) return
    if (this.defers === true) this.handleInTurn(my, my.waiting as Deferred[], kind, body)
    else if (kind === 0) this.handleFirst(my, body, this)
    else if (kind === 1) this.handleSecond(my, body, this)
    else this.handlers[kind](my, body, this)
    this.settle(my)
  }

  /** A stopped node still joins a later attempt. */
  private reopens(my: State, body: AnyBody): boolean {
    return this.restarts && (body.attempt as number) > (my.attempt as number)
  }

  /** Handles or defers a message; after a handled one the deferred ones are offered again. */
  private handleInTurn(my: State, waiting: Deferred[], kind: number, body: AnyBody): void {
    const { from } = this
    if (!this.offer(my, from, kind, body)) {
      const { codec } = this.algorithm.kinds[kind]
      waiting.push({ link: from, kind, body: codec.copy(body) })
      return
    }
    this.offerDeferred(my, waiting)
  }

  private offerDeferred(my: State, waiting: Deferred[]): void {
    const { from } = this
    let next = 0
    while (next < waiting.length && !my.stopped) {
      const { link, kind, body } = waiting[next]
      if (!this.offer(my, link, kind, body)) next++
      else {
        waiting.splice(next, 1)
        next = 0
      }
    }
    this.from = from
  }

  private offer(my: State, link: Link, kind: number, body: AnyBody): boolean {
    this.wasDeferred = false
    this.from = link
    this.handlers[kind](my, body, this)
    this.settle(my)
    return !this.wasDeferred
  }

  /** The current node is notified that a link, or the node behind it, is down or up again. */
  protected notice(what: 'down' | 'up', link: Link): void {
    const { my, algorithm } = this
    if (my.stopped && !algorithm.restarts) return
    algorithm[what]?.(my, link, this)
    this.settle(my)
    // Messages of a later attempt may have waited for this notice.
    if (algorithm.restarts) this.offerDeferred(my, my.waiting as Deferred[])
  }

  /** A timer of the current node fires; a stopped node has none. */
  protected fireTimer(timer: number): void {
    this.algorithm.timers[timer].fire(this.my, this)
    this.settle(this.my)
  }

  /** Where all nodes vote. */
  majority(links: Iterable<Link>, own: boolean): boolean {
    return 2 * (new Set(links).size + (own ? 1 : 0)) > this.n
  }

  /** The first start is incarnation 1. */
  get incarnation(): string {
    return String(1 + (this.my.restarts as number))
  }

  get diameter(): number {
    return this.my.diameter as number
  }

  along(places: number): Link {
    return places
  }

  places(link: Link): number {
    return link
  }

  defer(): void {
    if (!this.defers)
      throw new Error(`${this.algorithm.name}: net.defer needs "defers: true" in the definition`)
    this.wasDeferred = true
  }

  get onward(): Link {
    return this.from === left ? right : left
  }

  send(link: Link, message: Message, body: AnyBody): void {
    const kind = this.kindBySerial[message.serial]
    if (kind === undefined) throw undeclared(this.algorithm, 'send', 'messages')
    if (this.hasLink(link) === false) throw this.noLink(link)
    if (this.restarts === true) this.dispatch(link, kind, { ...body, attempt: this.my.attempt })
    else this.dispatch(link, kind, body)
  }

  sendAll(message: Message, body: AnyBody): void {
    for (const link of this.links) this.send(link, message, body)
  }

  sendOthers(message: Message, body: AnyBody): void {
    for (const link of this.links) if (link !== this.from) this.send(link, message, body)
  }

  after(delay: number | RandomDelay, timer: Timer): void {
    const index = this.algorithm.timerBySerial[timer.serial]
    if (index === undefined) throw undeclared(this.algorithm, 'after', 'timers')
    const exact = typeof delay === 'object' ? this.drawnDelay(delay) : delay
    if (!(exact >= 0))
      throw new Error(`${this.algorithm.name}: net.after needs a delay of 0 or more`)
    if (!this.my.stopped) this.setTimer(index, exact)
  }

  cancel(timer: Timer): void {
    const index = this.algorithm.timerBySerial[timer.serial]
    if (index === undefined) throw undeclared(this.algorithm, 'cancel', 'timers')
    this.clearTimer(index)
  }

  /** A random delay that handlers do not see. */
  protected randomDelay({ from, to }: RandomDelay): number {
    const whole = Number.isInteger(from) && Number.isInteger(to)
    return from + (whole ? this.choose(to - from + 1) : this.moment(to - from))
  }

  private drawnDelay(delay: RandomDelay): number {
    const { name, needs } = this.algorithm
    const { from, to } = delay
    if (needs.coins !== true)
      throw new UsageError(
        name,
        'a random delay of net.after is a random choice, which needs does not declare.',
        'Add coins: true to needs.',
      )
    if (!(from >= 0 && to >= from && to < Number.POSITIVE_INFINITY))
      throw new UsageError(
        name,
        `net.after needs a random delay with 0 <= from <= to; from ${from} to ${to} was given.`,
        'Correct the algorithm.',
      )
    return this.randomDelay(delay)
  }

  lead(office?: Office): void {
    const my = this.my
    const before = my.status
    if (office !== undefined || this.inTerms) requireTerm(this.algorithm, office)
    else if (before === 'leader') return
    if (office?.while !== undefined && !this.bindable) throw unbindable(this.algorithm)
    if (this.bindable && office !== undefined) {
      const renewal = before === 'leader' && my.leadsBound === true && my.openTerm === office.term
      if (!this.takeOffice(my, office)) return
      if (renewal && office.while !== undefined) {
        this.prolonged()
        return
      }
    }
    my.status = 'leader'
    my.leader = my.id ?? null
    this.changed('lead', before, office?.term)
  }

  /**
   * Whether the current node may lead in a term, and is bound as it asks: never in one that is over
   * for it, nor while a timer that is not set or due.
   */
  private takeOffice(my: State, { term, while: timer }: Office): boolean {
    if (term < (my.openTerm as number)) return false
    if (timer === undefined) {
      this.unbind()
      my.leadsBound = false
      return true
    }
    const index = this.algorithm.timerBySerial[timer.serial]
    if (index === undefined) throw undeclared(this.algorithm, 'lead', 'timers')
    if (!this.bind(index)) return false
    my.leadsBound = true
    my.openTerm = term
    return true
  }

  /** Bound leadership ends in whatever way: its term is over for good. */
  private leaveOffice(my: State): void {
    if (my.leadsBound !== true) return
    this.unbind()
    my.leadsBound = false
    my.openTerm = (my.openTerm as number) + 1
  }

  /** The moment has come to which the leadership of the current node is bound. */
  protected endBound(): void {
    const { my } = this
    if (my.leadsBound !== true) return
    this.leaveOffice(my)
    const before = my.status
    my.status = 'unknown'
    my.leader = null
    this.changed('withdraw', before)
  }

  follow(leader: number | null): void {
    const my = this.my
    const before = my.status
    if (before === 'lost' && my.leader === leader) return
    if (this.bindable) this.leaveOffice(my)
    my.status = 'lost'
    my.leader = leader
    this.changed('follow', before)
  }

  withdraw(): void {
    const my = this.my
    const before = my.status
    if (before === 'unknown' && !my.stopped) return
    if (this.bindable) this.leaveOffice(my)
    my.status = 'unknown'
    my.leader = null
    my.stopped = false
    this.changed('withdraw', before)
  }

  stop(): void {
    if (this.my.stopped) return
    this.my.stopped = true
    this.changed('stop', this.my.status)
  }

  /** Whether the current node has a link of this number. */
  hasLink(link: Link): boolean {
    const place = link - this.firstLink
    return place >= 0 && place < this.degree && (place | 0) === place
  }

  private noLink(link: Link): UsageError {
    const { algorithm, node: position, firstLink: first, degree } = this
    return unknownLink(algorithm, { position, first, degree }, link)
  }
}
