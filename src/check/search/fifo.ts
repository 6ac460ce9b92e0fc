const CHUNK_BITS = 6
const CHUNK = 1 << CHUNK_BITS

/**
 * Rows of so many whole numbers, first come, first out. They lie in chunks; one that was taken
 * whole is filled again, since a new one has to be cleared, and collected in the end.
 */
export class IntRowQueue {
  /** The chunks of the row that came last and of the row that was taken last. */
  back: Int32Array = new Int32Array(0)
  front: Int32Array = this.back
  private readonly chunks: (Int32Array | undefined)[] = []
  private spare: Int32Array | null = null
  private put = 0
  private taken = 0

  constructor(private readonly width: number) {}

  get bytes(): number {
    const chunks = this.chunks.length - (this.taken >>> CHUNK_BITS)
    return chunks * CHUNK * this.width * 4
  }

  /** Makes room for a row, to be filled by the caller; where it begins in `back`. */
  push(): number {
    const at = this.put++ & (CHUNK - 1)
    if (at === 0) {
      this.back = this.spare ?? new Int32Array(CHUNK * this.width)
      this.spare = null
      this.chunks.push(this.back)
    }
    return at * this.width
  }

  /** Where the row that has waited longest begins in `front`. */
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
