import type { Algorithm, MessageKind } from '../language/algorithm.ts'
import type { Message, Timer } from '../language/message.ts'
import { type Link, left, right } from '../language/net.ts'
import { UsageError } from '../usage-error.ts'
import type { Deferred } from './deferred-messages.ts'
import type { AnyBody } from './message-codec.ts'
import type { State, Status } from './state.ts'

export type OutcomeChange = 'lead' | 'follow' | 'stop' | 'withdraw'

/**
 * What the drivers share: the net that handlers see and the rules of waking, handling and stopping.
 * A driver points it at a node before each event and carries out what the handlers ask for.
 */
export abstract class Driver {
  /** The position of the node pointed at, and its state. */
  protected abstract readonly node: number
  abstract readonly my: State
  from: Link = -1
  abstract readonly n: number
  abstract readonly links: readonly Link[]
  abstract readonly degree: number

  private readonly handlers: readonly MessageKind['handle'][]
  private readonly kindBySerial: Algorithm['kindBySerial']
  /** The first two handlers have places of their own: a call from there can be compiled in. */
  private readonly handleFirst: MessageKind['handle']
  private readonly handleSecond: MessageKind['handle']

  private readonly renewable: boolean
  private readonly defers: boolean
  private deferring = false

  /** The links of every node are numbered from the same number on. */
  constructor(
    readonly algorithm: Algorithm,
    private readonly firstLink: number,
  ) {
    this.renewable = algorithm.restarts
    this.defers = algorithm.defers
    this.handlers = algorithm.kinds.map((kind) => kind.handle)
    this.kindBySerial = algorithm.kindBySerial
    this.handleFirst = this.handlers[0]
    this.handleSecond = this.handlers[1] ?? this.handlers[0]
  }

  /** A body was handed over for the neighbour behind the link. */
  protected abstract dispatch(link: Link, kind: number, body: AnyBody): void
  protected abstract setTimer(alarm: number, delay: number): void
  protected abstract clearTimer(alarm: number): void
  /** The outcome of the node pointed at has changed; its status was this before. */
  protected abstract changed(what: OutcomeChange, before: Status): void
  abstract peer(link: Link): number
  abstract up(link: Link): boolean
  abstract weight(link: Link): number
  abstract choose(k: number): number
  abstract random(): number
  abstract pick(): Link | null
  abstract moment(span: number): number

  /** The node pointed at wakes by itself. */
  protected wake(): void {
    this.my.status = 'unknown'
    this.algorithm.start(this.my, this)
  }

  /** The node pointed at is back from the dead, with what is stable of its state. */
  protected recoverNode(): void {
    this.my.status = 'unknown'
    this.algorithm.recover(this.my, this)
  }

  /** The node pointed at, in the state `my`, is given a message; it came in over `from`. */
  protected receive(my: State, kind: number, body: AnyBody): void {
    if (my.status === 'asleep') this.wakeByMessage(my)
    this.handle(my, kind, body)
  }

  /** A message wakes the node; some then start like those that wake by themselves. */
  protected wakeByMessage(my: State): void {
    my.status = 'unknown'
    if (this.algorithm.wakes) this.algorithm.start(my, this)
  }

  protected handle(my: State, kind: number, body: AnyBody): void {
    if (my.stopped === true && !this.reopens(my, body)) return
    if (this.defers === true) this.handleInTurn(my, my.waiting as Deferred[], kind, body)
    else if (kind === 0) this.handleFirst(my, body, this)
    else if (kind === 1) this.handleSecond(my, body, this)
    else this.handlers[kind](my, body, this)
  }

  /** A node that has stopped will still join a later attempt. */
  private reopens(my: State, body: AnyBody): boolean {
    return this.renewable && (body.attempt as number) > (my.attempt as number)
  }

  /** Handles a message, or puts it off; one that is handled gives those put off another chance. */
  private handleInTurn(my: State, waiting: Deferred[], kind: number, body: AnyBody): void {
    const { from } = this
    if (!this.offer(my, from, kind, body)) {
      const { codec } = this.algorithm.kinds[kind]
      waiting.push({ link: from, kind, body: codec.copy(body) })
      return
    }
    this.offerWaiting(my, waiting)
  }

  private offerWaiting(my: State, waiting: Deferred[]): void {
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
    this.deferring = false
    this.from = link
    this.handlers[kind](my, body, this)
    return !this.deferring
  }

  /** The detector, or the network, says that a link of the node pointed at is gone or is back. */
  protected notice(what: 'down' | 'up', link: Link): void {
    const { my, algorithm } = this
    if (my.stopped && !algorithm.restarts) return
    algorithm[what]?.(my, link, this)
    // What belongs to a later attempt may have waited for this.
    if (algorithm.restarts) this.offerWaiting(my, my.waiting as Deferred[])
  }

  /** An alarm of the node pointed at goes off; one that has stopped has none. */
  protected fireTimer(alarm: number): void {
    this.algorithm.timers[alarm].fire(this.my, this)
  }

  along(places: number): Link {
    return places
  }

  places(link: Link): number {
    return link
  }

  defer(): void {
    if (!this.defers)
      throw new Error(`${this.algorithm.name}: net.defer is for those who declare "defers"`)
    this.deferring = true
  }

  get onward(): Link {
    return this.from === left ? right : left
  }

  send(link: Link, message: Message, body: AnyBody): void {
    const kind = this.kindBySerial[message.serial]
    if (kind === undefined) throw this.undeclared('send', 'messages')
    if (this.hasLink(link) === false) throw this.unknownLink(link)
    if (this.renewable === true) this.dispatch(link, kind, { ...body, attempt: this.my.attempt })
    else this.dispatch(link, kind, body)
  }

  sendAll(message: Message, body: AnyBody): void {
    for (const link of this.links) this.send(link, message, body)
  }

  sendOthers(message: Message, body: AnyBody): void {
    for (const link of this.links) if (link !== this.from) this.send(link, message, body)
  }

  after(delay: number, timer: Timer): void {
    const alarm = this.algorithm.timerBySerial[timer.serial]
    if (alarm === undefined) throw this.undeclared('after', 'timers')
    if (!(delay >= 0))
      throw new Error(`${this.algorithm.name}: net.after needs a delay of 0 or more`)
    if (!this.my.stopped) this.setTimer(alarm, delay)
  }

  cancel(timer: Timer): void {
    const alarm = this.algorithm.timerBySerial[timer.serial]
    if (alarm === undefined) throw this.undeclared('cancel', 'timers')
    this.clearTimer(alarm)
  }

  lead(): void {
    const my = this.my
    const before = my.status
    if (before === 'leader') return
    my.status = 'leader'
    my.leader = my.id ?? null
    this.changed('lead', before)
  }

  follow(leader: number | null): void {
    const my = this.my
    const before = my.status
    if (before === 'lost' && my.leader === leader) return
    my.status = 'lost'
    my.leader = leader
    this.changed('follow', before)
  }

  withdraw(): void {
    const my = this.my
    const before = my.status
    if (before === 'unknown' && !my.stopped) return
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

  /** Whether the node pointed at has a link of this number. */
  private hasLink(link: Link): boolean {
    const place = link - this.firstLink
    return place >= 0 && place < this.degree && (place | 0) === place
  }

  private unknownLink(link: Link): UsageError {
    const { firstLink, degree } = this
    const range = degree === 0 ? 'it has none' : `${firstLink} to ${firstLink + degree - 1}`
    return new UsageError(
      this.algorithm.name,
      `position ${this.node} must send over one of its links (${range}), but it sends over link ${link}.`,
      'Correct the algorithm.',
    )
  }

  private undeclared(verb: string, list: string): Error {
    return new Error(
      `${this.algorithm.name}: net.${verb} was given something that its "${list}" do not list`,
    )
  }
}
