import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/runtime/random.ts'
import { RandomOrder } from './pairing.ts'

function orderOf(n: number, order: RandomOrder): Int32Array {
  const numbers = new Int32Array(n)
  order.fill(0, numbers)
  return numbers
}

/** How far counts are from being all the same; 1 on average if they are random. */
function unevenness(counts: number[]): number {
  const even = counts.reduce((sum, count) => sum + count, 0) / counts.length
  const squares = counts.reduce((sum, count) => sum + (count - even) ** 2 / even, 0)
  return squares / (counts.length - 1)
}

describe('a computed order', () => {
  it('has every number once, whatever n and the pieces that are asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6000 }), fc.nat(), fc.nat(), (n, seed, cut) => {
        const order = new RandomOrder(n, Random.from(seed))
        const whole = orderOf(n, order)
        expect(whole.slice().sort()).toEqual(Int32Array.from({ length: n }, (_, i) => i))
        const from = cut % n
        const rest = new Int32Array(n - from)
        order.fill(from, rest)
        expect(rest).toEqual(whole.slice(from))
      }),
      { numRuns: 30 },
    )
  })

  it.each([2, 3, 4, 5])('of %i numbers is each of the possible ones, all as likely', (n) => {
    const order = new RandomOrder(n, Random.from(7))
    const counts = new Map<string, number>()
    for (let i = 0; i < 6000; i++) {
      order.redraw()
      const text = orderOf(n, order).join()
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    const possible = [1, 2, 3, 4, 5].slice(0, n).reduce((product, k) => product * k)
    expect(counts.size).toBe(possible)
    expect(unevenness([...counts.values()])).toBeLessThan(1 + 5 * Math.sqrt(2 / (possible - 1)))
  })

  // The upper bits of a number reach the lower ones only by folding.
  it.each([1, 2, 64, 512, 2048])(
    'takes numbers %i apart anywhere, one without the other',
    (gap) => {
      const n = 4096
      const order = new RandomOrder(n, Random.from(gap))
      const distances = Array<number>(64).fill(0)
      const places = Array<number>(64).fill(0)
      for (let i = 0; i < 40_000; i++) {
        order.redraw()
        const pair = [new Int32Array(1), new Int32Array(1)]
        order.fill(5, pair[0])
        order.fill(5 + gap, pair[1])
        const [a, b] = pair.map(([number]) => number)
        distances[((((a - b + n) % n) * 64) / n) | 0]++
        places[(a >> 9) * 8 + (b >> 9)]++
      }
      for (const counts of [distances, places]) expect(unevenness(counts)).toBeLessThan(1.9)
    },
  )
})
