import { grown } from '../../core/runtime/growable-array.ts'

/**
 * A binary heap over typed arrays. An entry has a time and an integer value; the earliest entry
 * comes first, and entries of equal times come in the order of insertion.
 */
export class BinaryHeap {
  private times: Float64Array = new Float64Array(16)
  private order: Float64Array = new Float64Array(16)
  private values: Float64Array = new Float64Array(16)
  private count = 0
  private added = 0

  get size(): number {
    return this.count
  }

  /** The earliest time; Infinity when the heap is empty. */
  get first(): number {
    return this.count === 0 ? Number.POSITIVE_INFINITY : this.times[0]
  }

  /** The value of the earliest entry. */
  get value(): number {
    return this.values[0]
  }

  /** Adds an entry and returns its sequence number, which must be larger than all before. */
  add(time: number, value: number, order = this.added++): number {
    if (this.count === this.times.length) this.grow()
    let hole = this.count++
    while (hole > 0) {
      const parent = (hole - 1) >> 1
      if (this.times[parent] <= time) break
      this.move(parent, hole)
      hole = parent
    }
    this.set(hole, time, order, value)
    return order
  }

  /** Visits all values, in no particular order. */
  each(visit: (value: number) => void): void {
    for (let at = 0; at < this.count; at++) visit(this.values[at])
  }

  /** Removes the earliest entry and returns its value. */
  take(): number {
    const taken = this.values[0]
    const last = --this.count
    const time = this.times[last]
    const order = this.order[last]
    const value = this.values[last]
    let hole = 0
    for (;;) {
      let child = 2 * hole + 1
      if (child >= last) break
      if (child + 1 < last && this.before(child + 1, child)) child++
      if (this.times[child] > time || (this.times[child] === time && this.order[child] > order))
        break
      this.move(child, hole)
      hole = child
    }
    this.set(hole, time, order, value)
    return taken
  }

  /** The sequence number of the earliest entry. */
  get number(): number {
    return this.order[0]
  }

  private before(a: number, b: number): boolean {
    return (
      this.times[a] < this.times[b] ||
      (this.times[a] === this.times[b] && this.order[a] < this.order[b])
    )
  }

  private move(from: number, to: number): void {
    this.set(to, this.times[from], this.order[from], this.values[from])
  }

  private set(at: number, time: number, order: number, value: number): void {
    this.times[at] = time
    this.order[at] = order
    this.values[at] = value
  }

  private grow(): void {
    this.times = grown(this.times)
    this.order = grown(this.order)
    this.values = grown(this.values)
  }
}
