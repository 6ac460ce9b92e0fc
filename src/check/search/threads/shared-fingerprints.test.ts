import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SharedFingerprints } from './shared-memory.ts'

type Exchange = (table: Int32Array, at: number, from: number, to: number) => number

const SLOTS = 256
const newTable = () => new Int32Array(new SharedArrayBuffer(8 * SLOTS))
const int = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer())

describe('the fingerprints of several threads', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('are claimed once each, also when they are moved; zero halves count as ones', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(int, int), { maxLength: 80 }), (hashes) => {
        const [set, larger] = [newTable(), newTable()].map((it) => new SharedFingerprints(it))
        const known = new Set<string>()
        for (const [low, high] of hashes) {
          const key = `${low === 0 ? 1 : low},${high === 0 ? 1 : high}`
          expect(set.claim(low, high)).toBe(!known.has(key))
          known.add(key)
        }
        larger.take(set, 0, SLOTS / 2)
        larger.take(set, SLOTS / 2, SLOTS)
        for (const [low, high] of hashes) expect(larger.claim(low, high)).toBe(false)
      }),
    )
  })

  /** Another thread takes the slot between the look and the claim. */
  function lostTo(low: number, high: number): void {
    const exchange = vi.spyOn(Atomics as { compareExchange: Exchange }, 'compareExchange')
    exchange.mockImplementationOnce((table, at) => {
      table[at] = low
      table[at + 1] = high
      return low
    })
  }

  it('are not claimed by a thread that comes second', () => {
    lostTo(5, 7)
    expect(new SharedFingerprints(newTable()).claim(5, 7)).toBe(false)
  })

  it('are claimed in the next slot if another one has taken the first', () => {
    const table = newTable()
    lostTo(5 + SLOTS, 7)
    expect(new SharedFingerprints(table).claim(5, 7)).toBe(true)
    expect([...table.subarray(10, 14)]).toEqual([5 + SLOTS, 7, 5, 7])
  })
})
