import { grown } from '../../core/runtime/growable-array.ts'

/**
 * A binary heap of cells by time, over typed arrays. The earliest comes first, and cells of equal
 * times come in the order of insertion. The heap notes where each cell is: any can be removed.
 */
export class BinaryHeap {
  /** The number of cells that were ever added. */
  added = 0
  size = 0
  private times: Float64Array = new Float64Array(16)
  private order: Float64Array = new Float64Array(16)
  private cells = new Int32Array(16)

  /** By cell: -1 minus its index in the heap. Cells that are not in it are left alone. */
  constructor(public places: Int32Array) {}

  /** The earliest time; Infinity when the heap is empty. */
  get first(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.times[0]
  }

  /** How many cells had been added before the earliest one. */
  get firstOrder(): number {
    return this.order[0]
  }

  add(time: number, cell: number): void {
    if (this.size === this.times.length) this.grow()
    this.rise(this.size++, time, this.added++, cell)
  }

  /** Removes the earliest cell and returns it. */
  take(): number {
    const [taken] = this.cells
    this.remove(0)
    return taken
  }

  /** Removes the cell at an index: the last one takes its place. */
  remove(index: number): void {
    const last = --this.size
    const { times, order, cells } = this
    if (index === last) return
    if (this.before(last, index)) this.rise(index, times[last], order[last], cells[last])
    else this.sink(index, times[last], order[last], cells[last])
  }

  /** Puts a cell at an index or above it. */
  private rise(index: number, time: number, order: number, cell: number): void {
    let hole = index
    while (hole > 0) {
      const parent = (hole - 1) >> 1
      if (!this.isAfter(parent, time, order)) break
      this.move(parent, hole)
      hole = parent
    }
    this.set(hole, time, order, cell)
  }

  /** Puts a cell at an index or below it. */
  private sink(index: number, time: number, order: number, cell: number): void {
    let hole = index
    for (;;) {
      let child = 2 * hole + 1
      if (child >= this.size) break
      if (child + 1 < this.size && this.before(child + 1, child)) child++
      if (this.isAfter(child, time, order)) break
      this.move(child, hole)
      hole = child
    }
    this.set(hole, time, order, cell)
  }

  private before(a: number, b: number): boolean {
    return this.isAfter(b, this.times[a], this.order[a])
  }

  private isAfter(index: number, time: number, order: number): boolean {
    return this.times[index] > time || (this.times[index] === time && this.order[index] > order)
  }

  private move(from: number, to: number): void {
    this.set(to, this.times[from], this.order[from], this.cells[from])
  }

  private set(index: number, time: number, order: number, cell: number): void {
    this.times[index] = time
    this.order[index] = order
    this.cells[index] = cell
    this.places[cell] = -1 - index
  }

  private grow(): void {
    this.times = grown(this.times)
    this.order = grown(this.order)
    this.cells = grown(this.cells)
  }
}
