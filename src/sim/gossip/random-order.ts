import type { Random } from '../../core/runtime/random.ts'

/** Fewer bits give too few different orders. */
const FEWEST_BITS = 10
/** The rounds of the permutation: x becomes (x ^ (x >>> fold)) * factor + term, masked. */
const ROUNDS = 4

/**
 * A random permutation of 0 to n - 1 that is computed, not stored: a few invertible rounds
 * (multiply by an odd number, add, fold the upper bits onto the lower ones) on the next power of
 * two. Values beyond n are mapped again until they are inside (cycle walking). At ten million nodes
 * a stored permutation would cost a cache miss per step.
 */
export class RandomOrder {
  private readonly factors = new Int32Array(ROUNDS)
  private readonly terms = new Int32Array(ROUNDS)
  private readonly mask: number
  private readonly fold: number
  /** The places of numbers beyond n, while a piece is filled. */
  private beyond = new Int32Array(1)

  constructor(
    private readonly n: number,
    private readonly random: Random,
  ) {
    const bits = Math.max(FEWEST_BITS, 32 - Math.clz32(n - 1))
    this.mask = 2 ** bits - 1
    this.fold = (bits + 1) >> 1
    this.redraw()
  }

  /** Draws another permutation. */
  redraw(): void {
    const { factors, terms, mask, random } = this
    random.fillBelow(mask + 1, terms)
    random.fillBelow(mask + 1, factors)
    for (let round = 0; round < ROUNDS; round++) factors[round] |= 1
  }

  /** The numbers at the indices from `start` on. */
  fill(start: number, into: Int32Array): void {
    if (this.beyond.length < into.length) this.beyond = new Int32Array(into.length)
    let left = this.mapFrom(start, into)
    while (left > 0) left = this.mapAgain(into, left)
  }

  /**
   * Maps the numbers from `start` on once. Lists the places of those beyond n and returns how many:
   * a branch for each number would be mispredicted too often.
   */
  private mapFrom(start: number, into: Int32Array): number {
    const { mask, fold, beyond, factors, terms } = this
    const last = this.n - 1
    const [f0, f1, f2, f3] = factors
    const [t0, t1, t2, t3] = terms
    let left = 0
    for (let i = 0; i < into.length; i++) {
      let x = round(start + i, fold, f0, t0, mask)
      x = round(x, fold, f1, t1, mask)
      x = round(x, fold, f2, t2, mask)
      x = round(x, fold, f3, t3, mask)
      x ^= x >>> fold
      into[i] = x
      beyond[left] = i
      left += (last - x) >>> 31
    }
    return left
  }

  /** Maps those once more that are beyond n; returns how many still are. */
  private mapAgain(numbers: Int32Array, count: number): number {
    const { mask, fold, beyond, factors, terms } = this
    const last = this.n - 1
    const [f0, f1, f2, f3] = factors
    const [t0, t1, t2, t3] = terms
    let left = 0
    for (let i = 0; i < count; i++) {
      const place = beyond[i]
      let x = round(numbers[place], fold, f0, t0, mask)
      x = round(x, fold, f1, t1, mask)
      x = round(x, fold, f2, t2, mask)
      x = round(x, fold, f3, t3, mask)
      x ^= x >>> fold
      numbers[place] = x
      beyond[left] = place
      left += (last - x) >>> 31
    }
    return left
  }
}

function round(x: number, fold: number, factor: number, term: number, mask: number): number {
  return (Math.imul(x ^ (x >>> fold), factor) + term) & mask
}
