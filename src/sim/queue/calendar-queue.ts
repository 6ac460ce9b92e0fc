import { grown } from '../../core/runtime/growable-array.ts'
import { BinaryHeap } from './binary-heap.ts'
import { BucketLists, REMOVED } from './bucket-lists.ts'
import { BucketSort, CELL, ENTRY, TIME } from './bucket-sort.ts'

/** The parts of a time unit, and the number of parts, one bucket each, in the wheel. */
const SCALE = 64
const WHEEL = 1 << 14
const MASK = WHEEL - 1
/** Beyond this part float64s cannot tell parts apart; such cells go to the heap. */
const LAST = 2 ** 52
const NEVER = Number.POSITIVE_INFINITY
/** The place of a cell that is not in the queue. */
const ABSENT = 0

/**
 * A calendar queue of cells, small integers of which each has at most one time: a timing wheel for
 * near times and a binary heap for all others. A bucket of the wheel has the cells of a small part
 * of a time unit and is sorted when it is opened. Cells that come later for an open bucket go to
 * the heap. Equal times are in the order of insertion. The place of each cell is known, so that it
 * is removed at once; a mark stays in its list of the wheel until that is opened or cleared.
 */
export class CalendarQueue {
  /** The earliest time; Infinity when the queue is empty. */
  first = NEVER
  private times: Float64Array
  /** By cell: ABSENT; above 0, where it lies or lay in the wheel; below 0, a place in the heap. */
  private places: Int32Array
  private readonly far: BinaryHeap
  /** One list per bucket. */
  private readonly wheel = new BucketLists(WHEEL)
  private readonly sorting = new BucketSort()
  /** The part of time whose bucket is open, its cells, and the first and the end of the rest. */
  private part = 0
  private open = new Int32Array(0)
  private next = 0
  private end = 0
  /** The cells of a bucket with their times, while they are sorted. */
  private entries = new Float64Array(0)
  private room = new Float64Array(0)
  /** How many cells the heap had been given when the bucket was opened. */
  private farBefore = 0
  private inWheel = 0
  /** How many marks of removed cells the lists of the wheel have. */
  private marks = 0
  /** Whether the earliest cell is in the heap. */
  private farFirst = false
  /** Whether `farFirst` and the open bucket are up to date. */
  private current = true

  /** There is room for more cells than this, too. */
  constructor(cells: number) {
    this.times = new Float64Array(cells)
    this.places = new Int32Array(cells)
    this.far = new BinaryHeap(this.places)
  }

  get size(): number {
    return this.inWheel + this.far.size
  }

  has(cell: number): boolean {
    return (this.places[cell] ?? ABSENT) !== ABSENT
  }

  /** Adds a cell that is not in the queue. */
  add(time: number, cell: number): void {
    if (cell >= this.places.length) this.grow(cell)
    const part = Math.floor(time * SCALE)
    const ahead = part - this.part
    if (time < this.first) {
      this.first = time
      this.current = false
    }
    this.times[cell] = time
    if (ahead > 0 && ahead < WHEEL && part < LAST) {
      this.places[cell] = this.wheel.add(part & MASK, cell)
      this.inWheel++
    } else this.far.add(time, cell)
  }

  /** Removes a cell if it is in the queue. */
  remove(cell: number): void {
    if (!this.has(cell)) return
    const place = this.places[cell]
    if (place < 0) this.far.remove(-1 - place)
    else {
      this.inWheel--
      if (!this.isOpen(cell)) this.mark(place)
    }
    this.places[cell] = ABSENT
    if (this.times[cell] === this.first) this.findFirst()
  }

  /** Marks a cell of the wheel as removed. Marks alone are cleared before they take much room. */
  private mark(place: number): void {
    this.wheel.cells[place] = REMOVED
    this.marks++
    if (this.inWheel > 0 || this.marks < WHEEL) return
    this.wheel.clear()
    this.marks = 0
  }

  /** Visits all cells in the order of their numbers. */
  each(visit: (cell: number) => void): void {
    for (let cell = 0; cell < this.places.length; cell++) if (this.has(cell)) visit(cell)
  }

  /** Removes the earliest cell and returns it. */
  take(): number {
    if (this.current === false) this.findFirst()
    if (this.farFirst === true) return this.takeFar()
    const { open, places } = this
    const taken = open[this.next]
    places[taken] = ABSENT
    this.inWheel--
    const next = this.next + 1
    this.next = next
    if (!(next < this.end && this.isNow(open[next]))) this.findFirst()
    return taken
  }

  /**
   * Whether a cell of the open bucket follows at the same time, as most do. Cells of that time that
   * the heap had before the bucket was opened have been taken; later ones follow the bucket.
   */
  private isNow(cell: number): boolean {
    return this.places[cell] > 0 && this.times[cell] === this.first
  }

  private takeFar(): number {
    if (this.inWheel === 0) this.part = Math.max(this.part, Math.floor(this.first * SCALE))
    const taken = this.far.take()
    this.places[taken] = ABSENT
    this.findFirst()
    return taken
  }

  /** Finds the earliest cell. */
  private findFirst(): void {
    const { far } = this
    this.skipRemoved()
    while (this.next === this.end && this.inWheel > 0) {
      this.openNext()
      this.skipRemoved()
    }
    const near = this.next === this.end ? NEVER : this.times[this.open[this.next]]
    this.current = true
    // What the heap was given before the bucket was opened was beyond the wheel, and set before.
    this.farFirst =
      far.first < near || (far.size > 0 && far.first === near && far.firstOrder < this.farBefore)
    this.first = this.farFirst ? far.first : near
  }

  private skipRemoved(): void {
    while (this.next < this.end && !this.isOpen(this.open[this.next])) this.next++
  }

  /**
   * Whether a cell is in the open bucket. One that was removed from it may have been set again: for
   * a later part of time, or in the heap.
   */
  private isOpen(cell: number): boolean {
    return this.places[cell] > 0 && Math.floor(this.times[cell] * SCALE) === this.part
  }

  private openNext(): void {
    const { wheel } = this
    const bucket = wheel.nextFrom((this.part + 1) & MASK)
    this.part += (bucket - this.part) & MASK
    this.farBefore = this.far.added
    this.end = wheel.length(bucket)
    if (this.end > this.open.length) this.open = new Int32Array(2 * this.end)
    this.next = wheel.empty(bucket, this.open)
    this.marks -= this.next
    if (!this.isSorted()) this.sort()
  }

  private isSorted(): boolean {
    const { open, times, end } = this
    let before = 0
    for (let i = this.next; i < end; i++) {
      const time = times[open[i]]
      if (time < before) return false
      before = time
    }
    return true
  }

  /** Sorts the cells of the open bucket by their times. */
  private sort(): void {
    const { open, times, next, end } = this
    const length = ENTRY * (end - next)
    if (length > this.entries.length) {
      this.entries = new Float64Array(2 * length)
      this.room = new Float64Array(2 * length)
    }
    const { entries, room } = this
    for (let i = next, at = 0; i < end; i++, at += ENTRY) {
      entries[at + TIME] = times[open[i]]
      entries[at + CELL] = open[i]
    }
    const sorted = this.sorting.sort(entries, room, length, this.part / SCALE, SCALE)
    for (let i = next, at = CELL; i < end; i++, at += ENTRY) open[i] = sorted[at]
  }

  private grow(cell: number): void {
    const length = Math.max(2 * this.places.length, cell + 1)
    this.times = grown(this.times, length)
    this.places = grown(this.places, length)
    this.far.places = this.places
  }
}
