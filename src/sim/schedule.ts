import { Moments } from './moments.ts'

/** Into so many parts a time unit is divided, and how many of them lie in the wheel. */
const SCALE = 64
const WHEEL = 1 << 14
const MASK = WHEEL - 1
/** Parts beyond this one are not told from each other by a float64, and do not come into it. */
const LAST = 2 ** 52
const FIRST_ENTRIES = 8
/** An entry of the wheel: when, what it holds, and its number. */
const TIME = 0
const VALUE = 1
const NUMBER = 2
const ENTRY = 3
const NEVER = Number.POSITIVE_INFINITY

/**
 * The same as `Moments`, and quicker where many moments are near: these lie in a wheel of buckets,
 * each for a small part of a time unit, and are sorted once their bucket is opened. What is put in
 * for that part of time afterwards, or for one beyond the wheel, has a priority queue.
 */
export class Schedule {
  /** The earliest moment; Infinity when there is none. */
  first = NEVER
  private readonly far = new Moments()
  private readonly buckets: (Float64Array | undefined)[] = []
  private readonly ends = new Int32Array(WHEEL)
  /** Buckets that were emptied, for others to fill. */
  private readonly spare: Float64Array[] = []
  /** The part of time whose bucket was opened last, and which entries of it are left. */
  private part = 0
  private open: Float64Array = new Float64Array(0)
  private next = 0
  private end = 0
  /** How far `preview` has come. */
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
    const place = part & MASK
    const at = this.ends[place]
    let bucket = this.buckets[place]
    if (bucket === undefined || at === bucket.length) bucket = this.grow(place)
    bucket[at + TIME] = time
    bucket[at + VALUE] = value
    bucket[at + NUMBER] = number
    this.ends[place] = at + ENTRY
    this.inWheel++
    return number
  }

  /** Shows what all moments hold, in no order. */
  each(visit: (value: number) => void): void {
    for (let at = this.next; at < this.end; at += ENTRY) visit(this.open[at + VALUE])
    for (const [place, bucket] of this.buckets.entries())
      for (let at = 0; at < this.ends[place]; at += ENTRY) visit(bucket![at + VALUE])
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

  /** Shows what those hold that come next, as far as they are at hand, each of them once. */
  preview(most: number, visit: (value: number) => void): void {
    if (this.next < this.shown) return
    const end = Math.min(this.next + most * ENTRY, this.end)
    for (let at = this.next; at < end; at += ENTRY) visit(this.open[at + VALUE])
    this.shown = end
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
    let { part } = this
    do part++
    while (this.ends[part & MASK] === 0)
    const place = part & MASK
    if (this.open.length > 0) this.spare.push(this.open)
    this.open = this.buckets[place]!
    this.buckets[place] = undefined
    this.part = part
    this.end = this.ends[place]
    this.next = 0
    this.shown = 0
    this.ends[place] = 0
    if (!isSorted(this.open, this.end)) this.sort()
  }

  /** Merges longer and longer stretches that are in order: of equal moments the first stays so. */
  private sort(): void {
    const { end } = this
    let from = this.open
    let to = this.empty(from.length)
    for (let stretch = ENTRY; stretch < end; stretch *= 2) {
      for (let at = 0; at < end; at += 2 * stretch)
        merge(from, to, at, Math.min(at + stretch, end), Math.min(at + 2 * stretch, end))
      const merged = to
      to = from
      from = merged
    }
    this.open = from
    this.spare.push(to)
  }

  private grow(place: number): Float64Array {
    const old = this.buckets[place]
    const larger = this.empty(old === undefined ? ENTRY * FIRST_ENTRIES : 2 * old.length)
    if (old !== undefined) {
      larger.set(old)
      this.spare.push(old)
    }
    this.buckets[place] = larger
    return larger
  }

  /** A bucket with room for so much, and in the long run for as much as others needed. */
  private empty(length: number): Float64Array {
    let spare = this.spare.pop()
    while (spare !== undefined && spare.length < length) spare = this.spare.pop()
    return spare ?? new Float64Array(length)
  }
}

function isSorted(bucket: Float64Array, end: number): boolean {
  for (let at = ENTRY; at < end; at += ENTRY) if (bucket[at] < bucket[at - ENTRY]) return false
  return true
}

/** Two stretches that follow each other, each in order, become one. */
function merge(
  from: Float64Array,
  to: Float64Array,
  begin: number,
  middle: number,
  end: number,
): void {
  let left = begin
  let right = middle
  for (let at = begin; at < end; at += ENTRY) {
    const takeLeft = left < middle && (right >= end || from[left] <= from[right])
    const source = takeLeft ? left : right
    to[at + TIME] = from[source + TIME]
    to[at + VALUE] = from[source + VALUE]
    to[at + NUMBER] = from[source + NUMBER]
    if (takeLeft) left += ENTRY
    else right += ENTRY
  }
}
