const TWO_32 = 4294967296
const TWO_53 = 9007199254740992
/** Up to here a product with a 32-bit integer is exact in a float64. */
const SMALL = 2097152
/** Up to here a product with a 16-bit integer has 31 bits. */
const SMALLER = 32767

/**
 * Random numbers that are the same on every machine: sfc32 (Chris Doty-Humphrey's small fast
 * counting generator), seeded through a mixing hash. `split` returns an independent stream that
 * depends only on the seed and the label, not on earlier draws.
 */
export class Random {
  private a = 0
  private b = 0
  private c = 0
  private counter = 1

  private constructor(private readonly key: string) {
    const hash = mixing(key)
    this.a = hash()
    this.b = hash()
    this.c = hash()
    for (let i = 0; i < 15; i++) this.bits32()
  }

  static from(seed: number): Random {
    return new Random(`${seed}`)
  }

  split(label: string): Random {
    return new Random(`${this.key}/${label}`)
  }

  /** 32 random bits as an integer from -2^31 to 2^31 - 1. */
  private bits32(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0
    return sum
  }

  /**
   * A uniform integer from 0 to k - 1; k is an integer of at most 2^53. Small k by Lemire's method
   * (2019): scale 32 bits by k, and draw again only if the remainder, the low 32 bits, would bias
   * the result.
   */
  below(k: number): number {
    if (k > SMALL) return this.farBelow(k)
    let bits = this.bits32()
    if (Math.imul(bits, k) >>> 0 < k) {
      const unfair = TWO_32 % k
      while (Math.imul(bits, k) >>> 0 < unfair) bits = this.bits32()
    }
    if (k > SMALLER) return (((bits >>> 0) * k) / TWO_32) | 0
    // The same with whole numbers, which is faster.
    return (Math.imul(bits >>> 16, k) + (Math.imul(bits & 0xffff, k) >>> 16)) >>> 16
  }

  /**
   * Fills the array with `below(k)`. The numbers are those of single calls, but faster: the state
   * stays in registers, and a number that would bias the result is overwritten by the next.
   */
  fillBelow(k: number, column: Int32Array): void {
    if (k > SMALL) {
      for (let i = 0; i < column.length; i++) column[i] = this.farBelow(k)
      return
    }
    const unfair = TWO_32 % k
    let { a, b, c, counter } = this
    for (let i = 0; i < column.length; ) {
      const sum = (((a + b) | 0) + counter) | 0
      counter = (counter + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (((c << 21) | (c >>> 11)) + sum) | 0
      column[i] = (((sum >>> 0) * k) / TWO_32) | 0
      if (Math.imul(sum, k) >>> 0 >= unfair) i++
    }
    this.a = a
    this.b = b
    this.c = c
    this.counter = counter
  }

  /**
   * Fills the array with places in a table with k entries in each row: a random one in each of the
   * given rows, with the numbers of `below(k)`, for small k.
   */
  fillPlaces(k: number, rows: Int32Array, column: Int32Array): void {
    const unfair = TWO_32 % k
    let { a, b, c, counter } = this
    for (let i = 0; i < column.length; ) {
      const sum = (((a + b) | 0) + counter) | 0
      counter = (counter + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (((c << 21) | (c >>> 11)) + sum) | 0
      column[i] = rows[i] * k + ((((sum >>> 0) * k) / TWO_32) | 0)
      if (Math.imul(sum, k) >>> 0 >= unfair) i++
    }
    this.a = a
    this.b = b
    this.c = c
    this.counter = counter
  }

  /** A number from 0 up to but not including 1, a multiple of 2^-53. */
  unit(): number {
    return this.bits53() / TWO_53
  }

  /**
   * An exponentially distributed number above 0, by von Neumann's method (1951): it only compares
   * uniform numbers, so that the result does not depend on a machine's logarithm.
   */
  exponential(mean: number): number {
    for (let whole = 0; ; whole++) {
      const first = (this.bits53() + 1) / TWO_53
      let last = first
      let odd = true
      for (let next = this.unit(); next < last; next = this.unit()) {
        last = next
        odd = !odd
      }
      if (odd) return mean * (whole + first)
    }
  }

  /** The numbers 0 to n - 1 in random order. */
  permutation(n: number): Uint32Array {
    const order = new Uint32Array(n)
    for (let i = 0; i < n; i++) order[i] = i
    for (let i = n - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const kept = order[i]
      order[i] = order[j]
      order[j] = kept
    }
    return order
  }

  private bits53(): number {
    const high = this.bits32() >>> 5
    const low = this.bits32() >>> 6
    return high * 67108864 + low
  }

  /** The remainder of 53 bits; those beyond the last whole multiple of k are drawn again. */
  private farBelow(k: number): number {
    for (;;) {
      const draw = this.bits53()
      // Faster than %, and exact: no quotient of integers below 2^53 rounds up to an integer.
      const multiple = Math.floor(draw / k) * k
      if (multiple <= TWO_53 - k) return draw - multiple
    }
  }
}

/** A stream of 32-bit words that depends on every character of the text. */
function mixing(text: string): () => number {
  let h = 1779033703 ^ text.length
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3432918353)
    h = (h << 13) | (h >>> 19)
  }
  return () => {
    h = Math.imul(h ^ (h >>> 16), 2246822507)
    h = Math.imul(h ^ (h >>> 13), 3266489909)
    h ^= h >>> 16
    return h
  }
}
