import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { normal } from '../../../test/support/noise.ts'
import { harmonic, Random, UsageError } from '../../core/index.ts'
import { digits } from '../../core/text-format.ts'
import { type Fit, fitForm } from './fit.ts'
import { formulaOf, readFit, readForm } from './form-text.ts'
import type { DataPoint } from './noise.ts'

const along = (xs: readonly number[], f: (x: number) => number): DataPoint[] =>
  xs.map((x) => ({ x, y: f(x) }))
const SIZES = [2, 3, 5, 8, 13, 21, 34, 55]

const valuesOf = ({ coefficients }: Fit) => coefficients.map(({ value }) => value)

describe('the text of a fit', () => {
  it('names a measure and a form', () => {
    expect(readFit('messages ~ n').measure).toBe('messages')
    expect(readFit(' time per node ~log2(n) ')).toMatchObject({ measure: 'time per node' })
    expect(readFit('messages ~ auto')).toEqual({ measure: 'messages', form: null })
    expect(readFit('auto')).toEqual({ measure: null, form: null })
  })

  it.each([
    ['n', 'n + 1', (n: number) => [n, 1]],
    ['0 + n', 'n', (n: number) => [n]],
    ['n + 0', 'n', (n: number) => [n]],
    ['1', '1', () => [1]],
    ['1 + n', 'n + 1', (n: number) => [n, 1]],
    ['log2(n)', 'log2 n + 1', (n: number) => [Math.log2(n), 1]],
    ['log n', 'log2 n + 1', (n: number) => [Math.log2(n), 1]],
    ['0 + n log2 n', 'n log2 n', (n: number) => [n * Math.log2(n)]],
    ['n*log2(n) + n', 'n log2 n + n + 1', (n: number) => [n * Math.log2(n), n, 1]],
    ['n^2 log2(n)', 'n^2 log2 n + 1', (n: number) => [n * n * Math.log2(n), 1]],
    ['log2(n)^2', '(log2 n)^2 + 1', (n: number) => [Math.log2(n) ** 2, 1]],
    [
      '0 + (log2 n)^2 + log2(n)',
      '(log2 n)^2 + log2 n',
      (n: number) => [Math.log2(n) ** 2, Math.log2(n)],
    ],
    ['0 + sqrt(n) + n^1.5', 'sqrt n + n^1.5', (n: number) => [Math.sqrt(n), n * Math.sqrt(n)]],
    ['0 + n^-1', 'n^-1', (n: number) => [1 / n]],
    ['2^n', '2^n + 1', (n: number) => [2 ** n, 1]],
    ['0 + n H(n)', 'n H(n)', (n: number) => [n * harmonic(n)]],
    ['0 + loss', 'loss', (loss: number) => [loss]],
  ])('%s is read as %s', (text, name, terms) => {
    const form = readForm(text)
    expect(form.name).toBe(name)
    for (const n of SIZES) {
      const values = form.kind === 'sum' ? form.terms.map(({ at }) => at(n)) : []
      expect(values).toHaveLength(terms(n).length)
      for (const [i, value] of values.entries()) expect(value).toBeCloseTo(terms(n)[i], 10)
    }
  })

  it.each([
    ['messages', 'one ~ between them'],
    ['a ~ b ~ c', 'one ~ between them'],
    ['messages ~ ', 'one ~ between them'],
    ['~ n', 'one ~ between them'],
    ['m ~ n +', 'expected a term at the end'],
    ['m ~ n + n', 'the term n occurs twice'],
    ['m ~ log n + log2(n)', 'the term log2 n occurs twice'],
    ['m ~ 3 n', 'unexpected number 3'],
    ['m ~ n - 1', 'expected a term, got "-"'],
    ['m ~ n m', 'two variables, n and m'],
    ['m ~ n^k + n', 'an exponent must be a number'],
    ['m ~ n^0', 'an exponent must be a number'],
    ['m ~ n^2^3', 'expected a term, got "^"'],
    ['m ~ 0', 'no term to fit'],
    ['m ~ 0 + 1', '0 and 1 contradict'],
    ['m ~ log2', 'a function has no variable'],
    ['m ~ log2(n', 'a bracket is not closed'],
    ['m ~ sin(n)', 'unknown function sin'],
    ['m ~ constructor(n)', 'unknown function constructor'],
    ['m ~ 2^', '2 has no exponent'],
    ['m ~ (n)', 'expected a term, got "("'],
    ['m ~ n π', 'expected a term, got "π"'],
  ])('%s is rejected in one line', (text, why) => {
    expect(() => readFit(text)).toThrow(UsageError)
    expect(() => readFit(text)).toThrow(why)
    expect(() => readFit(text, 'experiment.json: fits[2]')).toThrow('experiment.json: fits[2]: ')
  })

  it('is read or rejected, whatever it is', () => {
    const sign = fc.constantFrom('n', 'm', '+', '^', '2', '0', '1', '(', ')', 'log2', ' ', 'k', '-')
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 8 }), (signs) => {
        try {
          expect(readForm(signs.join('')).name).not.toBe('')
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError)
        }
      }),
      { numRuns: campaign(16_000) },
    )
  })
})

describe('a fit', () => {
  it('agrees with a textbook: the first set of Anscombe (1973)', () => {
    const xs = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    const ys = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    const found = fitForm(
      readForm('x'),
      xs.map((x, i) => ({ x, y: ys[i] })),
    )
    const [slope, constant] = found.coefficients
    expect(slope.value).toBeCloseTo(0.500091, 6)
    expect(constant.value).toBeCloseTo(3.000091, 6)
    // Standard errors 0.1179 and 1.1247, as every package gives them; t of 9 is 2.262157.
    expect(slope.high! - slope.value).toBeCloseTo(2.262157 * 0.117906, 5)
    expect(constant.value - constant.low!).toBeCloseTo(2.262157 * 1.124747, 5)
    expect(found.r2).toBeCloseTo(0.666542, 6)
    expect(found.deviation).toBeCloseTo(1.236603, 6)
    const squares = 9 * 1.2366033 ** 2
    expect(found.aicc).toBeCloseTo(11 * Math.log(squares / 11) + 6 + 24 / 7, 4)
    expect(found.formula).toBe('0.5 x + 3')
  })

  it('recovers the coefficients of exact points', () => {
    const natural = fc.integer({ min: 1, max: 1000 })
    fc.assert(
      fc.property(natural, natural, natural, (a, b, c) => {
        const points = along(SIZES, (n) => a * n * Math.log2(n) + b * n - c)
        const found = fitForm(readForm('n log2 n + n'), points)
        for (const [i, value] of valuesOf(found).entries())
          expect(value).toBeCloseTo([a, b, -c][i], 6)
        expect(found.at(100)).toBeCloseTo(a * 100 * Math.log2(100) + b * 100 - c, 4)
      }),
    )
  })

  it('finds a power law in logarithms', () => {
    const found = fitForm(
      readForm('n^k'),
      along(SIZES, (n) => 2.5 * n ** 1.7),
    )
    expect(valuesOf(found)[0]).toBeCloseTo(2.5, 9)
    expect(valuesOf(found)[1]).toBeCloseTo(1.7, 9)
    expect(found).toMatchObject({ form: 'n^k', errors: 'logarithmic', formula: '2.5 n^1.7' })
    expect(found.at(4)).toBeCloseTo(2.5 * 4 ** 1.7, 9)
  })

  it('has no term that is only rounding error', () => {
    expect(
      fitForm(
        readForm('n^2 + n'),
        along(SIZES, (n) => n),
      ),
    ).toMatchObject({ formula: 'n' })
    expect(
      fitForm(
        readForm('n'),
        along(SIZES, () => 7),
      ),
    ).toMatchObject({ formula: '7', r2: null })
    expect(
      fitForm(
        readForm('n'),
        along(SIZES, () => 0),
      ),
    ).toMatchObject({ formula: '0' })
  })

  it.each(['absolute', 'relative'] as const)(
    'holds the truth in 95 of 100 intervals, %s',
    (errors) => {
      const random = Random.from(11)
      const inside = [0, 0, 0]
      const truth = [2, 30, -15]
      const trials = 1000
      for (let trial = 0; trial < trials; trial++) {
        const points = along([4, 8, 16, 24, 32, 48, 64], (n) => {
          const exact = 2 * n + 30 * Math.log2(n) - 15
          return exact + (errors === 'absolute' ? 3 : 0.01 * exact) * normal(random)
        })
        const { coefficients } = fitForm(readForm('n + log2(n)'), points, errors)
        for (const [i, { low, high }] of coefficients.entries())
          if (low! <= truth[i] && truth[i] <= high!) inside[i]++
      }
      for (const count of inside) {
        expect(count / trials).toBeGreaterThan(0.93)
        expect(count / trials).toBeLessThan(0.97)
      }
    },
  )

  it('compares absolute, relative and logarithmic errors on one scale', () => {
    const random = Random.from(3)
    const points = along(SIZES, (n) => 5 * n * (1 + 1e-4 * normal(random)))
    const { aicc: relative } = fitForm(readForm('0 + n'), points, 'relative')
    const { aicc: logarithmic } = fitForm(readForm('n^k'), points)
    const { aicc: absolute } = fitForm(readForm('0 + n'), points)
    // One coefficient more costs 2.4 + 12/5 here, and gains what it takes from the noise.
    expect(Math.abs(relative! - logarithmic!)).toBeLessThan(8)
    expect(relative!).toBeLessThan(absolute!)
  })

  it('has no interval without degrees of freedom', () => {
    const found = fitForm(readForm('n'), [
      { x: 1, y: 3 },
      { x: 2, y: 5 },
    ])
    expect(found).toMatchObject({ formula: '2 n + 1', deviation: null, aicc: null })
    expect(found.coefficients[0]).toMatchObject({ low: null, high: null })
  })

  it.each([
    ['n', [5], 'at least 2 different values of n, but there is 1'],
    ['n^2 + n', [5, 5, 6], 'at least 3 different values of n, but there are 2'],
    ['log2(n)', [0, 1, 2], 'has no value at n = 0'],
    ['2^n', [2, 8, 2000], 'has no value at n = 2000'],
    ['n n + n^2', SIZES, 'linearly dependent terms'],
    ['n^k', [1, 0, 2], 'at n = 0 the mean is 0'],
  ])('of %s through %j is rejected', (form, xs, why) => {
    expect(() =>
      fitForm(
        readForm(form),
        along(xs, (x) => x),
      ),
    ).toThrow(UsageError)
    expect(() =>
      fitForm(
        readForm(form),
        along(xs, (x) => x),
      ),
    ).toThrow(why)
  })
})

describe('a formula', () => {
  it('has three significant digits and signs between terms', () => {
    const parts = (...values: number[]) =>
      values.map((value, i) => ({ name: ['n', 'log2 n', '1'][i], value }))
    expect(formulaOf(parts(5.9634, 0, -15.21))).toBe('5.96 n - 15.2')
    expect(formulaOf(parts(-1, 1, 0.00012345))).toBe('-n + log2 n + 0.000123')
    expect(formulaOf(parts(0, 0, 0))).toBe('0')
    expect(digits(123456)).toBe('123,456')
    expect(digits(1.5e9)).toBe('1.5e9')
    expect(digits(2e-7)).toBe('2e-7')
    expect(digits(-0.5)).toBe('-0.5')
  })
})
