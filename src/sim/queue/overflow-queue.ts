import { CalendarQueue } from './calendar-queue.ts'
import { FifoQueue } from './fifo-queue.ts'
import { SlotRing } from './slot-ring.ts'

/** The time of free slots, which have none of their own. */
const FREE = 0

/** Allocates slots for records that do not fit into the wheel, ordered by time. */
export interface OverflowQueue {
  /** The earliest time; Infinity when the queue is empty. */
  readonly first: number
  /** Whether there is room for no more records. */
  readonly full: boolean
  /** Doubles the room. The slots before the one that it returns move behind all others. */
  grow(): number
  /** Allocates the slot of a record until its time. */
  add(time: number): number
  /** Frees the slot of the earliest record and returns it; it is read before the next `add`. */
  take(): number
  /** The number of next records to prefetch now, and the slot of the i-th of them. */
  unseen(most: number): number
  ahead(i: number): number
  /** Visits all slots that are taken. */
  each(visit: (at: number) => void): void
}

/** `ordered`: whether times are added in increasing order. */
export function overflowQueue(stride: number, capacity: number, ordered: boolean): OverflowQueue {
  return ordered ? new SlotRing(stride, capacity) : new SlotCalendar(stride, capacity)
}

class SlotCalendar implements OverflowQueue {
  private readonly due = new CalendarQueue()
  /** Free slots, the longest free one first, so that records stay in order of sending. */
  private readonly free = new FifoQueue()
  private end = 0

  constructor(
    private readonly stride: number,
    private capacity: number,
  ) {}

  get first(): number {
    return this.due.first
  }

  get full(): boolean {
    return this.end === this.capacity && this.free.first !== FREE
  }

  grow(): number {
    this.capacity *= 2
    return 0
  }

  add(time: number): number {
    let at = this.end
    if (this.free.first === FREE) at = this.free.take()
    else this.end += this.stride
    this.due.add(time, at)
    return at
  }

  take(): number {
    const at = this.due.take()
    this.free.add(FREE, at)
    return at
  }

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
