import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregations } from '../index.ts'

/** The truth of an aggregation with these settings about values. */
function truthOf(
  name: string,
  settings: Record<string, number>,
  values: readonly number[],
): number {
  const aggregation = aggregations.find((one) => one.name === name)!
  const { aggregate } = aggregation as unknown as {
    aggregate(settings: object): { truth(values: Float64Array): number }
  }
  return aggregate(settings).truth(Float64Array.from(values))
}

const values = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })), {
  minLength: 1,
  maxLength: 50,
})

describe('the truth', () => {
  it('of distinct is the number of different values', () => {
    fc.assert(
      fc.property(values, (given) => {
        const different = new Set(given.map((value) => value + 0)).size
        expect(truthOf('distinct', { registers: 16 }, given)).toBe(different)
      }),
    )
  })

  it('of top-k is the sum of the largest', () => {
    const finite = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(finite, fc.integer({ min: 1, max: 12 }), (given, k) => {
        const largest = given.toSorted((a, b) => b - a).slice(0, k)
        expect(truthOf('top-k', { k }, given)).toBe(largest.reduce((sum, value) => sum + value, 0))
      }),
    )
  })

  it('of quantile is no minus zero', () => {
    expect(truthOf('quantile', { phi: 0.5, precision: 1, cycles: 0 }, [-0])).toBe(0)
  })

  it('of quantile is the value at its rank', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 100 }), (given, percent) => {
        const sorted = given.toSorted((a, b) => a - b)
        const rank = Math.max(1, Math.ceil((percent * given.length) / 100))
        expect(truthOf('quantile', { phi: percent / 100, precision: 1, cycles: 0 }, given)).toBe(
          sorted[rank - 1] + 0,
        )
      }),
    )
  })
})
