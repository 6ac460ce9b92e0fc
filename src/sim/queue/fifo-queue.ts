/**
 * Moments that are put in in their own order, as those are at which messages arrive that all take
 * the same time: each holds a number, and who comes first is first.
 */
export class FifoQueue {
  /** The earliest moment; Infinity when there is none. */
  first = Number.POSITIVE_INFINITY
  private times = new Float64Array(16)
  private values = new Int32Array(16)
  /** Where the earliest lies, how many there are, and how far `unseen` has come. */
  private head = 0
  private count = 0
  private shown = 0

  add(time: number, value: number): void {
    if (this.count === this.times.length) this.grow()
    const place = (this.head + this.count) & (this.times.length - 1)
    this.times[place] = time
    this.values[place] = value
    if (this.count++ === 0) this.first = time
  }

  /** Takes the earliest moment out and returns what it holds. */
  take(): number {
    const taken = this.values[this.head]
    this.head = (this.head + 1) & (this.times.length - 1)
    this.count--
    if (this.shown > 0) this.shown--
    this.first = this.count === 0 ? Number.POSITIVE_INFINITY : this.times[this.head]
    return taken
  }

  /** How many of those that come next are to be looked at now; each of them comes up once. */
  unseen(most: number): number {
    if (this.shown > 0) return 0
    this.shown = Math.min(most, this.count)
    return this.shown
  }

  /** What the i-th of them holds. */
  ahead(i: number): number {
    return this.values[(this.head + i) & (this.times.length - 1)]
  }

  /** Shows what all moments hold. */
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
