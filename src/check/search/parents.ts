const CHUNK_BITS = 8
const CHUNK = 1 << CHUNK_BITS

/**
 * From which state each was found, and by which of the moves there, so that the way to a state can
 * be gone again from the beginning.
 */
export class ParentPointers {
  private size = 0
  /** Parent and ordinal of each. */
  private readonly chunks: Uint32Array[] = []
  private last = new Uint32Array(0)

  get bytes(): number {
    return this.chunks.length * CHUNK * 8
  }

  push(parent: number, ordinal: number): void {
    const at = this.size++ & (CHUNK - 1)
    if (at === 0) {
      this.last = new Uint32Array(2 * CHUNK)
      this.chunks.push(this.last)
    }
    this.last[2 * at] = parent
    this.last[2 * at + 1] = ordinal
  }

  /** The moves from the first state to one, each by its number among all that its state allows. */
  to(state: number): number[] {
    const way: number[] = []
    for (let at = state; at > 0; ) {
      const chunk = this.chunks[at >>> CHUNK_BITS]
      const row = 2 * (at & (CHUNK - 1))
      way.push(chunk[row + 1])
      at = chunk[row]
    }
    return way.reverse()
  }
}
