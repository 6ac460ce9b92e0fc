import { grown } from '../../core/runtime/growable-array.ts'

/** Spreads a number in a cell over 32 bits; different cells spread the same number differently. */
function spreadLow(cell: number, value: number): number {
  let bits = Math.imul(value + Math.imul(cell + 1, 0x9e3779b1), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 15), 0xc2b2ae35)
  return bits ^ (bits >>> 13)
}

/** The same in another way: where one takes two numbers for the same, the other does not. */
function spreadHigh(cell: number, value: number): number {
  let bits = Math.imul(value ^ Math.imul(cell + 1, 0x6c8e9cf5), 0x7feb352d)
  bits = Math.imul(bits ^ (bits >>> 16), 0x846ca68b)
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d)
  return bits ^ (bits >>> 14)
}

/** A change of one cell: the new value, and what it adds to the halves of the hash. */
export function changeOf(cell: number, from: number, value: number): [number, number, number] {
  const low = spreadLow(cell, value) - spreadLow(cell, from)
  return [value, low, spreadHigh(cell, value) - spreadHigh(cell, from)]
}

/** More changes than most moves make; the lists grow where one makes more. */
const FEW = 64

/**
 * A global state as a vector of small numbers. Its hash, 64 bits in two halves, is a sum over the
 * cells, so that a change of one cell costs one update; changes since the last load can be taken
 * back.
 */
export class StateVector {
  readonly cells: Uint32Array
  low = 0
  high = 0
  private loadedLow = 0
  private loadedHigh = 0
  private changes = 0
  private changedCells = new Uint32Array(FEW)
  private formerValues = new Uint32Array(FEW)

  constructor(readonly width: number) {
    this.cells = new Uint32Array(width)
    this.loaded()
  }

  /** To be called when the cells were filled from outside. */
  loaded(): void {
    let [low, high] = [0, 0]
    for (let cell = 0; cell < this.width; cell++) {
      low = (low + spreadLow(cell, this.cells[cell])) | 0
      high = (high + spreadHigh(cell, this.cells[cell])) | 0
    }
    this.loadedWith(low, high)
  }

  /** The same where the hash of the new cells is known. */
  loadedWith(low: number, high: number): void {
    this.low = this.loadedLow = low
    this.high = this.loadedHigh = high
    this.changes = 0
  }

  change(cell: number, value: number): void {
    const former = this.cells[cell]
    if (former === value) return
    const low = spreadLow(cell, value) - spreadLow(cell, former)
    this.put(cell, value, low, spreadHigh(cell, value) - spreadHigh(cell, former))
  }

  /** Makes a change of what is there now, as `changeOf` has put it at a place of a list. */
  changeAs(cell: number, list: Int32Array, at: number): void {
    this.put(cell, list[at], list[at + 1], list[at + 2])
  }

  /** Lets what is there now count as loaded. */
  keep(): void {
    this.loadedWith(this.low, this.high)
  }

  /** Takes back every change since the last load. */
  undo(): void {
    while (this.changes > 0) {
      this.changes--
      this.cells[this.changedCells[this.changes]] = this.formerValues[this.changes]
    }
    this.low = this.loadedLow
    this.high = this.loadedHigh
  }

  private put(cell: number, value: number, low: number, high: number): void {
    if (this.changes === this.changedCells.length) this.growLists()
    this.changedCells[this.changes] = cell
    this.formerValues[this.changes++] = this.cells[cell]
    this.cells[cell] = value
    this.low = (this.low + low) | 0
    this.high = (this.high + high) | 0
  }

  private growLists(): void {
    this.changedCells = grown(this.changedCells)
    this.formerValues = grown(this.formerValues)
  }
}
