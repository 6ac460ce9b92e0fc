import { BinaryHeap } from './binary-heap.ts'
import { BucketLists } from './bucket-lists.ts'
import { BucketSort, ENTRY, NUMBER, TIME, VALUE } from './bucket-sort.ts'

/** The parts of a time unit, and the number of parts, one bucket each, in the wheel. */
const SCALE = 64
const WHEEL = 1 << 14
const MASK = WHEEL - 1
/** Beyond this part float64s cannot tell parts apart; such entries go to the heap. */
const LAST = 2 ** 52
const NEVER = Number.POSITIVE_INFINITY

/**
 * A calendar queue: a timing wheel for near entries and a binary heap for all others. A bucket of
 * the wheel has the entries of a small part of a time unit and is sorted when it is opened. Entries
 * that come later for an open bucket go to the heap. The order is that of the binary heap.
 */
export class CalendarQueue {
  /** The earliest time; Infinity when the queue is empty. */
  first = NEVER
  private readonly far = new BinaryHeap()
  /** One list per bucket. */
  private readonly wheel = new BucketLists(WHEEL)
  private readonly sorting = new BucketSort()
  /** The part of time whose bucket is open, and its remaining entries. */
  private part = 0
  private open: Float64Array = new Float64Array(0)
  private room: Float64Array = new Float64Array(0)
  private next = 0
  private end = 0
  /** The end of the entries that `unseen` has returned. */
  private seenEnd = 0
  private inWheel = 0
  private added = 0
  /** Whether the earliest entry is in the heap. */
  private farFirst = false
  /** Whether `farFirst` and the open bucket are up to date. */
  private current = true

  get size(): number {
    return this.inWheel + this.far.size
  }

  /** The value of the earliest entry. */
  get value(): number {
    this.ensureFirst()
    return this.farFirst ? this.far.value : this.open[this.next + VALUE]
  }

  /** The sequence number of the earliest entry. */
  get number(): number {
    this.ensureFirst()
    return this.farFirst ? this.far.number : this.open[this.next + NUMBER]
  }

  /** Adds an entry and returns its sequence number. */
  add(time: number, value: number): number {
    const number = this.added++
    const part = Math.floor(time * SCALE)
    const ahead = part - this.part
    if (time < this.first) {
      this.first = time
      this.current = false
    }
    if (!(ahead > 0 && ahead < WHEEL && part < LAST)) return this.far.add(time, value, number)
    this.wheel.add(part & MASK, time, value, number)
    this.inWheel++
    return number
  }

  /** Visits all values, in no particular order. */
  each(visit: (value: number) => void): void {
    for (let at = this.next; at < this.end; at += ENTRY) visit(this.open[at + VALUE])
    this.wheel.each(visit)
    this.far.each(visit)
  }

  /** Removes the earliest entry and returns its value. */
  take(): number {
    this.ensureFirst()
    let taken: number
    if (this.farFirst) {
      if (this.inWheel === 0) this.part = Math.max(this.part, Math.floor(this.first * SCALE))
      taken = this.far.take() | 0
    } else {
      // Integers keep the arithmetic of the callers from becoming floating-point.
      taken = this.open[this.next + VALUE] | 0
      this.next += ENTRY
      this.inWheel--
    }
    this.findFirst()
    return taken
  }

  /** The number of next entries to prefetch now; every entry is counted once. */
  unseen(most: number): number {
    if (this.next < this.seenEnd) return 0
    this.seenEnd = Math.min(this.next + most * ENTRY, this.end)
    return ((this.seenEnd - this.next) / ENTRY) | 0
  }

  /** The value of the i-th next entry. */
  ahead(i: number): number {
    return this.open[this.next + i * ENTRY + VALUE] | 0
  }

  private ensureFirst(): void {
    if (this.current === false) this.findFirst()
  }

  /** Finds the earliest entry. */
  private findFirst(): void {
    const { far } = this
    if (this.next === this.end && this.inWheel > 0) this.openNext()
    const near = this.next === this.end ? NEVER : this.open[this.next + TIME]
    this.current = true
    if (far.size === 0) {
      this.first = near
      this.farFirst = false
      return
    }
    this.farFirst =
      far.first < near || (far.first === near && far.number < this.open[this.next + NUMBER])
    this.first = this.farFirst ? far.first : near
  }

  private openNext(): void {
    const { wheel } = this
    let { part } = this
    do part++
    while (wheel.length(part & MASK) === 0)
    this.part = part
    this.next = 0
    this.seenEnd = 0
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
