import type { Conditions, NodeSchedule } from '../conditions.ts'
import { AHEAD, type Prefetcher } from './prefetcher.ts'
import { TimerQueue } from './timers.ts'

const NOBODY = -1
const FOREVER = Number.POSITIVE_INFINITY

/** What happens without a message bringing it about: upheavals, spontaneous starts, alarms. */
export class Timeline {
  /** When the next of it happens; Infinity when there is no more. */
  first = FOREVER
  /** When the world changes next. */
  private fault = FOREVER
  private starts: NodeSchedule
  private readonly timers: TimerQueue
  private started = 0

  /** The lookout is for nodes that are too many to stay close to the processor. */
  constructor(
    { starts }: Conditions,
    n: number,
    alarmKinds: number,
    private readonly prefetcher: Prefetcher | null = null,
  ) {
    this.starts = starts
    this.timers = new TimerQueue(n, alarmKinds)
    this.update()
  }

  set nextFault(time: number) {
    this.fault = time
    this.update()
  }

  /** Whether some alarm is set. */
  get timersPending(): boolean {
    return this.timers.size > 0
  }

  /** Whether somebody is still to start. */
  get starting(): boolean {
    return this.started < this.starts.nodes.length
  }

  /** These start again, at this moment. */
  startAgain(nodes: readonly number[], now: number): void {
    this.started = 0
    this.starts = {
      nodes: Uint32Array.from(nodes),
      times: new Float64Array(nodes.length).fill(now),
    }
    this.update()
  }

  /** The next node that is to start by now; -1 when there is none. */
  takeStart(now: number): number {
    const { nodes, times } = this.starts
    if (this.started === nodes.length || times[this.started] > now) return NOBODY
    return nodes[this.started++]
  }

  /** The next alarm that is due by now, as node * kinds + kind; -1 when there is none. */
  takeTimer(now: number): number {
    if (this.timers.first > now) return NOBODY
    if (this.prefetcher !== null) this.prefetch(this.prefetcher)
    return this.timers.take()
  }

  /** Looks at the states of those whose alarms come next. */
  private prefetch(lookout: Prefetcher): void {
    const { timers } = this
    const unseen = timers.unseen(AHEAD)
    for (let i = 0; i < unseen; i++) lookout.nodes[i] = timers.ahead(i)
    if (unseen > 0) lookout.prefetch(unseen)
  }

  setTimer(node: number, kind: number, time: number): void {
    const { size } = this.timers
    this.timers.set(node, kind, time)
    if (this.timers.size === size) this.update()
    else if (time < this.first) this.first = time
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

  /** Looks up what is first; to be called when all that is due has been taken. */
  update(): void {
    this.first = Math.min(
      this.timers.first,
      this.starting ? this.starts.times[this.started] : FOREVER,
      this.fault,
    )
  }
}
