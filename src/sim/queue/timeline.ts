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
  private upheaval = FOREVER
  private starts: NodeSchedule
  private readonly alarms: TimerQueue
  private started = 0

  /** The lookout is for nodes that are too many to stay close to the processor. */
  constructor(
    { starts }: Conditions,
    n: number,
    alarmKinds: number,
    private readonly lookout: Prefetcher | null = null,
  ) {
    this.starts = starts
    this.alarms = new TimerQueue(n, alarmKinds)
    this.look()
  }

  set nextUpheaval(time: number) {
    this.upheaval = time
    this.look()
  }

  /** Whether some alarm is set. */
  get alarmed(): boolean {
    return this.alarms.size > 0
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
    this.look()
  }

  /** The next node that is to start by now; -1 when there is none. */
  takeStart(now: number): number {
    const { nodes, times } = this.starts
    if (this.started === nodes.length || times[this.started] > now) return NOBODY
    return nodes[this.started++]
  }

  /** The next alarm that is due by now, as node * kinds + kind; -1 when there is none. */
  takeAlarm(now: number): number {
    if (this.alarms.first > now) return NOBODY
    if (this.lookout !== null) this.preview(this.lookout)
    return this.alarms.take()
  }

  /** Looks at the states of those whose alarms come next. */
  private preview(lookout: Prefetcher): void {
    const { alarms } = this
    const unseen = alarms.unseen(AHEAD)
    for (let i = 0; i < unseen; i++) lookout.nodes[i] = alarms.ahead(i)
    if (unseen > 0) lookout.look(unseen)
  }

  setAlarm(node: number, kind: number, time: number): void {
    const { size } = this.alarms
    this.alarms.set(node, kind, time)
    if (this.alarms.size === size) this.look()
    else if (time < this.first) this.first = time
  }

  clearAlarm(node: number, kind: number): void {
    this.alarms.clear(node, kind)
    this.look()
  }

  clearAlarms(node: number): void {
    if (this.alarms.size === 0) return
    this.alarms.clearAll(node)
    this.look()
  }

  /** Looks up what is first; to be called when all that is due has been taken. */
  look(): void {
    this.first = Math.min(
      this.alarms.first,
      this.starting ? this.starts.times[this.started] : FOREVER,
      this.upheaval,
    )
  }
}
