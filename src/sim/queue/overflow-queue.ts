import { CalendarQueue } from './calendar-queue.ts'
import { FifoQueue } from './fifo-queue.ts'

/** Free places have no moment of their own. */
const FREE = 0

/** Where records lie that do not fit into the wheel, each until its moment comes. */
export class OverflowQueue {
  private readonly due: CalendarQueue | FifoQueue
  /** Places that may be used again: who is free longest comes first, so that turns keep a row. */
  private readonly free = new FifoQueue()
  private end = 0

  /** Whether moments are given in their own order. */
  constructor(
    private readonly stride: number,
    ordered: boolean,
  ) {
    this.due = ordered ? new FifoQueue() : new CalendarQueue()
  }

  /** The earliest moment; Infinity when there is none. */
  get first(): number {
    return this.due.first
  }

  /** A place for a record, until its moment. */
  add(moment: number): number {
    let at = this.end
    if (this.free.first === FREE) at = this.free.take()
    else this.end += this.stride
    this.due.add(moment, at)
    return at
  }

  /** The place of the earliest record, which others may use once that is read. */
  take(): number {
    const at = this.due.take()
    this.free.add(FREE, at)
    return at
  }

  /** How many of the next records are to be looked at now, and the place of the i-th of them. */
  unseen(most: number): number {
    return this.due.unseen(most)
  }

  ahead(i: number): number {
    return this.due.ahead(i)
  }

  each(visit: (at: number) => void): void {
    this.due.each(visit)
  }
}
