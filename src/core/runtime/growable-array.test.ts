import { describe, expect, it } from 'vitest'
import { GrowableArray, grown } from './growable-array.ts'

describe('a longer copy', () => {
  it('has twice the length, the same type and the same first elements', () => {
    for (const array of [Uint8Array.of(1, 2), Int32Array.of(-1, 2), Float64Array.of(0.5, 2)]) {
      const longer = grown(array)
      expect(longer.constructor).toBe(array.constructor)
      expect([...longer]).toEqual([...array, 0, 0])
    }
  })

  it('has the length that is given', () => {
    expect([...grown(Uint32Array.of(7), 3)]).toEqual([7, 0, 0])
  })
})

describe('a growable array', () => {
  it('keeps numbers up to 2^32 - 1 beyond its first length', () => {
    const array = new GrowableArray()
    for (let i = 0; i < 5000; i++) array.push(2 ** 32 - 1 - i)
    expect(array.length).toBe(5000)
    expect(array.bytes).toBeGreaterThanOrEqual(4 * 5000)
    expect(array.at(0)).toBe(2 ** 32 - 1)
    expect(array.at(4999)).toBe(2 ** 32 - 5000)
    array.set(0, 3)
    expect(array.at(0)).toBe(3)
    expect(array.pop()).toBe(2 ** 32 - 5000)
    expect(array.length).toBe(4999)
  })
})
