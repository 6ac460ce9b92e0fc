import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { binaryLength, ceilLog2, floorLog2, harmonic } from './numbers.ts'

const natural = fc.integer({ min: 1, max: 2 ** 31 - 1 })

describe('logarithms to base two', () => {
  it('are exact at and around every power of two', () => {
    for (let c = 2; c <= 52; c++) {
      expect([2 ** c - 1, 2 ** c, 2 ** c + 1].map(ceilLog2)).toEqual([c, c, c + 1])
      expect([2 ** c - 1, 2 ** c, 2 ** c + 1].map(floorLog2)).toEqual([c - 1, c, c])
    }
    expect([1, 2, 3].map(ceilLog2)).toEqual([0, 1, 2])
    expect([1, 2, 3].map(floorLog2)).toEqual([0, 1, 1])
  })

  it('of one thing no bit is needed to tell it from others', () => {
    expect(ceilLog2(0)).toBe(0)
    expect(ceilLog2(1)).toBe(0)
  })

  it('agree with each other', () => {
    fc.assert(
      fc.property(natural, (n) => {
        expect(2 ** floorLog2(n)).toBeLessThanOrEqual(n)
        expect(2 ** (floorLog2(n) + 1)).toBeGreaterThan(n)
        expect(ceilLog2(n)).toBe(2 ** floorLog2(n) === n ? floorLog2(n) : floorLog2(n) + 1)
      }),
    )
  })
})

it('the binary length is that of the number in binary, at least one', () => {
  const values = fc.oneof(fc.maxSafeNat(), fc.nat(1000), fc.nat(2 ** 31 - 1))
  fc.assert(
    fc.property(values, (value) => {
      expect(binaryLength(value)).toBe(value.toString(2).length)
    }),
  )
  expect([0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER].map(binaryLength)).toEqual([
    1, 1, 31, 32, 33, 53,
  ])
})

it('harmonic numbers are sums of fractions', () => {
  expect(harmonic(0)).toBe(0)
  expect(harmonic(1)).toBe(1)
  expect(harmonic(4)).toBeCloseTo(25 / 12, 14)
  // Euler: H_n is about ln n + 0.57721... + 1/(2n).
  expect(harmonic(1000)).toBeCloseTo(Math.log(1000) + 0.5772156649 + 1 / 2000, 6)
})
