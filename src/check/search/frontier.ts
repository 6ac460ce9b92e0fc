import type { StateVector } from '../model/state-vector.ts'

type Cells = Uint8Array | Uint16Array | Uint32Array

const CHUNK_BITS = 6
const CHUNK = 1 << CHUNK_BITS

/**
 * The BFS queue: discovered states that are not expanded yet. They are stored in chunks of the
 * narrowest cells that hold all values of the chunk; an emptied chunk is reused.
 */
export class Frontier {
  private readonly chunks: (Cells | undefined)[] = []
  private readonly fingerprints = new IntRowQueue(2)
  private spare: Cells | null = null
  private pushed = 0
  private taken = 0
  private bitsPerCell: 8 | 16 | 32 = 8

  constructor(private readonly width: number) {}

  get bytes(): number {
    const chunks = this.chunks.length - (this.taken >>> CHUNK_BITS)
    return chunks * CHUNK * ((this.width * this.bitsPerCell) / 8) + this.fingerprints.bytes
  }

  push(vector: StateVector): void {
    const number = this.pushed >>> CHUNK_BITS
    const at = this.pushed++ & (CHUNK - 1)
    if (at === 0) {
      const fits = this.spare?.BYTES_PER_ELEMENT === this.bitsPerCell / 8
      this.chunks.push(fits ? this.spare! : this.newCells())
      this.spare = null
    }
    while (!fill(this.chunks[number]!, at * this.width, vector.cells))
      this.chunks[number] = this.widen(this.chunks[number]!)
    const { fingerprints } = this
    const row = fingerprints.push()
    fingerprints.back[row] = vector.low
    fingerprints.back[row + 1] = vector.high
  }

  /** Loads the oldest state. Returns the fingerprints of the next ones if it begins a chunk. */
  take(vector: StateVector): Int32Array | null {
    const number = this.taken >>> CHUNK_BITS
    const at = this.taken++ & (CHUNK - 1)
    const chunk = this.chunks[number]!
    const first = at * this.width
    const { cells } = vector
    for (let cell = 0; cell < this.width; cell++) cells[cell] = chunk[first + cell]
    const { fingerprints } = this
    const row = fingerprints.take()
    vector.markLoaded(fingerprints.front[row], fingerprints.front[row + 1])
    if (at === CHUNK - 1) {
      this.chunks[number] = undefined
      this.spare = chunk
    }
    return at === 0 ? fingerprints.front : null
  }

  private widen(chunk: Cells): Cells {
    if (chunk.BYTES_PER_ELEMENT * 8 === this.bitsPerCell)
      this.bitsPerCell = this.bitsPerCell === 8 ? 16 : 32
    const wider = this.newCells()
    wider.set(chunk)
    return wider
  }

  private newCells(): Cells {
    const length = CHUNK * this.width
    if (this.bitsPerCell === 8) return new Uint8Array(length)
    return this.bitsPerCell === 16 ? new Uint16Array(length) : new Uint32Array(length)
  }
}

/** Copies cells into a chunk; returns whether all values fit. */
function fill(chunk: Cells, first: number, cells: Uint32Array): boolean {
  let bits = 0
  for (let cell = 0; cell < cells.length; cell++) {
    chunk[first + cell] = cells[cell]
    bits |= cells[cell]
  }
  return chunk.BYTES_PER_ELEMENT === 4 || bits >>> (8 * chunk.BYTES_PER_ELEMENT) === 0
}

/**
 * FIFO queue of rows of `width` integers, in chunks. An emptied chunk is reused: a new one would
 * have to be cleared, and collected later.
 */
export class IntRowQueue {
  /** The chunks of the row pushed last and of the row taken last. */
  back: Int32Array = new Int32Array(0)
  front: Int32Array = this.back
  private readonly chunks: (Int32Array | undefined)[] = []
  private spare: Int32Array | null = null
  private pushed = 0
  private taken = 0

  constructor(private readonly width: number) {}

  get bytes(): number {
    const chunks = this.chunks.length - (this.taken >>> CHUNK_BITS)
    return chunks * CHUNK * this.width * 4
  }

  /** Makes room for a row, which the caller fills; returns its offset in `back`. */
  push(): number {
    const at = this.pushed++ & (CHUNK - 1)
    if (at === 0) {
      this.back = this.spare ?? new Int32Array(CHUNK * this.width)
      this.spare = null
      this.chunks.push(this.back)
    }
    return at * this.width
  }

  /** Removes the oldest row; returns its offset in `front`. */
  take(): number {
    const number = this.taken >>> CHUNK_BITS
    const at = this.taken++ & (CHUNK - 1)
    if (at === 0) {
      if (number > 0) {
        this.spare = this.front
        this.chunks[number - 1] = undefined
      }
      this.front = this.chunks[number]!
    }
    return at * this.width
  }
}
