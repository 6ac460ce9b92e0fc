import type { StateVector } from '../model/state-vector.ts'

type Cells = Uint8Array | Uint16Array | Uint32Array

/** States per chunk: few enough to waste little memory, enough to keep the number of chunks low. */
const CHUNK_BITS = 12
const CHUNK = 1 << CHUNK_BITS

const FIRST_SLOTS = 1 << 12

/**
 * An exact set of states, numbered in order of discovery. The vectors are stored in chunks of the
 * narrowest cells that hold all values; a hash table with open addressing maps to their numbers.
 */
export class StateSet {
  size = 0
  private chunks: Cells[] = []
  private bitsPerCell: 8 | 16 | 32 = 8
  private table = new Uint32Array(2 * FIRST_SLOTS)
  private slots = FIRST_SLOTS

  constructor(private readonly width: number) {}

  /** The memory used, including the larger table during the next growth. */
  get bytes(): number {
    const cells = this.chunks.length * CHUNK * this.width * (this.bitsPerCell / 8)
    return cells + this.table.byteLength * 3
  }

  has(vector: StateVector): boolean {
    return this.table[2 * this.slotOf(vector)] !== 0
  }

  /** The number of a state; -1 if not in the set. */
  numberOf(vector: StateVector): number {
    return this.table[2 * this.slotOf(vector)] - 1
  }

  /** Adds a new state. */
  add(vector: StateVector): void {
    const slot = this.slotOf(vector)
    const number = this.size++
    const at = number & (CHUNK - 1)
    if (at === 0) this.chunks.push(this.newCells())
    this.write(number, vector.cells)
    this.table[2 * slot] = this.size
    this.table[2 * slot + 1] = vector.low
    if (this.size * 2 > this.slots) this.grow()
  }

  load(number: number, vector: StateVector): void {
    const chunk = this.chunks[number >>> CHUNK_BITS]
    const first = (number & (CHUNK - 1)) * this.width
    for (let cell = 0; cell < this.width; cell++) vector.cells[cell] = chunk[first + cell]
    vector.rehash()
  }

  private equals(number: number, { cells }: StateVector): boolean {
    const chunk = this.chunks[number >>> CHUNK_BITS]
    const first = (number & (CHUNK - 1)) * this.width
    for (let cell = 0; cell < this.width; cell++)
      if (chunk[first + cell] !== cells[cell]) return false
    return true
  }

  /** The slot of the state, or the empty slot where it belongs. */
  private slotOf(vector: StateVector): number {
    const { table } = this
    const mask = this.slots - 1
    const hash = vector.low >>> 0
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = table[2 * slot]
      if (entry === 0) return slot
      if (table[2 * slot + 1] === hash && this.equals(entry - 1, vector)) return slot
    }
  }

  private write(number: number, cells: Uint32Array): void {
    const chunk = this.chunks[number >>> CHUNK_BITS]
    const first = (number & (CHUNK - 1)) * this.width
    for (let cell = 0; cell < this.width; cell++) {
      chunk[first + cell] = cells[cell]
      if (chunk[first + cell] !== cells[cell]) {
        this.widen()
        this.write(number, cells)
        return
      }
    }
  }

  private widen(): void {
    this.bitsPerCell = this.bitsPerCell === 8 ? 16 : 32
    for (const [i, chunk] of this.chunks.entries()) {
      const wider = this.newCells()
      wider.set(chunk)
      this.chunks[i] = wider
    }
  }

  private newCells(): Cells {
    const length = CHUNK * this.width
    if (this.bitsPerCell === 8) return new Uint8Array(length)
    return this.bitsPerCell === 16 ? new Uint16Array(length) : new Uint32Array(length)
  }

  private grow(): void {
    const former = this.table
    this.slots *= 2
    this.table = new Uint32Array(2 * this.slots)
    const mask = this.slots - 1
    for (let i = 0; i < former.length; i += 2) {
      if (former[i] === 0) continue
      let slot = former[i + 1] & mask
      while (this.table[2 * slot] !== 0) slot = (slot + 1) & mask
      this.table[2 * slot] = former[i]
      this.table[2 * slot + 1] = former[i + 1]
    }
  }
}
