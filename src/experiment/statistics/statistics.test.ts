import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exceedsF, rateInterval, studentT } from './distributions.ts'
import { summarize } from './statistics.ts'

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

describe('the tail of F', () => {
  // Fisher and Yates, table V: 5 % and 1 % points by the degrees above and below.
  it.each([
    [1, 5, 6.608, 16.258],
    [5, 203, 2.259, 3.106],
    [4, 20, 2.866, 4.431],
    [8, 1, 238.883, 5981.07],
  ])('with %i and %i degrees agrees with the published table', (above, below, five, one) => {
    expect(exceedsF(five, above, below)).toBeCloseTo(0.05, 4)
    expect(exceedsF(one, above, below)).toBeCloseTo(0.01, 4)
  })

  it('is that of a squared t, and the closed form of two degrees', () => {
    for (const degrees of [1, 2, 3.7, 12, 400])
      expect(exceedsF(studentT(0.95, degrees) ** 2, 1, degrees)).toBeCloseTo(0.05, 10)
    for (const value of [0.1, 1, 7])
      expect(exceedsF(value, 2, 6)).toBeCloseTo((1 + value / 3) ** -3)
  })
})

describe('the interval of a rate', () => {
  it('agrees with Clopper and Pearson, and the rule of three', () => {
    expect(rateInterval(0, 30)).toEqual({ low: 0, high: expect.closeTo(0.115703, 6) })
    expect(rateInterval(30, 30)).toEqual({ low: expect.closeTo(0.884297, 6), high: 1 })
    expect(rateInterval(4, 20)).toEqual({
      low: expect.closeTo(0.057334, 6),
      high: expect.closeTo(0.436614, 6),
    })
    expect(rateInterval(1, 3000).low).toBeGreaterThan(0)
    expect(rateInterval(0, 1_000_000).high).toBeCloseTo(3.689e-6, 8)
    expect(rateInterval(0, 10, 0.99).high).toBeCloseTo(1 - 0.005 ** (1 / 10), 12)
    expect(() => rateInterval(1, 0)).toThrow('no interval')
  })

  it('holds every rate at least as often as it says: the exact coverage, by summing', () => {
    for (const trials of [1, 2, 5, 10, 30, 100]) {
      const intervals = Array.from({ length: trials + 1 }, (_, k) => rateInterval(k, trials))
      for (let rate = 0.001; rate < 1; rate += 0.0173) {
        let [chance, covered] = [(1 - rate) ** trials, 0]
        for (const [k, { low, high }] of intervals.entries()) {
          if (low <= rate && rate <= high) covered += chance
          chance *= ((trials - k) / (k + 1)) * (rate / (1 - rate))
        }
        expect(covered).toBeGreaterThanOrEqual(0.95 - 1e-9)
      }
    }
  })
})

describe('a summary', () => {
  it('agrees with a sample computed by hand', () => {
    const summary = summarize([2, 4, 4, 4, 5, 5, 7, 9])
    expect(summary).toMatchObject({ count: 8, mean: 5, median: 4.5, min: 2, max: 9 })
    expect(summary.deviation).toBeCloseTo(Math.sqrt(32 / 7), 12)
    // Hall (1992), solved for the mean: the sample has skewness 21 / 32, the mean less.
    const skew = 21 / 32 / Math.sqrt(8)
    const statistic = (errors: number) =>
      errors + (skew * errors ** 2) / 3 + (skew ** 2 * errors ** 3) / 27 + skew / 6
    const error = Math.sqrt(32 / 7) / Math.sqrt(8)
    expect(statistic((5 - summary.low!) / error)).toBeCloseTo(2.364624, 5)
    expect(statistic((5 - summary.high!) / error)).toBeCloseTo(-2.364624, 5)
    // At places 0.35, 1.75, 5.25 and 6.65 of the sorted sample, between neighbours by proportion.
    const quantiles = [5, 25, 75, 95] as const
    const expected = [2.7, 4, 5.5, 8.3]
    for (const [i, percent] of quantiles.entries())
      expect(summary.quantiles[percent]).toBeCloseTo(expected[i], 12)
  })

  it("has Student's interval if the sample is symmetrical", () => {
    const { low, high, deviation } = summarize([1, 2, 3, 4, 5])
    expect(high! - 3).toBeCloseTo((2.776445 * deviation!) / Math.sqrt(5), 5)
    expect(3 - low!).toBeCloseTo(high! - 3, 12)
  })

  it('reaches farther on the side of the long tail', () => {
    const sample = [1, 1, 1, 2, 2, 3, 9]
    const { low, mean, high } = summarize(sample)
    expect(high! - mean).toBeGreaterThan(1.5 * (mean - low!))
    const mirrored = summarize(sample.map((value) => -value))
    expect(mirrored.low).toBeCloseTo(-high!, 12)
    expect(mirrored.high).toBeCloseTo(-low!, 12)
  })

  it('has no spread for a single number, and zero spread for equal ones', () => {
    const nothing = { deviation: null, skewness: null, low: null, high: null }
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
})
