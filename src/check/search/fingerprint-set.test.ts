import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { StateVector } from '../model/state-vector.ts'
import { ABSENT, expectedMisses, FingerprintSet, MARKED, UNMARKED } from './fingerprint-set.ts'
import { Frontier } from './frontier.ts'
import { IntPairMap, Rows } from './transition-tables.ts'
import { ParentPointers } from './visited.ts'

const int = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer())

describe('the fingerprint set', () => {
  it('contains every added fingerprint with its mark, also zero', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(int, int, fc.boolean()), { maxLength: 80 }), (hashes) => {
        const prints = new FingerprintSet(true)
        const marks = new Map<string, number>()
        for (const [low, high, mark] of hashes) {
          // The hash that marks an empty slot is stored as the next hash.
          const key = low === 0 && high === 0 ? '0,1' : `${low},${high}`
          expect(prints.has(low, high)).toBe(marks.has(key))
          expect(prints.look(low, high)).toBe(marks.get(key) ?? ABSENT)
          expect(prints.add(low, high)).toBe(!marks.has(key))
          if (mark) prints.mark(low, high)
          marks.set(key, mark || marks.get(key) === MARKED ? MARKED : UNMARKED)
          expect(prints.look(low, high)).toBe(marks.get(key))
        }
        expect(prints.size).toBe(marks.size)
      }),
    )
  })

  it('keeps its fingerprints and their marks when the table grows', () => {
    const prints = new FingerprintSet(true)
    for (let i = 0; i < 100_000; i++) {
      prints.add(Math.imul(i, 0x9e3779b1), i)
      if (i % 3 === 0) prints.mark(Math.imul(i, 0x9e3779b1), i)
    }
    let wrong = 0
    for (let i = 0; i < 100_000; i++) {
      if (prints.has(i, -1)) wrong++
      if (prints.look(Math.imul(i, 0x9e3779b1), i) !== (i % 3 === 0 ? MARKED : UNMARKED)) wrong++
    }
    expect(wrong).toBe(0)
    expect(prints.size).toBe(100_000)
  })

  it('expects no collision among a million and a half states', () => {
    // Half of the pairs of states, each with a chance of one in 2^64.
    const pairs = (1_604_676 * 1_604_675) / 2
    expect(expectedMisses(1_604_676)).toBeCloseTo(pairs / 2 ** 64, 12)
  })
})

describe('a hash of a vector', () => {
  it('differs between near vectors in both halves', () => {
    const vector = new StateVector(6)
    const [lows, highs] = [new Set<number>(), new Set<number>()]
    for (let i = 0; i < 6 ** 6; i++) {
      for (let cell = 0; cell < 6; cell++) vector.cells[cell] = Math.floor(i / 6 ** cell) % 6
      vector.rehash()
      lows.add(vector.low)
      highs.add(vector.high)
    }
    // 46,656 random numbers of 32 bits have a quarter of a collision among them.
    expect(lows.size).toBeGreaterThan(6 ** 6 - 6)
    expect(highs.size).toBeGreaterThan(6 ** 6 - 6)
  })
})

describe('a frontier', () => {
  it('returns vectors in order, for numbers of any size', () => {
    const number = fc.oneof(fc.nat(3), fc.nat(300), fc.nat(2 ** 32 - 1))
    const lists = fc.array(fc.array(number, { minLength: 3, maxLength: 3 }), { maxLength: 30 })
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 400 }), (few, times) => {
        const frontier = new Frontier(3)
        const vector = new StateVector(3)
        const all = Array.from({ length: times }, () => few).flat()
        for (const list of all) {
          vector.cells.set(list)
          vector.rehash()
          frontier.push(vector)
        }
        for (const list of all) {
          frontier.take(vector)
          const { low, high } = vector
          expect([...vector.cells]).toEqual(list)
          vector.rehash()
          expect([vector.low, vector.high]).toEqual([low, high])
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('parent pointers', () => {
  it('give the path from the initial state to a state', () => {
    const parents = new ParentPointers()
    for (let state = 0; state < 40_000; state++)
      parents.push(Math.max(0, (state - 1) >> 1), state % 7)
    const path: number[] = []
    for (let state = 39_999; state > 0; state = (state - 1) >> 1) path.unshift(state % 7)
    expect(parents.pathTo(39_999)).toEqual(path)
    expect(parents.pathTo(0)).toEqual([])
  })

  it('may be far apart, and have large indices', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(600), fc.nat(600)), { maxLength: 700 }), (steps) => {
        const parents = new ParentPointers()
        const pairs = [[0, 0]]
        parents.push(0, 0)
        for (const [step, ordinal] of steps) {
          const parent = Math.min(pairs.length - 1, pairs[pairs.length - 1][0] + step)
          parents.push(parent, ordinal)
          pairs.push([parent, ordinal])
        }
        const path: number[] = []
        for (let at = pairs.length - 1; at > 0; at = pairs[at][0]) path.unshift(pairs[at][1])
        expect(parents.pathTo(pairs.length - 1)).toEqual(path)
      }),
      { numRuns: campaign(400) },
    )
  })
})

describe('tables of pairs and rows', () => {
  it('return the entries that were added', () => {
    const pairs = new IntPairMap()
    const rows = new Rows(3)
    for (let i = 1; i <= 2000; i++) pairs.set(i % 37, i, rows.push([i, 2 * i, -i]))
    for (let i = 1; i <= 2000; i++) {
      const row = pairs.get(i % 37, i)
      expect([...rows.words.subarray(3 * row, 3 * row + 3)]).toEqual([i, 2 * i, -i])
      expect(pairs.get((i + 1) % 37, i)).toBe(0)
    }
  })
})
