import { grown } from '../../core/runtime/growable-array.ts'

/** The contribution of a cell to the low half of the hash. */
export function mixLow(cell: number, value: number): number {
  let bits = Math.imul(value + Math.imul(cell + 1, 0x9e3779b1), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 15), 0xc2b2ae35)
  return bits ^ (bits >>> 13)
}

/** The contribution to the high half: an independent hash function. */
function mixHigh(cell: number, value: number): number {
  let bits = Math.imul(value ^ Math.imul(cell + 1, 0x6c8e9cf5), 0x7feb352d)
  bits = Math.imul(bits ^ (bits >>> 16), 0x846ca68b)
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d)
  return bits ^ (bits >>> 14)
}

/** A precomputed change of one cell: its new value, and what it adds to each half of the hash. */
export function cellDelta(cell: number, from: number, value: number): [number, number, number] {
  const low = mixLow(cell, value) - mixLow(cell, from)
  return [value, low, mixHigh(cell, value) - mixHigh(cell, from)]
}

/** Most transitions change fewer cells; otherwise the log grows. */
const INITIAL_LOG = 64

/**
 * The state vector: a global state as a vector of small numbers. Its 64-bit fingerprint, in two
 * halves, is a sum over the cells, so that a change of one cell is one update (incremental
 * hashing). An undo log reverts the changes since the last load.
 */
export class StateVector {
  readonly cells: Uint32Array
  low = 0
  high = 0
  private loadedLow = 0
  private loadedHigh = 0
  private changes = 0
  private changedCells = new Uint32Array(INITIAL_LOG)
  private formerValues = new Uint32Array(INITIAL_LOG)

  constructor(readonly width: number) {
    this.cells = new Uint32Array(width)
    this.rehash()
  }

  /** To be called after the cells were written directly. */
  rehash(): void {
    let [low, high] = [0, 0]
    for (let cell = 0; cell < this.width; cell++) {
      low = (low + mixLow(cell, this.cells[cell])) | 0
      high = (high + mixHigh(cell, this.cells[cell])) | 0
    }
    this.markLoaded(low, high)
  }

  /** The same if the fingerprint of the new cells is known. */
  markLoaded(low: number, high: number): void {
    this.low = this.loadedLow = low
    this.high = this.loadedHigh = high
    this.changes = 0
  }

  set(cell: number, value: number): void {
    const former = this.cells[cell]
    if (former === value) return
    const low = mixLow(cell, value) - mixLow(cell, former)
    this.put(cell, value, low, mixHigh(cell, value) - mixHigh(cell, former))
  }

  /** Applies a change that `cellDelta` has stored in a list. */
  applyDelta(cell: number, list: Int32Array, at: number): void {
    this.put(cell, list[at], list[at + 1], list[at + 2])
  }

  /** Makes the current state the loaded one. */
  commit(): void {
    this.markLoaded(this.low, this.high)
  }

  /** Reverts all changes since the last load. */
  undo(): void {
    while (this.changes > 0) {
      this.changes--
      this.cells[this.changedCells[this.changes]] = this.formerValues[this.changes]
    }
    this.low = this.loadedLow
    this.high = this.loadedHigh
  }

  private put(cell: number, value: number, low: number, high: number): void {
    if (this.changes === this.changedCells.length) this.growLog()
    this.changedCells[this.changes] = cell
    this.formerValues[this.changes++] = this.cells[cell]
    this.cells[cell] = value
    this.low = (this.low + low) | 0
    this.high = (this.high + high) | 0
  }

  private growLog(): void {
    this.changedCells = grown(this.changedCells)
    this.formerValues = grown(this.formerValues)
  }
}
