const CHUNK_BITS = 10
const CHUNK = 1 << CHUNK_BITS

/**
 * From which state each was found, and by which of the moves there, so that the way to a state can
 * be gone again from the beginning.
 */
export class Trail {
  private size = 0
  private readonly parents: Uint32Array[] = []
  private readonly ordinals: Uint32Array[] = []

  get bytes(): number {
    return this.parents.length * CHUNK * 8
  }

  push(parent: number, ordinal: number): void {
    const at = this.size++ & (CHUNK - 1)
    if (at === 0) {
      this.parents.push(new Uint32Array(CHUNK))
      this.ordinals.push(new Uint32Array(CHUNK))
    }
    this.parents[this.parents.length - 1][at] = parent
    this.ordinals[this.ordinals.length - 1][at] = ordinal
  }

  /** The moves from the first state to one, each by its number among all that its state allows. */
  to(state: number): number[] {
    const way: number[] = []
    for (let at = state; at > 0; ) {
      const chunk = at >>> CHUNK_BITS
      way.push(this.ordinals[chunk][at & (CHUNK - 1)])
      at = this.parents[chunk][at & (CHUNK - 1)]
    }
    return way.reverse()
  }
}
