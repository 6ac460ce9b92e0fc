import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StateVector } from '../model/state-vector.ts'
import { StateSet } from './state-set.ts'

const WIDTH = 3

function fill(vector: StateVector, cells: readonly number[]): void {
  vector.cells.set(cells)
  vector.rehash()
}

describe('a set of vectors', () => {
  it('contains the vectors that were added, for numbers of any size', () => {
    const number = fc.oneof(fc.nat(3), fc.nat(300), fc.nat(70_000), fc.nat(2 ** 32 - 1))
    const cells = fc.array(number, { minLength: WIDTH, maxLength: WIDTH })
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 60 }), (lists) => {
        const set = new StateSet(WIDTH)
        const numbers = new Map<string, number>()
        const vector = new StateVector(WIDTH)
        for (const list of lists) {
          fill(vector, list)
          const known = numbers.has(list.join())
          expect(set.has(vector)).toBe(known)
          if (known) continue
          numbers.set(list.join(), set.size)
          set.add(vector)
        }
        expect(set.size).toBe(numbers.size)
        for (const [list, at] of numbers) {
          set.load(at, vector)
          expect(vector.cells.join()).toBe(list)
          expect(set.has(vector)).toBe(true)
          expect(set.numberOf(vector)).toBe(at)
        }
      }),
    )
  })

  it('distinguishes vectors with the same hash', () => {
    const set = new StateSet(WIDTH)
    const vector = new StateVector(WIDTH)
    for (let i = 0; i < 100; i++) {
      fill(vector, [i, 0, 0])
      vector.low = -1
      expect(set.has(vector)).toBe(false)
      set.add(vector)
      expect(set.numberOf(vector)).toBe(i)
    }
  })

  it('grows beyond its first table and chunk', () => {
    const set = new StateSet(WIDTH)
    const vector = new StateVector(WIDTH)
    for (let i = 0; i < 20_000; i++) {
      fill(vector, [i % 7, i, 1])
      set.add(vector)
    }
    expect(set.size).toBe(20_000)
    // Two bytes a cell, eight for each of at least twice as many slots.
    expect(set.bytes).toBeGreaterThan(20_000 * (2 * WIDTH + 16))
    let wrong = 0
    for (let i = 0; i < 20_000; i++) {
      fill(vector, [i % 7, i, 1])
      if (!set.has(vector) || set.numberOf(vector) !== i) wrong++
      fill(vector, [i % 7, i, 2])
      if (set.has(vector)) wrong++
    }
    expect(wrong).toBe(0)
  })
})

describe('a vector', () => {
  it('has the hash of its cells, for any sequence of changes, and undoes changes', () => {
    const change = fc.tuple(fc.nat(WIDTH - 1), fc.nat(1000))
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const vector = new StateVector(WIDTH)
        fill(vector, [4, 5, 6])
        const { low, high } = vector
        for (const [cell, value] of changes) vector.set(cell, value)
        const straight = new StateVector(WIDTH)
        fill(straight, [...vector.cells])
        expect([vector.low, vector.high]).toEqual([straight.low, straight.high])
        vector.undo()
        expect([...vector.cells, vector.low, vector.high]).toEqual([4, 5, 6, low, high])
      }),
    )
  })
})
