import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OrderedMap, OrderedSet } from './ordered-collections.ts'

const change = fc.record({
  what: fc.constantFrom('add', 'delete', 'clear', 'walk'),
  key: fc.nat(300),
})

function ascending(keys: Iterable<number>): number[] {
  return [...keys].sort((a, b) => a - b)
}

describe('ordered collections', () => {
  it('have what native ones have, and are gone through by key in every way', () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const [set, map] = [new OrderedSet<number>(), new OrderedMap<number, string>()]
        const native = new Set<number>()
        for (const { what, key } of changes) {
          if (what === 'add') {
            native.add(key)
            set.add(key)
            map.set(key, `${key}`)
          }
          if (what === 'delete') {
            const had = native.delete(key)
            expect([set.delete(key), map.delete(key)]).toEqual([had, had])
          }
          if (what === 'clear') for (const one of [native, set, map]) one.clear()
          if (what !== 'walk') continue
          const keys = ascending(native)
          const [each, eachOf]: [number[], number[]] = [[], []]
          set.forEach((value) => void each.push(value))
          map.forEach((value, own) => void eachOf.push(value === `${own}` ? own : -1))
          const ways = [set, set.keys(), set.values(), new Set(set), map.keys(), each, eachOf]
          for (const way of ways) expect([...way]).toEqual(keys)
          expect([...map.values()]).toEqual(keys.map(String))
          expect([...map]).toEqual(keys.map((it) => [it, `${it}`]))
          expect([...map.entries()]).toEqual([...map])
          expect([...set.entries()]).toEqual(keys.map((it) => [it, it]))
        }
        expect([set.size, map.size]).toEqual([native.size, native.size])
      }),
    )
  })

  it('have an order for words, infinite numbers and NaN, too', () => {
    expect([...new OrderedSet(['yes', 'no', 'leaf'])]).toEqual(['leaf', 'no', 'yes'])
    const numbers = [Number.NaN, 1, Number.POSITIVE_INFINITY, -1]
    expect([...new OrderedSet(numbers)]).toEqual([-1, 1, Number.POSITIVE_INFINITY, Number.NaN])
  })

  it('may be changed while they are gone through', () => {
    const set = new OrderedSet([5, 3, 8])
    const seen: number[] = []
    for (const value of set) {
      seen.push(value)
      set.delete(5)
      set.add(1)
      // Another walk meanwhile has what is new, and does not disturb the first.
      expect([...set]).toEqual([1, 3, 8])
    }
    expect(seen).toEqual([3, 8])
  })

  it('forget what was there before: a copy is gone through in the same way', () => {
    const set = new OrderedSet([1, 2, 3])
    expect([...set]).toEqual([1, 2, 3])
    set.delete(3)
    const walked = (one: Set<number>) => {
      const seen: number[] = []
      for (const value of one) seen.push(one.add(3).size + value)
      return seen
    }
    const copy = new OrderedSet(set)
    expect(walked(set)).toEqual(walked(copy))
    const map = new OrderedMap([1, 2, 3].map((key) => [key, key] as const))
    expect([...map.keys()]).toEqual([1, 2, 3])
    map.delete(3)
    const again: number[] = []
    for (const [key] of map) again.push(map.set(3, 3).size + key)
    expect(again).toEqual(walked(new OrderedSet([1, 2])))
  })

  it('keep the last value of a key that is given twice', () => {
    const entries = [
      [2, 'a'],
      [1, 'b'],
      [2, 'c'],
    ] as const
    expect([...new OrderedMap(entries)]).toEqual([
      [1, 'b'],
      [2, 'c'],
    ])
  })
})
