import { CalendarQueue } from './calendar-queue.ts'

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
