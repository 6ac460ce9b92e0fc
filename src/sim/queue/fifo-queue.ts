/** An event queue whose entries arrive sorted by time. A ring buffer over typed arrays. */
export class FifoQueue {
  /** The earliest time; Infinity when the queue is empty. */
  first = Number.POSITIVE_INFINITY
  private times = new Float64Array(16)
  private values = new Int32Array(16)
  /** The index of the earliest entry, and the number of entries. */
  private head = 0
  private count = 0

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
    this.first = this.count === 0 ? Number.POSITIVE_INFINITY : this.times[this.head]
    return taken
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
