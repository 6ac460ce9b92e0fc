import { grown } from '../../core/runtime/growable-array.ts'

/** A chunk: where the chunk before it in its list ends, numbers, and a cell that stays free. */
const CHUNK = 32
/** The offset at which a chunk is full. Ends are relative to it: that of an empty list is 0. */
const FULL = CHUNK - 1
const FIRST_CHUNKS = 32
/** In place of a number that was removed. */
export const REMOVED = -1

/**
 * Many lists of numbers in one array, as linked chunks. An array per list would cost one object and
 * one cache miss per list.
 */
export class BucketLists {
  /** A number is removed where it lies: REMOVED takes its place. */
  cells = new Int32Array(FIRST_CHUNKS * CHUNK)
  /** By list: where its next number goes, then how many it has, removed ones included. */
  private readonly ends: Int32Array
  /** One bit per list: whether it has a number, removed or not. */
  private readonly filled: Int32Array
  /** The free list of chunks, linked through the first cell of each. */
  private free = 0
  private used = CHUNK

  /** `lists`: a power of two, at least 32. */
  constructor(lists: number) {
    this.ends = new Int32Array(2 * lists)
    this.filled = new Int32Array(lists >> 5)
  }

  /** How many numbers a list has, removed ones included. */
  length(list: number): number {
    return this.ends[2 * list + 1]
  }

  /** Adds a number of 0 or more to a list; returns where it lies, above 0. */
  add(list: number, number: number): number {
    const { ends } = this
    let at = ends[2 * list] + FULL
    if ((at & FULL) === FULL) at = this.extend(list, at)
    this.cells[at] = number
    ends[2 * list] = at + 1 - FULL
    ends[2 * list + 1]++
    return at
  }

  /**
   * Moves the numbers of a list, in the order of insertion and without the removed ones, to the end
   * of the part of an array that is as long as the list. Returns where they begin.
   */
  empty(list: number, into: Int32Array): number {
    const { cells, ends } = this
    let last = ends[2 * list] + FULL
    let to = ends[2 * list + 1]
    while (last !== FULL) {
      const chunk = last & ~FULL
      for (let at = last - 1; at > chunk; at--) {
        const number = cells[at]
        if (number !== REMOVED) into[--to] = number
      }
      last = cells[chunk] + FULL
      cells[chunk] = this.free
      this.free = chunk
    }
    ends[2 * list] = 0
    ends[2 * list + 1] = 0
    this.filled[list >> 5] &= ~(1 << (list & 31))
    return to
  }

  /** Empties all lists. */
  clear(): void {
    this.ends.fill(0)
    this.filled.fill(0)
    this.free = 0
    this.used = CHUNK
  }

  /** The first list from this one on that has a number; after the last comes the first. */
  nextFrom(list: number): number {
    const { filled } = this
    let word = list >> 5
    let bits = filled[word] & (-1 << (list & 31))
    while (bits === 0) {
      word = (word + 1) & (filled.length - 1)
      bits = filled[word]
    }
    // The lowest bit that is set.
    return (word << 5) | (31 - Math.clz32(bits & -bits))
  }

  /** Appends a chunk to the list, which ends here; returns where its first number goes. */
  private extend(list: number, end: number): number {
    this.filled[list >> 5] |= 1 << (list & 31)
    let chunk = this.free
    if (chunk > 0) this.free = this.cells[chunk]
    else {
      chunk = this.used
      this.used += CHUNK
      if (chunk === this.cells.length) this.cells = grown(this.cells)
    }
    this.cells[chunk] = end - FULL
    return chunk + 1
  }
}
