import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CycleEntry } from '../../../src/sim/index.ts'
import { beyond, NO_ESTIMATE, placeOn, SHADES, scaleOf, shadeOf, truthAt } from './estimates.ts'

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })

function cycle(min: number | null, max: number | null, truth: number): CycleEntry {
  return { min, max, truth } as CycleEntry
}

describe('the colours of estimates', () => {
  it('are those of the start: estimates that come together take one colour', () => {
    fc.assert(
      fc.property(number, number, number, (a, b, c) => {
        const [min, truth, max] = [a, b, c].toSorted((x, y) => x - y)
        fc.pre(max - min > 1e-3)
        const scale = scaleOf([cycle(min, max, truth), cycle(truth, truth, truth)])!
        expect(scale).toEqual({ low: min, truth, high: max })
        expect(shadeOf(truth, scale)).toBe((SHADES.length - 2) / 2)
        if (min < truth) expect(shadeOf(min, scale)).toBe(0)
        if (truth < max) expect(shadeOf(max, scale)).toBe(SHADES.length - 2)
      }),
    )
  })

  it('rise with the estimate and end at the ends of the scale, which are marked', () => {
    const scale = { low: 0, truth: 1, high: 5 }
    const shades = [-3, 0, 0.5, 1, 2, 5, 9].map((value) => shadeOf(value, scale))
    expect(shades).toEqual(shades.toSorted((a, b) => a - b))
    expect([-3, 0, 5, 9].map((value) => beyond(value, scale))).toEqual([-1, 0, 0, 1])
    expect(placeOn(scale, 3)).toBe(0.75)
    expect(shadeOf(Number.NaN, scale)).toBe(NO_ESTIMATE)
    expect(shadeOf(Number.POSITIVE_INFINITY, scale)).toBe(NO_ESTIMATE)
    expect(beyond(Number.POSITIVE_INFINITY, scale)).toBe(0)
  })

  it('have the truth in the middle where the first estimates say nothing of it', () => {
    // Counting: one node knows 1, the others nothing.
    expect(scaleOf([cycle(1, 1, 30)])).toEqual({ low: 0, truth: 30, high: 60 })
    expect(scaleOf([cycle(null, null, 0)])).toEqual({ low: -1, truth: 0, high: 1 })
    expect(scaleOf([])).toBeNull()
  })

  it('keep the scale when the truth changes', () => {
    const entries = [cycle(0, 10, 5), cycle(1, 9, 5), cycle(2, 8, 7)]
    expect(scaleOf(entries)).toEqual({ low: 0, truth: 5, high: 10 })
    expect([0, 1.9, 2, 40].map((at) => truthAt(entries, at))).toEqual([5, 5, 7, 7])
  })
})
