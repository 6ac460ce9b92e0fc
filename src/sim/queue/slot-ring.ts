import { FifoQueue } from './fifo-queue.ts'

/**
 * Allocates slots for records whose times come in order: one after the other, round a ring. Records
 * of one moment follow each other, so that times are kept by moment.
 */
export class SlotRing {
  private readonly moments = new FifoQueue()
  /** The slot of the earliest record, that of the next one, and the cells that are taken. */
  private head = 0
  private tail = 0
  private taken = 0
  /** The cells after the head that `unseen` has returned. */
  private seen = 0

  /** `capacity`: the cells of all slots. */
  constructor(
    private readonly stride: number,
    private capacity: number,
  ) {}

  get first(): number {
    return this.moments.first
  }

  get full(): boolean {
    return this.taken === this.capacity
  }

  grow(): number {
    const { head, capacity } = this
    this.head = 0
    this.tail = capacity
    this.capacity = 2 * capacity
    return head
  }

  add(time: number): number {
    this.moments.countUp(time)
    const at = this.tail
    this.tail = this.after(at)
    this.taken += this.stride
    return at
  }

  take(): number {
    this.moments.countDown()
    const at = this.head
    this.head = this.after(at)
    this.taken -= this.stride
    if (this.seen > 0) this.seen -= this.stride
    return at
  }

  unseen(most: number): number {
    if (this.seen > 0) return 0
    this.seen = Math.min(most * this.stride, this.taken)
    return (this.seen / this.stride) | 0
  }

  ahead(i: number): number {
    const at = this.head + i * this.stride
    return at < this.capacity ? at : at - this.capacity
  }

  each(visit: (at: number) => void): void {
    for (let i = 0; i * this.stride < this.taken; i++) visit(this.ahead(i))
  }

  private after(at: number): number {
    const next = at + this.stride
    return next === this.capacity ? 0 : next
  }
}
