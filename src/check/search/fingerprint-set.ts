const FIRST_SLOTS = 1 << 7
/** A fuller table is smaller, so that more of it is near the processor. */
const MOST_FULL = 0.8

/**
 * Hashes of 64 bits, in an open table of 8 bytes a slot: of a state that was seen nothing else is
 * kept. Two states with the same hash are taken for one; how many states that hides is expected to
 * be far below one, see `expectedMisses`. Where the order of coming matters, each has its number
 * beside it, where it comes from memory together with the hash.
 */
export class FingerprintSet {
  size = 0
  /** Of no use; but a look without a result would be left out. */
  sight = 0
  private slots = FIRST_SLOTS
  /** In a slot. */
  private readonly words: 2 | 3
  private table: Int32Array

  constructor(private readonly numbered: boolean) {
    this.words = numbered ? 3 : 2
    this.table = new Int32Array(this.words * FIRST_SLOTS)
  }

  /** The bytes that this takes, with the larger table that it will need while it grows next. */
  get bytes(): number {
    return this.table.byteLength * 3
  }

  /** Adds a hash unless it is there; returns whether it was not. */
  add(low: number, high: number): boolean {
    // An empty slot holds zeros, so nothing else may.
    const mark = low === 0 && high === 0 ? 1 : high
    const slot = this.slotOf(low, mark)
    const { table } = this
    if (table[slot] !== 0 || table[slot + 1] !== 0) return false
    table[slot] = low
    table[slot + 1] = mark
    if (this.numbered) table[slot + 2] = this.size
    this.size++
    if (this.size > this.slots * MOST_FULL) this.grow()
    return true
  }

  has(low: number, high: number): boolean {
    const slot = this.slotOf(low, low === 0 && high === 0 ? 1 : high)
    return this.table[slot] !== 0 || this.table[slot + 1] !== 0
  }

  /** How many were added before one; -1 where it is not there. */
  numberOf(low: number, high: number): number {
    const slot = this.slotOf(low, low === 0 && high === 0 ? 1 : high)
    const there = this.table[slot] !== 0 || this.table[slot + 1] !== 0
    return there ? this.table[slot + 2] >>> 0 : -1
  }

  /** Looks where hashes belong, so that these places come from memory together. */
  glance(lows: Int32Array, count: number): void {
    const { table, words } = this
    const mask = this.slots - 1
    let sight = 0
    for (let i = 0; i < count; i++) sight ^= table[(lows[i] & mask) * words]
    this.sight = sight
  }

  private slotOf(low: number, high: number): number {
    const { table, words } = this
    const mask = this.slots - 1
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const slot = place * words
      const there = table[slot]
      if (there === low && table[slot + 1] === high) return slot
      if (there === 0 && table[slot + 1] === 0) return slot
    }
  }

  private grow(): void {
    const { table, words } = this
    this.slots *= 2
    this.table = new Int32Array(words * this.slots)
    for (let slot = 0; slot < table.length; slot += words) {
      if (table[slot] === 0 && table[slot + 1] === 0) continue
      const place = this.slotOf(table[slot], table[slot + 1])
      for (let word = 0; word < words; word++) this.table[place + word] = table[slot + word]
    }
  }
}

/** Of so many states, how many are expected to be taken for another one. */
export function expectedMisses(states: number): number {
  return states ** 2 / 2 ** 65
}
