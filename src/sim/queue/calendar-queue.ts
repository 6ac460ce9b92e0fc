import { BinaryHeap } from './binary-heap.ts'
import { BucketLists } from './bucket-lists.ts'
import { BucketSort, ENTRY, NUMBER, TIME, VALUE } from './bucket-sort.ts'

/** Into so many parts a time unit is divided, and how many of them lie in the wheel. */
const SCALE = 64
const WHEEL = 1 << 14
const MASK = WHEEL - 1
/** Parts beyond this one are not told from each other by a float64, and do not come into it. */
const LAST = 2 ** 52
const NEVER = Number.POSITIVE_INFINITY

/**
 * The same as `Moments`, and quicker where many moments are near: these lie in a wheel of buckets,
 * each for a small part of a time unit, and are sorted once their bucket is opened. What is put in
 * for that part of time afterwards, or for one beyond the wheel, has a priority queue.
 */
export class CalendarQueue {
  /** The earliest moment; Infinity when there is none. */
  first = NEVER
  private readonly far = new BinaryHeap()
  /** A bucket is a list of these. */
  private readonly wheel = new BucketLists(WHEEL)
  private readonly sorting = new BucketSort()
  /** The part of time whose bucket was opened last, and which entries of it are left. */
  private part = 0
  private open: Float64Array = new Float64Array(0)
  private room: Float64Array = new Float64Array(0)
  private next = 0
  private end = 0
  /** How far `unseen` has come. */
  private shown = 0
  private inWheel = 0
  private put = 0
  /** Whether the earliest moment is among the far. */
  private farFirst = false
  /** Whether the earliest moment was looked up since something earlier was put in. */
  private settled = true

  get size(): number {
    return this.inWheel + this.far.size
  }

  /** What the earliest moment holds. */
  get value(): number {
    this.settle()
    return this.farFirst ? this.far.value : this.open[this.next + VALUE]
  }

  /** The number that `add` gave to the earliest moment. */
  get number(): number {
    this.settle()
    return this.farFirst ? this.far.number : this.open[this.next + NUMBER]
  }

  /** Adds a moment and returns its number, unique in this schedule. */
  add(time: number, value: number): number {
    const number = this.put++
    const part = Math.floor(time * SCALE)
    const ahead = part - this.part
    if (time < this.first) {
      this.first = time
      this.settled = false
    }
    if (!(ahead > 0 && ahead < WHEEL && part < LAST)) return this.far.add(time, value, number)
    this.wheel.add(part & MASK, time, value, number)
    this.inWheel++
    return number
  }

  /** Shows what all moments hold, in no order. */
  each(visit: (value: number) => void): void {
    for (let at = this.next; at < this.end; at += ENTRY) visit(this.open[at + VALUE])
    this.wheel.each(visit)
    this.far.each(visit)
  }

  /** Takes the earliest moment out and returns what it holds. */
  take(): number {
    this.settle()
    let taken: number
    if (this.farFirst) {
      if (this.inWheel === 0) this.part = Math.max(this.part, Math.floor(this.first * SCALE))
      taken = this.far.take() | 0
    } else {
      // A float64 would make slow floating-point work of all that is computed with it.
      taken = this.open[this.next + VALUE] | 0
      this.next += ENTRY
      this.inWheel--
    }
    this.look()
    return taken
  }

  /** How many of those that come next are to be looked at now; each of them comes up once. */
  unseen(most: number): number {
    if (this.next < this.shown) return 0
    this.shown = Math.min(this.next + most * ENTRY, this.end)
    return ((this.shown - this.next) / ENTRY) | 0
  }

  /** What the i-th of them holds. */
  ahead(i: number): number {
    return this.open[this.next + i * ENTRY + VALUE] | 0
  }

  private settle(): void {
    if (this.settled === false) this.look()
  }

  /** Looks up the earliest moment. */
  private look(): void {
    const { far } = this
    if (this.next === this.end && this.inWheel > 0) this.openNext()
    const soon = this.next === this.end ? NEVER : this.open[this.next + TIME]
    this.settled = true
    if (far.size === 0) {
      this.first = soon
      this.farFirst = false
      return
    }
    this.farFirst =
      far.first < soon || (far.first === soon && far.number < this.open[this.next + NUMBER])
    this.first = this.farFirst ? far.first : soon
  }

  private openNext(): void {
    const { wheel } = this
    let { part } = this
    do part++
    while (wheel.length(part & MASK) === 0)
    this.part = part
    this.next = 0
    this.shown = 0
    this.end = wheel.length(part & MASK)
    if (this.end > this.open.length) {
      this.open = new Float64Array(2 * this.end)
      this.room = new Float64Array(2 * this.end)
    }
    const { open, room } = this
    wheel.empty(part & MASK, open)
    this.open = this.sorting.sort(open, room, this.end, part / SCALE, SCALE)
    if (this.open === room) this.room = open
  }
}
