import { describe, expect, it } from 'vitest'
import {
  hirschbergSinclair,
  lcr,
  singh,
  slowFast,
  timeSlice,
} from '../../../src/algorithms/index.ts'
import { type Algorithm, harmonic, Random, UsageError } from '../../../src/core/index.ts'
import { type DataPoint, fitForm } from '../../../src/experiment/statistics/fit.ts'
import { readForm } from '../../../src/experiment/statistics/form-text.ts'
import { growthOf } from '../../../src/experiment/statistics/growth.ts'
import { summarize } from '../../../src/experiment/statistics/statistics.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { RunResult } from '../../../src/sim/index.ts'
import { normal } from '../../support/noise.ts'
import { electionMessages, simulate } from '../../support/random-worlds.ts'

const POWERS = [8, 16, 32, 64, 128, 256, 512, 1024]
const SMALL = Array.from({ length: 99 }, (_, i) => i + 2)

const along = (xs: readonly number[], f: (x: number) => number): DataPoint[] =>
  xs.map((x) => ({ x, y: f(x) }))

/** Formulas of the texts, and the growth that each of them is. */
const TRUTHS: readonly (readonly [growth: string, name: string, f: (n: number) => number])[] = [
  ['1', 'a constant', () => 42],
  ['log2 n', "Singh's time", (n) => 3.35 * Math.log2(n)],
  ['log2 n', 'a logarithm and a constant', (n) => 3 * Math.log2(n) + 4],
  ['n', 'time-slice', (n) => n],
  ['n', 'LCR at its best', (n) => 2 * n - 1],
  ['n', "Singh's messages", (n) => 5.96 * n + 7.3],
  ['n log2 n', 'LCR on average', (n) => n * harmonic(n)],
  ['n log2 n', 'HS on a bit-reversal ring', (n) => 3 * n * Math.log2(n) + 2 * n],
  ['n log2 n', 'the bound of HS', (n) => 8 * n * (1 + Math.ceil(Math.log2(n)))],
  ['n^2', 'LCR at its worst', (n) => (n * (n + 1)) / 2],
  ['n^2', 'a polynomial', (n) => 3 * n * n - 20 * n + 50],
  ['n^3', 'a cube', (n) => n ** 3 / 6 - n],
]

describe('the growth of numbers without noise', () => {
  for (const [sizes, xs] of [
    ['powers of two', POWERS],
    ['2 to 100', SMALL],
  ] as const)
    it.each(TRUTHS)(`is %s for %s at ${sizes}`, (growth, _name, f) => {
      const found = growthOf(along(xs, f))
      expect(found).toMatchObject({ growth, certainty: 'clear' })
      const weights = found.candidates.map(({ weight }) => weight)
      expect(weights.reduce((a, b) => a + b)).toBeCloseTo(1, 10)
      expect(weights).toEqual(weights.toSorted((a, b) => b - a))
    })

  it('does not depend on the unit, the order of the points or the name of the variable', () => {
    const points = along(POWERS, (n) => n * harmonic(n))
    const { candidates } = growthOf(points)
    const scaled = growthOf(points.map(({ x, y }) => ({ x, y: 1e6 * y })).toReversed())
    expect(scaled.growth).toBe('n log2 n')
    expect(scaled.candidates[0].weight).toBeCloseTo(candidates[0].weight, 6)
    expect(growthOf(points, 'peers').growth).toBe('peers log2 peers')
  })

  it('is 2^n where that is it, and nothing at all for zeros', () => {
    const xs = [1, 2, 3, 4, 5, 6, 7, 8]
    expect(growthOf(along(xs, (n) => 2 ** n + 5)).growth).toBe('2^n')
    expect(growthOf(along(xs, () => 0))).toMatchObject({ growth: '1', certainty: 'clear' })
  })

  it('is reported as falling where it falls', () => {
    const found = growthOf(along(POWERS, (n) => 3 / Math.sqrt(n)))
    expect(found).toMatchObject({ growth: 'n^k', certainty: 'open' })
    expect(found.verdict).toBe('falls as n grows, roughly like 3 n^-0.5')
  })

  it('needs five sizes', () => {
    expect(() => growthOf(along([2, 4, 8, 16, 16], (n) => n))).toThrow(UsageError)
    expect(() => growthOf(along([2], (n) => n))).toThrow('but there is 1')
  })
})

describe('the growth of noisy means', () => {
  it.each([0.01, 0.03])('is nearly always named, with errors of %d', (noise) => {
    for (const [growth, , f] of TRUTHS.filter(([, name]) => name !== 'a polynomial')) {
      let right = 0
      for (let seed = 1; seed <= 20; seed++) {
        const random = Random.from(seed)
        const points = along(POWERS, (n) => f(n) * (1 + noise * normal(random)))
        if (growthOf(points).growth === growth) right++
      }
      expect([growth, right / 20 >= 0.85]).toEqual([growth, true])
    }
  })

  it('is rarely wrong where it is called clear, and open where nothing can be told', () => {
    let [clear, wrong] = [0, 0]
    for (const [growth, , f] of TRUTHS)
      for (let seed = 1; seed <= 15; seed++) {
        const random = Random.from(1000 + seed)
        const points = along(POWERS, (n) => f(n) * (1 + 0.1 * normal(random)))
        const found = growthOf(points)
        if (found.certainty !== 'clear') continue
        clear++
        if (found.growth !== growth) wrong++
      }
    expect(clear).toBeGreaterThan(100)
    expect(wrong / clear).toBeLessThan(0.03)
    const random = Random.from(5)
    const narrow = along([100, 101, 102, 103, 104, 105], (n) => n * (1 + 0.05 * normal(random)))
    const found = growthOf(narrow)
    expect(found.certainty).toBe('open')
    expect(found.verdict).toMatch(/; .* \(\d+ %\)/)
  })
})

describe('the growth of what is simulated', () => {
  type Measure = (result: RunResult) => number

  /** The mean of the repeats at each size. */
  function sweep(
    algorithm: Algorithm,
    sizes: readonly number[],
    repeats: number,
    given: ScenarioInput,
    measure: Measure,
  ): DataPoint[] {
    return along(sizes, (n) => {
      const runs = Array.from({ length: repeats }, (_, i) =>
        measure(simulate(algorithm, { ...given, n, seed: n * 1000 + i })),
      )
      return summarize(runs).mean
    })
  }
  const total: Measure = ({ messages }) => messages.total
  const sizes = [8, 16, 32, 64, 128, 256]

  it.each([
    ['n^2', 'LCR at its worst', lcr, { ids: 'decreasing' }, 1],
    ['n log2 n', 'LCR on average', lcr, { ids: 'random' }, 20],
    ['n log2 n', 'HS', hirschbergSinclair, { ids: 'bit-reversal' }, 1],
    ['n', 'time-slice', timeSlice, {}, 1],
    ['n', 'slow-fast', slowFast, {}, 5],
  ] as const)('is %s for the messages of %s', (growth, _name, algorithm, given, repeats) => {
    const found = growthOf(sweep(algorithm, sizes, repeats, given, total))
    expect(found).toMatchObject({ growth, certainty: 'clear' })
  })

  it('is exactly 3 n log2 n + 2 n for HS, and n(n+1)/2 for LCR', () => {
    const doubling = along(sizes, (n) =>
      electionMessages(hirschbergSinclair, { n, ids: 'bit-reversal' }),
    )
    expect(growthOf(doubling).candidates[0].fit.formula).toBe('3 n log2 n + 2 n')
    const worst = along(sizes, (n) => electionMessages(lcr, { n, ids: 'decreasing' }))
    expect(growthOf(worst).candidates[0].fit.formula).toBe('0.5 n^2 + 0.5 n')
  })

  it("is log n for Singh's time and n for Singh's messages, as in Liu, Li and Huang", () => {
    const runs = { wake: 'rate:0.8' }
    const some = SMALL.filter((n) => n % 3 === 2)
    const time = sweep(singh, some, 10, runs, (result) => result.time.elected!)
    expect(growthOf(time)).toMatchObject({ growth: 'log2 n', certainty: 'clear' })
    const messages = sweep(singh, some, 10, runs, total)
    expect(growthOf(messages)).toMatchObject({ growth: 'n', certainty: 'clear' })
    expect(fitForm(readForm('n'), messages).r2).toBeGreaterThan(0.97)
    expect(fitForm(readForm('log2(n)'), time).r2).toBeGreaterThan(0.95)
  })
})
