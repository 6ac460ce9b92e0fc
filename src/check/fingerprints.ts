const FIRST_SLOTS = 1 << 9
const WORDS = 2
/** A fuller table is smaller, so that more of it is near the processor. */
const MOST_FULL = 0.8

/**
 * Hashes of 64 bits, in an open table of 8 bytes a slot: of a state that was seen nothing else is
 * kept. Two states with the same hash are taken for one; how many states that hides is expected to
 * be far below one, see `expectedMisses`. Where the order of coming matters, each has its number.
 */
export class Fingerprints {
  size = 0
  /** Of no use; but a look without a result would be left out. */
  sight = 0
  private slots = FIRST_SLOTS
  private table = new Int32Array(WORDS * FIRST_SLOTS)
  private numbers: Uint32Array | null

  constructor(numbered: boolean) {
    this.numbers = numbered ? new Uint32Array(FIRST_SLOTS) : null
  }

  /** The bytes that this takes, with the larger table that it will need while it grows next. */
  get bytes(): number {
    return (this.table.byteLength + (this.numbers?.byteLength ?? 0)) * 3
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
    if (this.numbers !== null) this.numbers[slot >> 1] = this.size
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
    return there ? this.numbers![slot >> 1] : -1
  }

  /** Looks where hashes belong, so that these places come from memory together. */
  glance(lows: Int32Array, count: number): void {
    const { table } = this
    const mask = WORDS * this.slots - 1
    let sight = 0
    for (let i = 0; i < count; i++) sight ^= table[(lows[i] << 1) & mask]
    this.sight = sight
  }

  private slotOf(low: number, high: number): number {
    const { table } = this
    const mask = WORDS * this.slots - 1
    for (let slot = (low << 1) & mask; ; slot = (slot + WORDS) & mask) {
      const there = table[slot]
      if (there === low && table[slot + 1] === high) return slot
      if (there === 0 && table[slot + 1] === 0) return slot
    }
  }

  private grow(): void {
    const { table, numbers } = this
    this.slots *= 2
    this.table = new Int32Array(WORDS * this.slots)
    if (numbers !== null) this.numbers = new Uint32Array(this.slots)
    for (let slot = 0; slot < table.length; slot += WORDS) {
      if (table[slot] === 0 && table[slot + 1] === 0) continue
      const place = this.slotOf(table[slot], table[slot + 1])
      this.table[place] = table[slot]
      this.table[place + 1] = table[slot + 1]
      if (numbers !== null) this.numbers![place >> 1] = numbers[slot >> 1]
    }
  }
}

/** Of so many states, how many are expected to be taken for another one. */
export function expectedMisses(states: number): number {
  return states ** 2 / 2 ** 65
}
