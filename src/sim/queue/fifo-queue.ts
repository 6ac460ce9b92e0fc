/**
 * A FIFO event queue for constant delays: entries arrive already sorted by time. A ring buffer over
 * typed arrays.
 */
export class FifoQueue {
  /** The earliest time; Infinity when the queue is empty. */
  first = Number.POSITIVE_INFINITY
  private times = new Float64Array(16)
  private values = new Int32Array(16)
  /** The index of the earliest entry, the number of entries, and how many `unseen` returned. */
  private head = 0
  private count = 0
  private seenCount = 0

  add(time: number, value: number): void {
    if (this.count === this.times.length) this.grow()
    const place = (this.head + this.count) & (this.times.length - 1)
    this.times[place] = time
    this.values[place] = value
    if (this.count++ === 0) this.first = time
  }

  /** Removes the earliest entry and returns its value. */
  take(): number {
    const taken = this.values[this.head]
    this.head = (this.head + 1) & (this.times.length - 1)
    this.count--
    if (this.seenCount > 0) this.seenCount--
    this.first = this.count === 0 ? Number.POSITIVE_INFINITY : this.times[this.head]
    return taken
  }

  /** The number of next entries to prefetch now; every entry is counted once. */
  unseen(most: number): number {
    if (this.seenCount > 0) return 0
    this.seenCount = Math.min(most, this.count)
    return this.seenCount
  }

  /** The value of the i-th next entry. */
  ahead(i: number): number {
    return this.values[(this.head + i) & (this.times.length - 1)]
  }

  /** Visits all values. */
  each(visit: (value: number) => void): void {
    for (let i = 0; i < this.count; i++)
      visit(this.values[(this.head + i) & (this.times.length - 1)])
  }

  private grow(): void {
    const { times, values, head, count } = this
    this.times = new Float64Array(2 * count)
    this.values = new Int32Array(2 * count)
    for (let i = 0; i < count; i++) {
      this.times[i] = times[(head + i) & (count - 1)]
      this.values[i] = values[(head + i) & (count - 1)]
    }
    this.head = 0
  }
}
