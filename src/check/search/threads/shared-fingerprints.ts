/** The same load as in the set of one thread. */
export const MOST_LOAD = 0.8

/**
 * A set of 64-bit fingerprints that several threads add to. A thread claims a free slot by one
 * atomic exchange of its low half and then writes the high half; both halves are never zero, so
 * that a reader of a half-written slot waits for the rest.
 */
export class SharedFingerprints {
  /** Keeps the prefetch loop from being optimised away. */
  prefetched = 0
  private readonly mask: number

  constructor(private readonly table: Int32Array) {
    this.mask = table.length / 2 - 1
  }

  prefetch(lows: Int32Array, count: number): void {
    const { table, mask } = this
    let touched = 0
    for (let i = 0; i < count; i++) touched ^= table[2 * (lows[i] & mask)]
    this.prefetched = touched
  }

  /** Adds a fingerprint; returns whether it was new. Only one of several threads is told so. */
  claim(low: number, high: number): boolean {
    const { table, mask } = this
    const [first, second] = [low === 0 ? 1 : low, high === 0 ? 1 : high]
    for (let place = first & mask; ; place = (place + 1) & mask) {
      let entry = table[2 * place]
      if (entry === 0) entry = Atomics.compareExchange(table, 2 * place, 0, first)
      if (entry === 0) {
        table[2 * place + 1] = second
        return true
      }
      if (entry === first && this.highAt(place) === second) return false
    }
  }

  /** Adds the fingerprints of some slots of another set. */
  take(from: SharedFingerprints, start: number, end: number): void {
    for (let place = start; place < end; place++) {
      const low = from.table[2 * place]
      if (low !== 0) this.claim(low, from.table[2 * place + 1])
    }
  }

  private highAt(place: number): number {
    let high = this.table[2 * place + 1]
    while (high === 0) high = Atomics.load(this.table, 2 * place + 1)
    return high
  }
}
