import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idsOf, readIds } from './ids.ts'

const patterned = (ids: Parameters<typeof idsOf>[1], n: number, seed = 1) => [
  ...idsOf('--ids', ids, n, seed),
]

describe('ids by pattern', () => {
  it('increase from 1, decrease to 1, or are all the same', () => {
    expect(patterned('increasing', 4)).toEqual([1, 2, 3, 4])
    expect(patterned('decreasing', 4)).toEqual([4, 3, 2, 1])
    expect(new Set(patterned('same', 4)).size).toBe(1)
  })

  it('by bit reversal are one more than the position read backwards in binary', () => {
    expect(patterned('bit-reversal', 1)).toEqual([1])
    expect(patterned('bit-reversal', 8)).toEqual([1, 5, 3, 7, 2, 6, 4, 8])
    for (const bits of [4, 10]) {
      const backwards = (position: number) =>
        Number.parseInt([...position.toString(2).padStart(bits, '0')].reverse().join(''), 2)
      expect(patterned('bit-reversal', 2 ** bits)).toEqual(
        Array.from({ length: 2 ** bits }, (_, position) => 1 + backwards(position)),
      )
    }
  })

  it('by bit reversal need a power of two', () => {
    for (const n of [3, 6, 12, 1000]) expect(() => patterned('bit-reversal', n)).toThrow('--ids: ')
  })

  it('at random are the numbers 1 to n in some order, the same for the same seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(), (n, seed) => {
        const ids = patterned('random', n, seed)
        expect(ids.toSorted((a, b) => a - b)).toEqual(patterned('increasing', n))
        expect(patterned('random', n, seed)).toEqual(ids)
      }),
    )
    expect(patterned('random', 20, 1)).not.toEqual(patterned('random', 20, 2))
  })
})

describe('ids one by one', () => {
  it('are read from text or from an array of numbers or texts', () => {
    for (const value of ['3,2,7', ' 3, 2 ,7', [3, 2, 7], ['3', '2', 7]]) {
      expect(readIds('--ids', value)).toEqual([3, 2, 7])
    }
    expect(readIds('--ids', '0,9007199254740991')).toEqual([0, 2 ** 53 - 1])
    expect(readIds('--ids', 'same')).toBe('same')
    expect(patterned([4, 1], 2)).toEqual([4, 1])
  })

  it.each([
    [''],
    ['1,'],
    ['1 2'],
    ['1;2'],
    ['+1,2'],
    ['0x1,2'],
    [[]],
    [[1.5]],
    [[-1]],
    [[Number.NaN]],
    [[null]],
    [{}],
    [7],
    [null],
    [true],
    ['9007199254740992'],
    [[2 ** 53]],
    [[1, 2, 1]],
    ['5,05'],
  ])('%j is refused', (value) => {
    expect(() => readIds('here', value)).toThrow(/^here: .+\. /)
  })
})
