import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normal } from '../../../test/support/noise.ts'
import { Random } from '../../core/index.ts'
import { bootstrapInterval, studentT, summarize } from './statistics.ts'

describe("Student's t", () => {
  // Fisher and Yates, Statistical Tables, 1963, table III: t by degrees, 5 % and 1 % two-sided.
  it.each([
    [1, 12.706, 63.657],
    [2, 4.303, 9.925],
    [3, 3.182, 5.841],
    [4, 2.776, 4.604],
    [5, 2.571, 4.032],
    [9, 2.262, 3.25],
    [10, 2.228, 3.169],
    [20, 2.086, 2.845],
    [30, 2.042, 2.75],
    [60, 2.0, 2.66],
    [120, 1.98, 2.617],
  ])('with %i degrees of freedom agrees with the published table', (degrees, five, one) => {
    expect(studentT(0.95, degrees)).toBeCloseTo(five, 3)
    expect(studentT(0.99, degrees)).toBeCloseTo(one, 3)
  })

  it('has the closed forms of one, two and four degrees', () => {
    for (const within of [0.5, 0.9, 0.95, 0.99, 0.9999]) {
      const upper = (1 + within) / 2
      expect(studentT(within, 1) / Math.tan(Math.PI * (upper - 0.5))).toBeCloseTo(1, 10)
      const a = 4 * upper * (1 - upper)
      expect(studentT(within, 2)).toBeCloseTo(2 * (upper - 0.5) * Math.sqrt(2 / a), 10)
      const q = Math.cos(Math.acos(Math.sqrt(a)) / 3) / Math.sqrt(a)
      expect(studentT(within, 4)).toBeCloseTo(2 * Math.sqrt(q - 1), 8)
    }
  })

  it('approaches the normal distribution as the degrees grow', () => {
    expect(studentT(0.95, 1_000_000)).toBeCloseTo(1.959966, 5)
    expect(studentT(0.95, 999_999)).toBeCloseTo(1.959966, 5)
  })
})

describe('a summary', () => {
  it('agrees with a sample computed by hand', () => {
    const summary = summarize([2, 4, 4, 4, 5, 5, 7, 9])
    expect(summary).toMatchObject({ count: 8, mean: 5, median: 4.5, min: 2, max: 9 })
    expect(summary.deviation).toBeCloseTo(Math.sqrt(32 / 7), 12)
    const reach = (2.364624 * Math.sqrt(32 / 7)) / Math.sqrt(8)
    expect(summary.low).toBeCloseTo(5 - reach, 5)
    expect(summary.high).toBeCloseTo(5 + reach, 5)
    // At places 0.35, 1.75, 5.25 and 6.65 of the sorted sample, between neighbours by proportion.
    const quantiles = [5, 25, 75, 95] as const
    const expected = [2.7, 4, 5.5, 8.3]
    for (const [i, percent] of quantiles.entries())
      expect(summary.quantiles[percent]).toBeCloseTo(expected[i], 12)
  })

  it('has no spread for a single number, and zero spread for equal ones', () => {
    const nothing = { deviation: null, low: null, high: null }
    expect(summarize([3])).toMatchObject({ count: 1, mean: 3, median: 3, ...nothing })
    expect(summarize([0.1, 0.1, 0.1])).toMatchObject({
      mean: 0.1,
      deviation: 0,
      low: 0.1,
      high: 0.1,
    })
  })

  it('rejects samples without a mean', () => {
    expect(() => summarize([])).toThrow('at least one number')
    expect(() => summarize([1, Number.NaN])).toThrow('finite')
  })

  it('stays exact far from zero', () => {
    const offset = 2 ** 40
    const { deviation, mean } = summarize([1, 2, 3, 4, 5].map((value) => offset + value))
    expect(mean).toBe(offset + 3)
    expect(deviation).toBeCloseTo(Math.sqrt(2.5), 12)
  })

  it('has finite and ordered parts for any sample', () => {
    const sample = fc.array(fc.double({ noNaN: true, min: -1e12, max: 1e12 }), { minLength: 1 })
    fc.assert(
      fc.property(sample, (values) => {
        const { min, max, mean, median, quantiles, low, high } = summarize(values)
        const ordered = [
          min,
          quantiles[5],
          quantiles[25],
          median,
          quantiles[75],
          quantiles[95],
          max,
        ]
        expect(ordered).toEqual(ordered.toSorted((a, b) => a - b))
        expect(mean >= min && mean <= max).toBe(true)
        if (low !== null && high !== null) expect(low <= mean && mean <= high).toBe(true)
      }),
    )
  })

  it('contains the true mean in about 95 of 100 intervals, by t and by bootstrap', () => {
    const random = Random.from(7)
    let [student, bootstrap] = [0, 0]
    const trials = 1500
    for (let trial = 0; trial < trials; trial++) {
      const sample = Array.from({ length: 30 }, () => 10 + 3 * normal(random))
      const { low, high } = summarize(sample)
      if (low! <= 10 && 10 <= high!) student++
      const mean = (values: number[]) => values.reduce((a, b) => a + b) / values.length
      const drawn = bootstrapInterval(sample, mean, random, 200)!
      if (drawn.low <= 10 && 10 <= drawn.high) bootstrap++
    }
    expect(student / trials).toBeGreaterThan(0.935)
    expect(student / trials).toBeLessThan(0.965)
    expect(bootstrap / trials).toBeGreaterThan(0.9)
    expect(bootstrap / trials).toBeLessThan(0.965)
  })

  it('draws the same bootstrap from the same seed, and none from one number', () => {
    const median = (values: number[]) => summarize(values).median
    const draw = (seed: number) => bootstrapInterval([1, 2, 3, 5, 8, 13], median, Random.from(seed))
    expect(draw(1)).toEqual(draw(1))
    expect(bootstrapInterval([1], median, Random.from(1))).toBeNull()
  })
})
