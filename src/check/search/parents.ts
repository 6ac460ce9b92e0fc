const CHUNK_BITS = 8
const CHUNK = 1 << CHUNK_BITS

/**
 * Parent pointers: for each state its predecessor and the index of the transition taken there, so
 * that the path to a state can be re-executed from the initial state.
 */
export class ParentPointers {
  private size = 0
  /** Pairs of predecessor and index. */
  private readonly chunks: Uint32Array[] = []
  private last = new Uint32Array(0)

  /** The memory used so far. */
  get bytes(): number {
    return this.chunks.length * CHUNK * 8
  }

  /** Adds the next state in order of discovery. */
  push(parent: number, ordinal: number): void {
    const at = this.size++ & (CHUNK - 1)
    if (at === 0) {
      this.last = new Uint32Array(2 * CHUNK)
      this.chunks.push(this.last)
    }
    this.last[2 * at] = parent
    this.last[2 * at + 1] = ordinal
  }

  /** The path from the initial state to one, as indices into the enabled transitions. */
  pathTo(state: number): number[] {
    const path: number[] = []
    for (let at = state; at > 0; ) {
      const chunk = this.chunks[at >>> CHUNK_BITS]
      const row = 2 * (at & (CHUNK - 1))
      path.push(chunk[row + 1])
      at = chunk[row]
    }
    return path.reverse()
  }
}
