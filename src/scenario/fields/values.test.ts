import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/index.ts'
import { readValues, valuesOf } from './values.ts'

const patterned = (values: string, n: number, seed = 1) => [
  ...valuesOf('--values', readValues('--values', values), n, Random.from(seed)),
]

describe('values', () => {
  it('are read from text or from an array of numbers or texts', () => {
    for (const value of ['3,-1.5,.25', ' 3, -1.5 ,0.25', [3, -1.5, 0.25], ['3', '-1.5', 0.25]]) {
      expect(readValues('--values', value)).toEqual([3, -1.5, 0.25])
    }
    expect(readValues('--values', '-1e3')).toEqual([-1000])
  })

  it('by index are the positions, by peak n at position 0 and 0 elsewhere', () => {
    expect(patterned('index', 4)).toEqual([0, 1, 2, 3])
    expect(patterned('peak', 4)).toEqual([4, 0, 0, 0])
  })

  it('are uniform between two ends, the same for the same seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.nat(40), fc.nat(), (from, width, seed) => {
        const values = patterned(`uniform:${from}:${from + width}`, 30, seed)
        for (const value of values) {
          expect(value).toBeGreaterThanOrEqual(from)
          expect(value).toBeLessThanOrEqual(from + width)
        }
        expect(patterned(`uniform:${from}:${from + width}`, 30, seed)).toEqual(values)
      }),
    )
    const many = patterned('uniform:-1:3', 10_000)
    expect(many.reduce((a, b) => a + b) / many.length).toBeCloseTo(1, 1)
    expect(new Set(patterned('uniform:0.1:0.1', 50)).size).toBe(1)
  })

  it.each([
    [''],
    ['1,'],
    ['1 2'],
    ['--1'],
    ['+1'],
    ['1,x'],
    ['0x1'],
    ['Infinity'],
    ['1e999'],
    [[]],
    [[Number.NaN]],
    [[null]],
    [{}],
    [7],
    [null],
    ['Index'],
    ['uniform'],
    ['uniform:1'],
    ['uniform:2:1'],
    ['uniform:0:1:2'],
    ['uniform:a:b'],
    ['uniform:-1e308:1e308'],
    ['1,2;0@20=7'],
    ['index;drift:0.1'],
  ])('%j is refused', (value) => {
    expect(() => readValues('here', value)).toThrow(/^here: .+\. /)
  })
})
