const FIRST_SLOTS = 1 << 7
/** A high load factor: a smaller table has fewer cache misses. */
const MAX_LOAD = 0.8

/** What is known of a fingerprint. */
export const ABSENT = -1
export const UNMARKED = 0
export const MARKED = 1

/**
 * Hash compaction: a set of 64-bit fingerprints with open addressing, 8 bytes a slot. Two states
 * with the same fingerprint are taken for one; the expected number of states missed in this way is
 * far below one, see `expectedMisses`. Fingerprints can be marked, with one bit a slot.
 */
export class FingerprintSet {
  size = 0
  /** Keeps the prefetch loop from being optimised away. */
  prefetched = 0
  private slots = FIRST_SLOTS
  private table = new Int32Array(2 * FIRST_SLOTS)
  private marks: Int32Array

  /** Whether fingerprints will be marked. */
  constructor(private readonly marked: boolean) {
    this.marks = this.newMarks()
  }

  /** The memory used, including the larger table during the next growth. */
  get bytes(): number {
    return (this.table.byteLength + this.marks.byteLength) * 3
  }

  /** Adds a fingerprint; returns whether it was new. */
  add(low: number, high: number): boolean {
    // Zeros mark an empty slot.
    const mark = low === 0 && high === 0 ? 1 : high
    const slot = 2 * this.placeOf(low, mark)
    const { table } = this
    if (table[slot] !== 0 || table[slot + 1] !== 0) return false
    table[slot] = low
    table[slot + 1] = mark
    this.size++
    if (this.size > this.slots * MAX_LOAD) this.grow()
    return true
  }

  has(low: number, high: number): boolean {
    return this.isTaken(this.placeOf(low, low === 0 && high === 0 ? 1 : high))
  }

  /** Marks a fingerprint of the set. */
  mark(low: number, high: number): void {
    this.setMark(this.placeOf(low, low === 0 && high === 0 ? 1 : high))
  }

  /** Whether it is in the set, and marked: `ABSENT`, `UNMARKED` or `MARKED`. */
  look(low: number, high: number): number {
    const place = this.placeOf(low, low === 0 && high === 0 ? 1 : high)
    if (!this.isTaken(place)) return ABSENT
    return (this.marks[place >>> 5] & (1 << (place & 31))) === 0 ? UNMARKED : MARKED
  }

  /** Visits every fingerprint. */
  each(visit: (low: number, high: number) => void): void {
    for (let place = 0; place < this.slots; place++)
      if (this.isTaken(place)) visit(this.table[2 * place], this.table[2 * place + 1])
  }

  private isTaken(place: number): boolean {
    return this.table[2 * place] !== 0 || this.table[2 * place + 1] !== 0
  }

  private setMark(place: number): void {
    this.marks[place >>> 5] |= 1 << (place & 31)
  }

  private newMarks(): Int32Array {
    return new Int32Array(this.marked ? this.slots >>> 5 : 0)
  }

  /**
   * Software prefetch: touches the slots of several fingerprints so that cache misses overlap. The
   * low halves are so many places apart.
   */
  prefetch(lows: Int32Array, count: number, apart = 1): void {
    const { table } = this
    const mask = this.slots - 1
    let touched = 0
    for (let i = 0; i < count; i += apart) touched ^= table[2 * (lows[i] & mask)]
    this.prefetched = touched
  }

  /** The same for some of the fingerprints. */
  prefetchSome(lows: Int32Array, which: Int32Array, count: number): void {
    const { table } = this
    const mask = this.slots - 1
    let touched = 0
    for (let k = 0; k < count; k++) touched ^= table[2 * (lows[which[k]] & mask)]
    this.prefetched = touched
  }

  private placeOf(low: number, high: number): number {
    const { table } = this
    const mask = this.slots - 1
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const entry = table[2 * place]
      if (entry === low && table[2 * place + 1] === high) return place
      if (entry === 0 && table[2 * place + 1] === 0) return place
    }
  }

  private grow(): void {
    const { table, marks, slots } = this
    this.slots *= 2
    this.table = new Int32Array(2 * this.slots)
    this.marks = this.newMarks()
    for (let former = 0; former < slots; former++) {
      const [low, high] = [table[2 * former], table[2 * former + 1]]
      if (low === 0 && high === 0) continue
      const place = this.placeOf(low, high)
      this.table[2 * place] = low
      this.table[2 * place + 1] = high
      if (this.marked && (marks[former >>> 5] & (1 << (former & 31))) !== 0) this.setMark(place)
    }
  }
}

/** The expected number of states that are missed because of a fingerprint collision. */
export function expectedMisses(states: number): number {
  return states ** 2 / 2 ** 65
}
