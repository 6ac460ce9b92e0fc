const FIRST_SLOTS = 1 << 7
/** A high load factor: a smaller table has fewer cache misses. */
const MAX_LOAD = 0.8

/**
 * Hash compaction: a set of 64-bit fingerprints with open addressing, 8 bytes a slot. Two states
 * with the same fingerprint are taken for one; the expected number of states missed in this way is
 * far below one, see `expectedMisses`. A numbered set also stores the order of discovery beside the
 * fingerprint, in the same cache line.
 */
export class FingerprintSet {
  size = 0
  /** Keeps the prefetch loop from being optimised away. */
  prefetched = 0
  private slots = FIRST_SLOTS
  /** Per slot. */
  private readonly words: 2 | 3
  private table: Int32Array

  constructor(private readonly numbered: boolean) {
    this.words = numbered ? 3 : 2
    this.table = new Int32Array(this.words * FIRST_SLOTS)
  }

  /** The memory used, including the larger table during the next growth. */
  get bytes(): number {
    return this.table.byteLength * 3
  }

  /** Adds a fingerprint; returns whether it was new. */
  add(low: number, high: number): boolean {
    // Zeros mark an empty slot.
    const mark = low === 0 && high === 0 ? 1 : high
    const slot = this.slotOf(low, mark)
    const { table } = this
    if (table[slot] !== 0 || table[slot + 1] !== 0) return false
    table[slot] = low
    table[slot + 1] = mark
    if (this.numbered) table[slot + 2] = this.size
    this.size++
    if (this.size > this.slots * MAX_LOAD) this.grow()
    return true
  }

  has(low: number, high: number): boolean {
    const slot = this.slotOf(low, low === 0 && high === 0 ? 1 : high)
    return this.table[slot] !== 0 || this.table[slot + 1] !== 0
  }

  /** The position in the order of discovery; -1 if not in the set. */
  numberOf(low: number, high: number): number {
    const slot = this.slotOf(low, low === 0 && high === 0 ? 1 : high)
    const found = this.table[slot] !== 0 || this.table[slot + 1] !== 0
    return found ? this.table[slot + 2] >>> 0 : -1
  }

  /** Software prefetch: touches the slots of several fingerprints so that cache misses overlap. */
  prefetch(lows: Int32Array, count: number): void {
    const { table, words } = this
    const mask = this.slots - 1
    let touched = 0
    for (let i = 0; i < count; i++) touched ^= table[(lows[i] & mask) * words]
    this.prefetched = touched
  }

  private slotOf(low: number, high: number): number {
    const { table, words } = this
    const mask = this.slots - 1
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const slot = place * words
      const entry = table[slot]
      if (entry === low && table[slot + 1] === high) return slot
      if (entry === 0 && table[slot + 1] === 0) return slot
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

/** The expected number of states that are missed because of a fingerprint collision. */
export function expectedMisses(states: number): number {
  return states ** 2 / 2 ** 65
}
