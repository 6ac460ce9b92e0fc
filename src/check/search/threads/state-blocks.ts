import type { StateVector } from '../../model/state-vector.ts'

/** The states of a block: what a thread takes at a time. */
export const BLOCK = 128
const SEGMENT_BITS = 8
/** The blocks of a segment: memory is added by segments. */
export const SEGMENT = 1 << SEGMENT_BITS
export const MOST_BLOCKS = 1 << 20

/** The layout of a state in a block, in words: its cells, its fingerprint, and its last events. */
export interface BlockLayout {
  readonly width: number
  /** 16 while all numbers fit. */
  readonly bitsPerCell: 16 | 32
  readonly eventWords: number
}

/** The words of a state. */
export function stride({ width, bitsPerCell, eventWords }: BlockLayout): number {
  return Math.ceil((width * bitsPerCell) / 32) + 2 + eventWords
}

/** Blocks of states in shared memory. */
export class StateBlocks {
  /** The number of states by block. */
  readonly counts: Int32Array
  /** The segment and the offset of the state that was stored or loaded last: its last events. */
  words: Int32Array = new Int32Array(0)
  events = 0
  private readonly wordsOf: Int32Array[] = []
  private readonly cellsOf: (Uint16Array | Uint32Array)[] = []
  private readonly stride: number
  private readonly cellsPerWord: number

  constructor(
    private readonly layout: BlockLayout,
    counts: SharedArrayBuffer,
  ) {
    this.counts = new Int32Array(counts)
    this.stride = stride(layout)
    this.cellsPerWord = 32 / layout.bitsPerCell
  }

  get segments(): number {
    return this.wordsOf.length
  }

  addSegment(memory: SharedArrayBuffer): void {
    this.wordsOf.push(new Int32Array(memory))
    this.cellsOf.push(
      this.layout.bitsPerCell === 16 ? new Uint16Array(memory) : new Uint32Array(memory),
    )
  }

  load(block: number, index: number, vector: StateVector): void {
    const at = this.seek(block, index)
    const from = this.cellsOf[block >>> SEGMENT_BITS]
    const first = at * this.cellsPerWord
    const { cells } = vector
    for (let cell = 0; cell < cells.length; cell++) cells[cell] = from[first + cell]
    vector.markLoaded(this.words[this.events - 2], this.words[this.events - 1])
  }

  /** Stores the state; the caller adds its last events. */
  store(block: number, index: number, vector: StateVector): void {
    const at = this.seek(block, index)
    const to = this.cellsOf[block >>> SEGMENT_BITS]
    const first = at * this.cellsPerWord
    const { cells } = vector
    for (let cell = 0; cell < cells.length; cell++) to[first + cell] = cells[cell]
    this.words[this.events - 2] = vector.low
    this.words[this.events - 1] = vector.high
  }

  private seek(block: number, index: number): number {
    this.words = this.wordsOf[block >>> SEGMENT_BITS]
    const at = ((block & (SEGMENT - 1)) * BLOCK + index) * this.stride
    this.events = at + this.stride - this.layout.eventWords
    return at
  }
}
