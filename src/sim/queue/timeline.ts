import type { Algorithm } from '../../core/language/algorithm.ts'
import type { HandlerObserver } from '../../core/trace/observed.ts'
import type { Conditions, NodeSchedule } from '../conditions.ts'
import { LeadershipBounds } from './leadership-bounds.ts'
import { TimerQueue } from './timers.ts'

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
