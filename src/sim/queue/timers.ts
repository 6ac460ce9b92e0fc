import { CalendarQueue } from './calendar-queue.ts'

/** The alarms of all nodes, one of each kind at a node. Old settings are skipped, not sought. */
export class TimerQueue {
  /** When the next one goes off; Infinity when none is set. */
  first = Number.POSITIVE_INFINITY
  private readonly due = new CalendarQueue()
  /** By node and kind, the number of the setting that counts; 0 where none does. */
  private readonly setting: Float64Array
  private pending = 0

  constructor(
    n: number,
    private readonly kinds: number,
  ) {
    this.setting = new Float64Array(n * kinds)
  }

  /** How many are set. */
  get size(): number {
    return this.pending
  }

  set(node: number, kind: number, time: number): void {
    this.clear(node, kind)
    const place = node * this.kinds + kind
    // A moment beyond 2^53 cannot be told from its neighbours; it never comes.
    if (time > Number.MAX_SAFE_INTEGER) return
    this.setting[place] = 1 + this.due.add(time, place)
    this.pending++
    if (time < this.first) this.first = time
  }

  clear(node: number, kind: number): void {
    const place = node * this.kinds + kind
    if (this.setting[place] === 0) return
    this.setting[place] = 0
    this.pending--
    this.skip()
  }

  clearAll(node: number): void {
    for (let kind = 0; kind < this.kinds; kind++) this.clear(node, kind)
  }

  /** How many of the next, cleared or not, are to be looked at now, and the node of the i-th. */
  unseen(most: number): number {
    return this.due.unseen(most)
  }

  ahead(i: number): number {
    return Math.floor(this.due.ahead(i) / this.kinds)
  }

  /** Takes the next one out, as node * kinds + kind. There must be one. */
  take(): number {
    const place = this.due.take()
    this.setting[place] = 0
    this.pending--
    this.skip()
    return place
  }

  /** Passes over settings that no longer count; where all count, none need be looked at. */
  private skip(): void {
    const { due, setting } = this
    while (due.size > this.pending && setting[due.value] !== 1 + due.number) due.take()
    this.first = due.first
  }
}
