import type { Algorithm } from '../../core/language/algorithm.ts'
import type { HandlerObserver } from '../../core/trace/observed.ts'
import type { Conditions, NodeSchedule } from '../conditions.ts'
import { CalendarQueue } from './calendar-queue.ts'

const NONE = -1
const NEVER = Number.POSITIVE_INFINITY

/** The events that no message causes: faults, spontaneous starts, timers. */
export class Timeline {
  /** The time of the next event; Infinity when there is none. */
  first = NEVER
  /** The time of the next fault. */
  private fault = NEVER
  private starts: NodeSchedule
  private readonly timers: TimerQueue
  private started = 0
  /** Whether timers are set no more. */
  timersStopped = false
  /** The ends of bound leaderships; null where there are none in this run. */
  private readonly bounds: LeadershipBounds | null

  constructor(
    { starts }: Conditions,
    n: number,
    { timers, needs }: Pick<Algorithm, 'timers' | 'needs'>,
    private readonly observer: Pick<HandlerObserver, 'timerSet'> | null = null,
  ) {
    this.starts = starts
    this.timers = new TimerQueue(n, timers.length)
    this.bounds = needs.time === 'clocks' ? new LeadershipBounds(n, timers.length) : null
    this.update()
  }

  set nextFault(time: number) {
    this.fault = time
    this.update()
  }

  /** Whether a timer is set, or a leadership is bound to a moment. */
  get timersPending(): boolean {
    return this.timers.size > 0 || (this.bounds !== null && this.bounds.first < NEVER)
  }

  /** Binds the leadership of a node to a timer; false where that is not set, or due already. */
  bind(node: number, kind: number, now: number): boolean {
    const bound = this.timers.isSet(node, kind) && this.bounds!.bind(node, kind, now)
    if (bound) this.update()
    return bound
  }

  /** When the leadership of a node ends by itself; Infinity where it does not. */
  boundOf(node: number): number {
    return this.bounds?.endOf(node) ?? NEVER
  }

  isSet(node: number, kind: number): boolean {
    return this.timers.isSet(node, kind)
  }

  unbind(node: number): void {
    this.bounds!.unbind(node)
    this.update()
  }

  /** A node whose leadership ends by now; -1 when there is none. */
  takeBound(now: number): number {
    return this.bounds === null ? NONE : this.bounds.take(now)
  }

  /** Whether a spontaneous start is left. */
  get starting(): boolean {
    return this.started < this.starts.nodes.length
  }

  /** Starts these nodes again, now. */
  startAgain(nodes: readonly number[], now: number): void {
    this.started = 0
    this.starts = {
      nodes: Uint32Array.from(nodes),
      times: new Float64Array(nodes.length).fill(now),
    }
    this.update()
  }

  /** The next node that is due to start; -1 when there is none. */
  takeStart(now: number): number {
    const { nodes, times } = this.starts
    if (this.started === nodes.length || times[this.started] > now) return NONE
    return nodes[this.started++]
  }

  /** The next timer that is due, as node * kinds + kind; -1 when there is none. */
  takeTimer(now: number): number {
    const { timers } = this
    return timers.first > now ? NONE : timers.take()
  }

  setTimer(node: number, kind: number, time: number): void {
    if (this.timersStopped) return
    const again = this.timers.set(node, kind, time)
    if (this.observer !== null) this.observer.timerSet(node, kind, time)
    if (this.bounds !== null) this.bounds.dueTimes[node * this.bounds.kinds + kind] = time
    if (again) this.update()
    else if (this.timers.first < this.first) this.first = this.timers.first
  }

  clearTimer(node: number, kind: number): void {
    this.timers.clear(node, kind)
    this.update()
  }

  clearTimers(node: number): void {
    if (this.timers.size === 0) return
    this.timers.clearAll(node)
    this.update()
  }

  /** No timer is set any more, and none will be. */
  stopTimers(): void {
    this.timersStopped = true
    this.timers.reset()
    this.update()
  }

  /** Recomputes `first`; called when all events that were due are taken. */
  update(): void {
    this.first = Math.min(
      this.timers.first,
      this.starting ? this.starts.times[this.started] : NEVER,
      this.fault,
      this.bounds === null ? NEVER : this.bounds.first,
    )
  }
}

/** The timers of all nodes, one per kind and node. */
export class TimerQueue {
  private due: CalendarQueue

  constructor(
    private readonly n: number,
    private readonly kinds: number,
  ) {
    this.due = new CalendarQueue(n * kinds)
  }

  /** When the next timer fires; Infinity when none is set. */
  get first(): number {
    return this.due.first
  }

  /** The number of timers that are set. */
  get size(): number {
    return this.due.size
  }

  isSet(node: number, kind: number): boolean {
    return this.due.has(node * this.kinds + kind)
  }

  /** Returns whether the timer was set before. */
  set(node: number, kind: number, time: number): boolean {
    const cell = node * this.kinds + kind
    const again = this.due.has(cell)
    if (again) this.due.remove(cell)
    // Times beyond 2^53 cannot be told apart: such a timer never fires.
    if (time <= Number.MAX_SAFE_INTEGER) this.due.add(time, cell)
    return again
  }

  clear(node: number, kind: number): void {
    this.due.remove(node * this.kinds + kind)
  }

  clearAll(node: number): void {
    for (let kind = 0; kind < this.kinds; kind++) this.clear(node, kind)
  }

  /** Clears the timers of all nodes. */
  reset(): void {
    this.due = new CalendarQueue(this.n * this.kinds)
  }

  /** Removes the next timer and returns node * kinds + kind. There must be one. */
  take(): number {
    return this.due.take()
  }
}

/**
 * The moments at which leaderships end that are bound to timers. A bound is the due time of one
 * setting: what becomes of the timer later does not move it. Few nodes lead, so that they are
 * simply listed.
 */
export class LeadershipBounds {
  /** The earliest end; Infinity when no leadership is bound. */
  first = NEVER
  /** By node and kind: when the last setting of a timer is or was due. */
  readonly dueTimes: Float64Array
  private readonly ends = new Map<number, number>()

  constructor(
    n: number,
    readonly kinds: number,
  ) {
    this.dueTimes = new Float64Array(n * kinds)
  }

  /** Binds a node to a timer that is set; false where it is due already. */
  bind(node: number, kind: number, now: number): boolean {
    const due = this.dueTimes[node * this.kinds + kind]
    if (due <= now) return false
    this.ends.set(node, due)
    this.update()
    return true
  }

  endOf(node: number): number {
    return this.ends.get(node) ?? NEVER
  }

  unbind(node: number): void {
    if (this.ends.delete(node)) this.update()
  }

  /** Removes a bound that has come and returns its node; -1 when there is none. */
  take(now: number): number {
    if (this.first > now) return -1
    const [node] = [...this.ends].find(([, end]) => end <= now)!
    this.unbind(node)
    return node
  }

  private update(): void {
    this.first = NEVER
    for (const end of this.ends.values()) if (end < this.first) this.first = end
  }
}
