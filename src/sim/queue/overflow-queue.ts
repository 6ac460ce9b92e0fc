import { CalendarQueue } from './calendar-queue.ts'
import { FifoQueue } from './fifo-queue.ts'

/** The time of free slots, which have none of their own. */
const FREE = 0

/** Allocates slots for records that do not fit into the wheel, ordered by time. */
export class OverflowQueue {
  private readonly due: CalendarQueue | FifoQueue
  /** Free slots, the longest free one first, so that records stay in order of sending. */
  private readonly free = new FifoQueue()
  private end = 0

  /** `ordered`: whether times are added in increasing order. */
  constructor(
    private readonly stride: number,
    ordered: boolean,
  ) {
    this.due = ordered ? new FifoQueue() : new CalendarQueue()
  }

  /** The earliest time; Infinity when the queue is empty. */
  get first(): number {
    return this.due.first
  }

  /** Allocates the slot of a record until its time. */
  add(time: number): number {
    let at = this.end
    if (this.free.first === FREE) at = this.free.take()
    else this.end += this.stride
    this.due.add(time, at)
    return at
  }

  /**
   * Frees the slot of the earliest record and returns it; it must be read before the next `add`.
   */
  take(): number {
    const at = this.due.take()
    this.free.add(FREE, at)
    return at
  }

  /** The number of next records to prefetch now, and the slot of the i-th of them. */
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
