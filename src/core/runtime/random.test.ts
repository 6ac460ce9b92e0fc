import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Random } from './random.ts'

function times<T>(count: number, draw: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => draw(i))
}

/**
 * Distance of counts from being all the same; on average one less than how many counts there are.
 */
function chiSquare(counts: number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

/** The correlation of two series of uniform numbers. */
function correlation(a: number[], b: number[]): number {
  return (12 * a.reduce((sum, x, i) => sum + (x - 0.5) * (b[i] - 0.5), 0)) / a.length
}

describe('the sequences are pinned: they never change, or every published run would', () => {
  test('seed 1', () => {
    const integers = Random.from(1)
    expect(times(8, () => integers.below(1000))).toEqual([444, 917, 147, 728, 129, 41, 471, 284])
    const numbers = Random.from(1)
    expect(times(4, () => numbers.unit() * 2 ** 53)).toEqual([
      4002371032838289, 1332723837408433, 1168853340690808, 4246945889750544,
    ])
  })

  test('seed 2024', () => {
    const integers = Random.from(2024)
    expect(times(8, () => integers.below(1000))).toEqual([632, 275, 699, 432, 22, 928, 872, 752])
    const numbers = Random.from(2024)
    expect(times(4, () => numbers.unit() * 2 ** 53)).toEqual([
      5695734726399093, 6299744711908026, 200948831381177, 7862472811915547,
    ])
  })

  test('a stream split from seed 1', () => {
    const split = Random.from(1).split('topology')
    expect(times(8, () => split.below(1000))).toEqual([688, 653, 235, 759, 928, 273, 555, 900])
  })
})

describe('below', () => {
  test.each([1, 2, 3, 6, 10, 52, 1000])('%i numbers are all as likely', (k) => {
    const random = Random.from(k)
    const counts = Array<number>(k).fill(0)
    for (let i = 0; i < 100_000; i++) counts[random.below(k)]++
    expect(counts.length).toBe(k)
    expect(chiSquare(counts)).toBeLessThan(k + 3 + 4 * Math.sqrt(2 * k))
  })

  // If remainders of 32 or 53 bits were taken, the lowest third would come up twice as often.
  test.each([3 * 2 ** 19, 3 * 2 ** 30, 2 ** 32 - 1, 2 ** 32, 3 * 2 ** 51, 2 ** 53])(
    'thirds of %i are as likely',
    (k) => {
      const random = Random.from(5)
      const counts = [0, 0, 0]
      for (let i = 0; i < 30_000; i++) {
        const draw = random.below(k)
        if (!Number.isInteger(draw) || draw < 0 || draw >= k) throw new Error(`${draw}`)
        counts[Math.floor((3 * draw) / k)]++
      }
      expect(chiSquare(counts)).toBeLessThan(13.8)
    },
  )

  test('large numbers are remainders of 53 bits, as exact arithmetic has them', () => {
    const large = fc.oneof(
      fc.integer({ min: 2 ** 21 + 1, max: 2 ** 53 - 1 }),
      fc.integer({ min: 2 ** 21 + 1, max: 2 ** 32 }),
      fc.integer({ min: 1, max: 4000 }).map((m) => Math.floor(2 ** 53 / m)),
    )
    fc.assert(
      fc.property(fc.nat(), large, (seed, k) => {
        const [random, bits] = [Random.from(seed), Random.from(seed)]
        const fair = 2n ** 53n - (2n ** 53n % BigInt(k))
        for (let i = 0; i < 20; i++) {
          let draw = BigInt(bits.unit() * 2 ** 53)
          while (draw >= fair) draw = BigInt(bits.unit() * 2 ** 53)
          expect(random.below(k)).toBe(Number(draw % BigInt(k)))
        }
      }),
    )
  })
})

test('unit is uniform from 0 up to but not including 1', () => {
  const random = Random.from(6)
  const counts = Array<number>(100).fill(0)
  for (let i = 0; i < 100_000; i++) counts[Math.floor(100 * random.unit())]++
  expect(counts.length).toBe(100)
  expect(chiSquare(counts)).toBeLessThan(148)
})

describe('split', () => {
  const stream = (random: Random) => times(20_000, () => random.unit())

  test('depends on seed and label, not on what was drawn before', () => {
    const fresh = Random.from(9)
    const used = Random.from(9)
    for (let i = 0; i < 7; i++) used.unit()
    expect(stream(used.split('ids'))).toEqual(stream(fresh.split('ids')))
  })

  test('does not disturb the stream it is split from', () => {
    const whole = Random.from(9)
    const split = Random.from(9)
    split.split('ids').unit()
    expect(stream(split)).toEqual(stream(whole))
  })

  test('streams of other labels, seeds and depths have nothing to do with each other', () => {
    const streams = [
      Random.from(9),
      Random.from(10),
      Random.from(9).split('ids'),
      Random.from(9).split('delays'),
      Random.from(10).split('ids'),
      Random.from(9).split('ids').split('ids'),
    ].map(stream)
    for (let a = 0; a < streams.length; a++)
      for (let b = 0; b < a; b++)
        expect(Math.abs(correlation(streams[a], streams[b]))).toBeLessThan(4 / Math.sqrt(20_000))
  })
})

describe('permutation', () => {
  test.each([0, 1, 2, 3, 10, 1000])('of %i holds every number once', (n) => {
    const order = Random.from(n).permutation(n)
    expect(Array.from(order).toSorted((a, b) => a - b)).toEqual(times(n, (i) => i))
  })

  test('every order of four is as likely', () => {
    const counts = new Map<string, number>()
    const random = Random.from(3)
    for (let i = 0; i < 24_000; i++) {
      const order = random.permutation(4).join('')
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    expect(counts.size).toBe(24)
    expect(chiSquare([...counts.values()])).toBeLessThan(49.7)
  })
})

describe('exponential', () => {
  const draws = 200_000
  const random = Random.from(8)
  const numbers = times(draws, () => random.exponential(3))

  test('is above 0 and finite', () => {
    expect(numbers.every((x) => x > 0 && x < Infinity)).toBe(true)
  })

  test('has mean 3 and variance 9', () => {
    const mean = numbers.reduce((sum, x) => sum + x, 0) / draws
    const variance = numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws
    expect(Math.abs(mean - 3)).toBeLessThan((4 * 3) / Math.sqrt(draws))
    expect(Math.abs(variance - 9)).toBeLessThan(4 * 9 * Math.sqrt(8 / draws))
  })

  test('falls into twenty equally likely intervals as often', () => {
    const counts = Array<number>(20).fill(0)
    for (const x of numbers) counts[Math.floor(20 * Math.exp(-x / 3))]++
    expect(chiSquare(counts)).toBeLessThan(43.8)
  })

  test('fills a column with the numbers that come one by one', () => {
    const limits = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 2 ** 22 }))
    fc.assert(
      fc.property(fc.nat(), limits, (seed, k) => {
        const [whole, single] = [Random.from(seed), Random.from(seed)]
        const column = new Int32Array(100)
        whole.fillBelow(k, column)
        expect([...column]).toEqual(Array.from(column, () => single.below(k)))
        expect(whole.unit()).toBe(single.unit())
      }),
    )
  })

  test('fills a column with places in rows, by the numbers that come one by one', () => {
    const limits = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 2 ** 20 }))
    fc.assert(
      fc.property(fc.nat(), limits, (seed, k) => {
        const [whole, single] = [Random.from(seed), Random.from(seed)]
        const rows = Int32Array.from({ length: 100 }, (_, i) => (7 * i) % 90)
        const column = new Int32Array(100)
        whole.fillPlaces(k, rows, column)
        expect([...column]).toEqual(Array.from(rows, (row) => row * k + single.below(k)))
        expect(whole.unit()).toBe(single.unit())
      }),
    )
  })
})
