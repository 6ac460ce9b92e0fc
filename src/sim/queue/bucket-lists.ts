import { grown } from '../../core/runtime/growable-array.ts'
import { ENTRY, NUMBER, TIME, VALUE } from './bucket-sort.ts'

/** A chunk: the start of the chunk before it in its list, then as many entries as fit. */
const CHUNK = 32
/** The offset at which a chunk is full. Ends are relative to it: that of an empty list is 0. */
const FULL = CHUNK - 1
const FIRST_CHUNKS = 32

/**
 * Many lists of entries in one array, as linked chunks. An array per list would cost one object and
 * one cache miss per list.
 */
export class BucketLists {
  private cells: Float64Array = new Float64Array(FIRST_CHUNKS * CHUNK)
  /** By list: where its next entry goes, then the number of cells of its entries. */
  private readonly ends: Int32Array
  /** The free list of chunks, linked through the first cell of each. */
  private free = 0
  private used = CHUNK

  constructor(lists: number) {
    this.ends = new Int32Array(2 * lists)
  }

  /** The number of cells that the entries of a list take. */
  length(list: number): number {
    return this.ends[2 * list + 1]
  }

  add(list: number, time: number, value: number, number: number): void {
    const { ends } = this
    let at = ends[2 * list] + FULL
    if ((at & FULL) === FULL) at = this.extend(at - FULL)
    const { cells } = this
    cells[at + TIME] = time
    cells[at + VALUE] = value
    cells[at + NUMBER] = number
    ends[2 * list] = at + ENTRY - FULL
    ends[2 * list + 1] += ENTRY
  }

  /** Moves the entries of a list, in the order of insertion, into an array that is long enough. */
  empty(list: number, into: Float64Array): void {
    const { cells, ends } = this
    let end = ends[2 * list] + FULL
    let to = ends[2 * list + 1]
    while (end !== FULL) {
      const chunk = (end & ~FULL) + 1
      to -= end - chunk
      for (let at = chunk; at < end; at++) into[to + at - chunk] = cells[at]
      end = cells[chunk - 1] + FULL
      cells[chunk - 1] = this.free
      this.free = chunk - 1
    }
    ends[2 * list] = 0
    ends[2 * list + 1] = 0
  }

  /** Visits the values of all lists, in no particular order. */
  each(visit: (value: number) => void): void {
    for (let list = 0; list < this.ends.length; list += 2)
      for (let end = this.ends[list] + FULL; end !== FULL; end = this.cells[end & ~FULL] + FULL)
        for (let at = (end & ~FULL) + 1; at < end; at += ENTRY) visit(this.cells[at + VALUE])
  }

  /** Appends a chunk to the list that ends in this one; returns where its first entry goes. */
  private extend(before: number): number {
    let chunk = this.free
    if (chunk > 0) this.free = this.cells[chunk] | 0
    else {
      chunk = this.used
      this.used += CHUNK
      if (chunk === this.cells.length) this.cells = grown(this.cells)
    }
    this.cells[chunk] = before
    return chunk + 1
  }
}
