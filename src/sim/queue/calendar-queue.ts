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
/** The place of a cell that is not in the queue; places from OPEN on are in the open bucket. */
const ABSENT = 0
const OPEN = 2 ** 30

/**
 * A calendar queue of cells, small integers of which each has at most one time: a timing wheel for
 * near times and a binary heap for all others. A bucket of the wheel has the cells of a small part
 * of a time unit and is sorted when it is opened. Cells that come later for an open bucket go to
 * the heap. Equal times are in the order of insertion. The place of each cell is known, so that it
 * is removed at once, and a cell that is set again and again takes the room of one.
 */
export class CalendarQueue {
  /** The earliest time; Infinity when the queue is empty. */
  first = NEVER
  private times: Float64Array
  /** By cell: ABSENT; where it lies in the wheel; OPEN and its entry; or a place in the heap. */
  private places: Int32Array
  private readonly far: BinaryHeap
  /** One list per bucket, and one bit per bucket: whether its list has a cell, removed or not. */
  private readonly wheel = new BucketLists(WHEEL)
  private readonly filled = new Int32Array(WHEEL >> 5)
  private readonly sorting = new BucketSort()
  /** The part of time whose bucket is open, its entries, and the first and the end of the rest. */
  private part = 0
  private open: Float64Array = new Float64Array(0)
  private room: Float64Array = new Float64Array(0)
  private opened = new Int32Array(0)
  private next = 0
  private end = 0
  /** How many cells the heap had been given when the bucket was opened. */
  private farBefore = 0
  /** The end of the entries that `unseen` has returned. */
  private seenEnd = 0
  private inWheel = 0
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
    return this.places[cell] !== ABSENT
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
      const bucket = part & MASK
      this.places[cell] = this.wheel.add(bucket, cell)
      this.filled[bucket >> 5] |= 1 << (bucket & 31)
      this.inWheel++
    } else this.far.add(time, cell)
  }

  /** Removes a cell if it is in the queue. */
  remove(cell: number): void {
    const place = this.places[cell]
    if (place === ABSENT) return
    this.places[cell] = ABSENT
    if (place < 0) this.far.remove(-1 - place)
    else {
      this.inWheel--
      if (place >= OPEN) this.open[place - OPEN + CELL] = REMOVED
      else this.wheel.cells[place] = REMOVED
    }
    if (this.times[cell] === this.first) this.findFirst()
  }

  /** Visits all cells in the order of their numbers. */
  each(visit: (cell: number) => void): void {
    for (let cell = 0; cell < this.places.length; cell++) if (this.has(cell)) visit(cell)
  }

  /** Removes the earliest cell and returns it. */
  take(): number {
    if (this.current === false) this.findFirst()
    if (this.farFirst === true) return this.takeFar()
    // Integers keep the arithmetic of the callers from becoming floating-point.
    const taken = this.open[this.next + CELL] | 0
    this.places[taken] = ABSENT
    this.inWheel--
    const next = this.next + ENTRY
    this.next = next
    // Mostly the next entry of the bucket has the same time.
    const { open, first } = this
    const usual = next < this.end && open[next + TIME] === first && open[next + CELL] >= 0
    if (!(usual && this.far.first > first)) this.findFirst()
    return taken
  }

  private takeFar(): number {
    if (this.inWheel === 0) this.part = Math.max(this.part, Math.floor(this.first * SCALE))
    const taken = this.far.take()
    this.places[taken] = ABSENT
    this.findFirst()
    return taken
  }

  /** Whether the next entry of the open bucket was not prefetched. */
  get isUnseen(): boolean {
    return this.next >= this.seenEnd
  }

  /** The number of next entries to prefetch now; every entry is counted once. */
  unseen(most: number): number {
    if (!this.isUnseen) return 0
    this.seenEnd = Math.min(this.next + most * ENTRY, this.end)
    return ((this.seenEnd - this.next) / ENTRY) | 0
  }

  /** The cell of the i-th next entry; negative if it was removed. */
  ahead(i: number): number {
    return this.open[this.next + i * ENTRY + CELL] | 0
  }

  /** Finds the earliest cell. */
  private findFirst(): void {
    const { far } = this
    this.skipRemoved()
    while (this.next === this.end && this.inWheel > 0) {
      this.openNext()
      this.skipRemoved()
    }
    const near = this.next === this.end ? NEVER : this.open[this.next + TIME]
    this.current = true
    // What the heap was given before the bucket was opened was beyond the wheel, and set before.
    this.farFirst =
      far.first < near || (far.size > 0 && far.first === near && far.firstOrder < this.farBefore)
    this.first = this.farFirst ? far.first : near
  }

  private skipRemoved(): void {
    while (this.next < this.end && this.open[this.next + CELL] === REMOVED) this.next += ENTRY
  }

  private openNext(): void {
    const { wheel } = this
    const bucket = this.nextFilled()
    this.part += (bucket - this.part) & MASK
    this.filled[bucket >> 5] &= ~(1 << (bucket & 31))
    this.farBefore = this.far.added
    this.next = 0
    this.seenEnd = 0
    const length = wheel.length(bucket)
    if (length > this.opened.length) {
      this.opened = new Int32Array(2 * length)
      this.open = new Float64Array(ENTRY * 2 * length)
      this.room = new Float64Array(ENTRY * 2 * length)
    }
    this.fill(wheel.empty(bucket, this.opened), length)
  }

  /** The next bucket that has a cell; there is one. */
  private nextFilled(): number {
    const { filled } = this
    const begin = (this.part + 1) & MASK
    let word = begin >> 5
    let bits = filled[word] & (-1 << (begin & 31))
    while (bits === 0) {
      word = (word + 1) & (filled.length - 1)
      bits = filled[word]
    }
    // The lowest bit that is set.
    return (word << 5) | (31 - Math.clz32(bits & -bits))
  }

  /** Sorts the cells of a bucket from one index to another by their times. */
  private fill(from: number, end: number): void {
    const { opened, open, room, times, places } = this
    let at = 0
    for (let i = from; i < end; i++) {
      const cell = opened[i]
      open[at + TIME] = times[cell]
      open[at + CELL] = cell
      at += ENTRY
    }
    this.end = at
    const sorted = this.sorting.sort(open, room, at, this.part / SCALE, SCALE)
    if (sorted === room) {
      this.open = room
      this.room = open
    }
    for (let at = 0; at < this.end; at += ENTRY) places[sorted[at + CELL]] = OPEN + at
  }

  private grow(cell: number): void {
    const length = Math.max(2 * this.places.length, cell + 1)
    this.times = grown(this.times, length)
    this.places = grown(this.places, length)
    this.far.places = this.places
  }
}
