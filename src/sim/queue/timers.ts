import { CalendarQueue } from './calendar-queue.ts'

/** The timers of all nodes, one per kind and node. Cancelled settings are skipped lazily. */
export class TimerQueue {
  /** When the next timer fires; Infinity when none is set. */
  first = Number.POSITIVE_INFINITY
  private readonly due = new CalendarQueue()
  /** By node and kind: 1 + the sequence number of the valid setting; 0 where none is set. */
  private readonly setting: Float64Array
  private pending = 0

  constructor(
    n: number,
    private readonly kinds: number,
  ) {
    this.setting = new Float64Array(n * kinds)
  }

  isSet(node: number, kind: number): boolean {
    return this.setting[node * this.kinds + kind] !== 0
  }

  /** The number of timers that are set. */
  get size(): number {
    return this.pending
  }

  set(node: number, kind: number, time: number): void {
    this.clear(node, kind)
    const cell = node * this.kinds + kind
    // Times beyond 2^53 cannot be told apart: such a timer never fires.
    if (time > Number.MAX_SAFE_INTEGER) return
    this.setting[cell] = 1 + this.due.add(time, cell)
    this.pending++
    if (time < this.first) this.first = time
  }

  clear(node: number, kind: number): void {
    const cell = node * this.kinds + kind
    if (this.setting[cell] === 0) return
    this.setting[cell] = 0
    this.pending--
    this.skip()
  }

  clearAll(node: number): void {
    for (let kind = 0; kind < this.kinds; kind++) this.clear(node, kind)
  }

  /** The number of next timers to prefetch now, cleared or not, and the node of the i-th. */
  unseen(most: number): number {
    return this.due.unseen(most)
  }

  ahead(i: number): number {
    return Math.floor(this.due.ahead(i) / this.kinds)
  }

  /** Removes the next timer and returns node * kinds + kind. There must be one. */
  take(): number {
    const cell = this.due.take()
    this.setting[cell] = 0
    this.pending--
    this.skip()
    return cell
  }

  /** Skips invalid settings; where all are valid, none need be looked at. */
  private skip(): void {
    const { due, setting } = this
    while (due.size > this.pending && setting[due.value] !== 1 + due.number) due.take()
    this.first = due.first
  }
}
