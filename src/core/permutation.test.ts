import { describe, expect, it } from 'vitest'
import { factorial, permutationAt } from './numbers.ts'

describe('permutations', () => {
  it('are all different, all of 1..n, in the order of dictionaries', () => {
    for (const [n, count] of [
      [1, 1],
      [2, 2],
      [3, 6],
      [4, 24],
      [5, 120],
      [6, 720],
    ]) {
      expect(factorial(n)).toBe(count)
      const all = Array.from({ length: count }, (_, number) => permutationAt(n, number))
      const texts = all.map((one) => one.join())
      expect(new Set(texts).size).toBe(count)
      expect(texts).toEqual(texts.toSorted())
      const sorted = Array.from({ length: n }, (_, i) => i + 1)
      for (const one of all) expect(one.toSorted((a, b) => a - b)).toEqual(sorted)
    }
  })
})
