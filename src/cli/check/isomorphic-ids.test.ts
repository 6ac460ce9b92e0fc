import { describe, expect, it } from 'vitest'
import { sample } from '../../../test/support/campaign.ts'
import { possibleSize } from '../../../test/support/random-worlds.ts'
import { catalogue } from '../../algorithms/index.ts'
import { check } from '../../api/check.ts'
import { IsomorphicIds, idSets } from './isomorphic-ids.ts'

/** Daily fewer sets of ids. */
const SETS = process.env.LONG_TESTS ? 7 : 3
const NUMBERS = [0, 3, 77, 2.5, 1e6, 2 ** 53 - 1, -4, 1e30]

describe('sets of ids', () => {
  it.each([1, 2, 3, 5])('are different, valid and in order (%d nodes)', (n) => {
    const sets = idSets(n, NUMBERS, 1)
    expect(new Set(sets.map(String)).size).toBe(sets.length)
    for (const ids of sets) {
      expect(ids).toHaveLength(n)
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
      for (const id of ids) expect(Number.isSafeInteger(id) && id >= 0).toBe(true)
    }
    expect(sets.map(String)).not.toContain(Array.from({ length: n }, (_, i) => i + 1).join())
  })

  it('have every number of the source and its neighbours, at every rank', () => {
    // The ids 1 to n are explored before.
    const sets = [...idSets(3, NUMBERS, 1), [1, 2, 3]]
    for (const number of [2, 3, 4, 76, 77, 78, 1e6])
      for (const rank of [0, 1, 2]) expect(sets.map((ids) => ids[rank])).toContain(number)
    for (const ids of [[0], [2 ** 53 - 1]]) expect(sets.flat()).toEqual(expect.arrayContaining(ids))
  })

  it('are in the order of the permutations', () => {
    const permutations = {
      count: 2,
      at: (i: number) =>
        [
          [1, 2, 3],
          [3, 1, 2],
        ][i],
    }
    const ids = new IsomorphicIds(
      [
        [5, 6, 7],
        [10, 20, 30],
      ],
      permutations,
      2,
    )
    expect(Array.from({ length: ids.count }, (_, i) => ids.at(i))).toEqual([
      [5, 6, 7],
      [7, 5, 6],
      [10, 20, 30],
      [30, 10, 20],
    ])
  })
})

describe('the catalogue', () => {
  const comparing = catalogue.filter(({ needs }) => needs.ids === 'unique')
  expect(comparing.length).toBeGreaterThan(8)

  it.each(sample(comparing, 3).map((algorithm) => [algorithm.name, algorithm] as const))(
    '%s has the same state graph with other ids in the same order',
    (_, algorithm) => {
      const explored = (ids: readonly number[]) => {
        const { states, transitions, depth, properties } = check(algorithm, {
          ids,
          mode: algorithm.needs.time === 'rounds' ? 'clocked:1' : 'untimed',
          // What never falls silent has infinitely many.
          states: algorithm.quiet === 'never' ? 300 : 3000,
        })
        return { states, transitions, depth, holds: properties.map(({ holds }) => holds) }
      }
      const n = possibleSize(algorithm, 3)
      const orders = [
        [1, 2, 3],
        [2, 3, 1],
        [3, 2, 1],
      ].map((order) => order.filter((rank) => rank <= n))
      for (const order of orders) {
        const expected = explored(order)
        for (const set of idSets(n, [77, 1000], 1).slice(0, SETS))
          expect(explored(order.map((rank) => set[rank - 1]))).toEqual(expected)
        // Fields for ids are 0 until they are set: an id that is 0 makes no difference.
        expect(explored(order.map((rank) => rank - 1))).toEqual(expected)
      }
    },
  )
})
