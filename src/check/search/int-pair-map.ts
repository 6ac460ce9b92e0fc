import { grown } from '../../core/runtime/growable-array.ts'

const WORDS = 4
const FIRST_SLOTS = 16

/** Hash map from pairs of integers from 0 to positive integers, with open addressing. */
export class IntPairMap {
  private size = 0
  private slots = FIRST_SLOTS
  /** Per slot: the second key, the first key plus one (0 in an empty slot), and the value. */
  private table = new Int32Array(WORDS * FIRST_SLOTS)

  /** The value of a pair; 0 if it has none. */
  get(first: number, second: number): number {
    return this.table[this.slotOf(first, second) + 2]
  }

  /** Adds a pair that has no value yet. */
  set(first: number, second: number, value: number): void {
    this.put(first, second, value)
    if (++this.size * 2 > this.slots) this.grow()
  }

  private put(first: number, second: number, value: number): void {
    const slot = this.slotOf(first, second)
    this.table[slot] = second
    this.table[slot + 1] = first + 1
    this.table[slot + 2] = value
  }

  private slotOf(first: number, second: number): number {
    const { table } = this
    const mask = this.slots - 1
    let place = Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca6b)
    place ^= place >>> 15
    for (; ; place++) {
      const slot = (place & mask) * WORDS
      const key = table[slot + 1]
      if (key === 0 || (key === first + 1 && table[slot] === second)) return slot
    }
  }

  private grow(): void {
    const { table } = this
    this.slots *= 2
    this.table = new Int32Array(WORDS * this.slots)
    for (let slot = 0; slot < table.length; slot += WORDS)
      if (table[slot + 1] > 0) this.put(table[slot + 1] - 1, table[slot], table[slot + 2])
  }
}

/** Growable table of rows of `width` integers in one array; row 0 is all zeros. */
export class Rows {
  words: Int32Array
  size = 1

  constructor(private readonly width: number) {
    this.words = new Int32Array(width * FIRST_SLOTS)
  }

  /** Appends a row and returns its number. */
  push(row: ArrayLike<number>): number {
    const first = this.size * this.width
    if (first === this.words.length) this.words = grown(this.words)
    this.words.set(row, first)
    return this.size++
  }
}
