import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Aggregate, AggregateRow, Row } from '../../core/index.ts'
import { Random } from '../../core/index.ts'
import type { WordSetting } from '../aggregation.ts'
import { defaultsOf } from '../aggregation.ts'
import { distinct, estimateOfRegisters, hash64, placeOf } from './distinct.ts'
import { extrema } from './extrema.ts'
import { histogram } from './histogram.ts'
import { cyclesPerProbe, probesFor, quantile, rankOf } from './quantile.ts'
import { topK } from './top-k.ts'

const random = Random.from(1)
const draw = () => random.unit()

function aggregateOf(aggregation: typeof extrema | typeof topK, set: object): Aggregate {
  return (aggregation as typeof extrema).aggregate({ ...defaultsOf(aggregation.settings), ...set })
}

const ROWS = {
  extrema: aggregateOf(extrema, { K: 5, of: 'sum' }),
  distinct: aggregateOf(distinct as never, { registers: 16 }),
  quantile: aggregateOf(quantile as never, { n: 10 }),
  histogram: aggregateOf(histogram as never, { edges: '0:1:2:3:9' }),
  'top-k': aggregateOf(topK, { k: 3 }),
  'top-k of one': aggregateOf(topK, { k: 1 }),
}

function startRow(row: AggregateRow, value: number, id: number): Row {
  const own = row.bytes ? new Uint8Array(row.length) : new Float64Array(row.length)
  row.start(own, 0, { value, chosen: -1, id }, draw)
  return own
}

/** Rows of two nodes after some exchanges with others. */
function rowsAfter(row: AggregateRow, values: readonly number[]): [Row, Row] {
  const all = values.map((value, id) => startRow(row, value, id))
  for (let i = 0; i + 1 < all.length; i += 2) {
    const answer = all[i].slice()
    row.rule.answer(all[i + 1], 0, answer, 0)
    row.rule.conclude(all[i], 0, answer, 0)
  }
  return [all[0], all[all.length - 1]]
}

const values = fc.array(fc.double({ min: 0.5, max: 8.5, noNaN: true }), {
  minLength: 2,
  maxLength: 9,
})

describe.each(Object.entries(ROWS))('rows of %s', (_, aggregate) => {
  const row = aggregate.row!
  const { rule, length } = row

  it('change at once as by a message and its answer', () => {
    fc.assert(
      fc.property(values, (list) => {
        const [a, b] = rowsAfter(row, list)
        const column = new (row.bytes ? Uint8Array : Float64Array)(2 * length)
        column.set(a, 0)
        column.set(b, length)
        const learnt = rule.exchange(column, 0, length)
        const answer = a.slice()
        const passive = rule.answer(b, 0, answer, 0)
        const active = rule.conclude(a, 0, answer, 0)
        expect(column.subarray(0, length)).toEqual(a)
        expect(column.subarray(length)).toEqual(b)
        expect(learnt).toBe((active ? 1 : 0) + (passive ? 2 : 0))
      }),
    )
  })

  it('that are joined do not depend on order and repeats; averages keep their sums', () => {
    fc.assert(
      fc.property(values, values, (one, two) => {
        const [a, b] = rowsAfter(row, one)
        const [c] = rowsAfter(row, two)
        if (rule.idempotent) {
          const [left, right] = [a.slice(), c.slice()]
          for (const other of [b, c, b]) rule.conclude(left, 0, other, 0)
          for (const other of [a, b]) rule.conclude(right, 0, other, 0)
          // The owners in lists of different worlds are others.
          if (row.owners !== true) expect(left).toEqual(right)
          expect(rule.conclude(left, 0, a, 0)).toBe(false)
        }
        const before = rule.averages.map((i) => a[i] + b[i])
        const answer = a.slice()
        rule.answer(b, 0, answer, 0)
        rule.conclude(a, 0, answer, 0)
        for (const [place, i] of rule.averages.entries())
          expect(a[i] + b[i]).toBeCloseTo(before[place], 12)
        expect(row.invariant?.broken(a, 0) ?? null).toBeNull()
      }),
    )
  })
})

/** Joins the rows of all values, whoever would meet whom. */
function joined({ row }: Aggregate, list: readonly number[]): Row {
  const [first, ...others] = list.map((value, id) => startRow(row!, value, id))
  for (const other of others) row!.rule.conclude(first, 0, other, 0)
  return first
}

function statistics(errors: readonly number[]) {
  const mean = errors.reduce((sum, one) => sum + one, 0) / errors.length
  const variance = errors.reduce((sum, one) => sum + (one - mean) ** 2, 0) / errors.length
  return { mean, sd: Math.sqrt(variance) }
}

it.each([16, 64, 1024])('estimates of %i registers are the same for one node and for all', (m) => {
  const aggregate = aggregateOf(distinct as never, { registers: m })
  const { length } = aggregate.row!
  const column = new Uint8Array(16 * length)
  // From one item to so many that no register is left at 0.
  for (let node = 0; node < 16; node++) {
    const items = Array.from({ length: Math.ceil(m ** (node / 12)) }, () => random.unit())
    column.set(joined(aggregate, items), node * length)
  }
  const all = aggregate.estimates!(column)
  for (let node = 0; node < 16; node++)
    expect(all(node * length)).toBe(aggregate.estimate(column, node * length))
})

describe('extrema', () => {
  it.each([
    ['count', 30, 10],
    ['sum', 30, 55],
  ])('of a %s with K=%i are unbiased with relative sd 1/sqrt(K - 2)', (of, K, truth) => {
    const aggregate = aggregateOf(extrema, { K, of })
    const list = Array.from({ length: 10 }, (_, i) => i + 1)
    const errors = Array.from(
      { length: 3000 },
      () => aggregate.estimate(joined(aggregate, list)) / truth - 1,
    )
    const { mean, sd } = statistics(errors)
    const theory = 1 / Math.sqrt(K - 2)
    expect(Math.abs(mean)).toBeLessThan((4 * theory) / Math.sqrt(3000))
    expect(Math.abs(sd / theory - 1)).toBeLessThan(0.08)
    expect(aggregate.truth(Float64Array.from(list))).toBe(truth)
  })
})

describe('distinct', () => {
  it.each([
    [64, 1000, 400],
    [1024, 10_000, 60],
  ])('with %i registers, of %i items: relative sd 1.04/sqrt(m)', (m, items, sets) => {
    const errors = Array.from({ length: sets }, () => {
      const registers = new Uint8Array(m)
      for (let i = 0; i < items; i++) {
        const { register, position } = placeOf(random.unit(), m)
        registers[register] = Math.max(registers[register], position)
      }
      return estimateOfRegisters(registers, 0, m) / items - 1
    })
    const { mean, sd } = statistics(errors)
    const theory = 1.04 / Math.sqrt(m)
    expect(Math.abs(mean)).toBeLessThan(0.03)
    expect(sd).toBeGreaterThan(0.7 * theory)
    expect(sd).toBeLessThan(1.25 * theory)
  })

  it('counts a few values almost exactly, and each once', () => {
    const aggregate = aggregateOf(distinct as never, { registers: 4096 })
    const list = [1, 2, 3, 2, 1, 0, -0, 7]
    expect(aggregate.estimate(joined(aggregate, list))).toBeCloseTo(5, 1)
    expect(aggregate.truth(Float64Array.from(list))).toBe(5)
  })

  it('has a fixed hash, which is one to one in both halves of the bits', () => {
    expect(hash64(1)).toEqual(hash64(1))
    expect(hash64(0)).toEqual(hash64(-0))
    const hashes = new Set(Array.from({ length: 20_000 }, (_, i) => hash64(i).join()))
    expect(hashes.size).toBe(20_000)
    const ones = Array.from({ length: 4096 }, (_, i) => hash64(i / 7)[1] & 1)
    expect(Math.abs(ones.reduce((a, b) => a + b, 0) - 2048)).toBeLessThan(200)
  })

  it('takes the position of the first 1 in the bits behind those of the register', () => {
    for (let i = 0; i < 2000; i++) {
      const [high, low] = hash64(i)
      const bits = high.toString(2).padStart(32, '0') + low.toString(2).padStart(32, '0')
      const wanted = bits.slice(6).indexOf('1') + 1
      expect(placeOf(i, 64)).toEqual({
        register: Number.parseInt(bits.slice(0, 6), 2),
        position: wanted,
      })
    }
  })
})

describe('quantile', () => {
  it('has the rank ceil(phi n), exactly for decimal fractions', () => {
    for (let percent = 1; percent <= 100; percent++)
      for (const n of [1, 7, 100, 1000, 12_345])
        expect(rankOf(percent / 100, n), `${percent}% of ${n}`).toBe(
          Math.floor((percent * n + 99) / 100),
        )
    expect([rankOf(1e-7, 10_000_000), rankOf(1.5e-7, 10_000_000)]).toEqual([1, 2])
    expect(rankOf(Number.MIN_VALUE, 1000)).toBe(1)
  })

  it('takes 0.07 of 100 values for the seventh, in the search and as the truth', () => {
    const aggregate = aggregateOf(quantile as never, { phi: 0.07, n: 100, precision: 0.5 })
    expect(aggregate.truth(Float64Array.from({ length: 100 }, (_, i) => i))).toBe(6)
    // A share of 7/100 is enough for the lower half of the interval, one of 6/100 is not.
    const upper = [0.07, 0.06].map((share) => {
      const own = Float64Array.of(0, 100, share, 0, 1, 0, -1)
      aggregate.row!.stages!.next(own, 0, { value: 0, chosen: -1 })
      return own[1]
    })
    expect(upper).toEqual([50, 100])
  })

  it('halves an interval as often as the logarithm says', () => {
    for (const [width, precision] of [
      [1, 1e-6],
      [0.5, 0.5],
      [8, 1],
      [9, 1],
      [0, 1],
    ])
      expect(probesFor(width, precision)).toBe(
        width <= precision ? 0 : Math.ceil(Math.log2(width / precision)),
      )
  })

  it('takes ceil(1.7 ln(2n) + 4) cycles for each', () => {
    for (const n of [1, 2, 101, 1000, 1e6])
      expect(cyclesPerProbe(n)).toBe(Math.ceil(1.7 * Math.log(2 * n) + 4))
  })
})

describe('top-k', () => {
  it('is the k largest with their owners, ties by the larger position', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (list, k) => {
          const aggregate = aggregateOf(topK, { k })
          const wanted = list
            .map((value, id) => ({ value, id }))
            .sort((a, b) => b.value - a.value || b.id - a.id)
            .slice(0, k)
          expect(aggregate.found!(joined(aggregate, list))).toEqual({
            values: wanted.map(({ value }) => value),
            owners: wanted.map(({ id }) => id),
          })
        },
      ),
    )
  })
})

describe('histogram', () => {
  const aggregate = aggregateOf(histogram as never, { edges: '0:1:2:4' })

  it('counts a value in the bin whose left edge is the last one up to it', () => {
    const bins = [0, 0.99, 1, 2, 3.9].map((value) => [...startRow(aggregate.row!, value, 0)])
    expect(bins).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0, 0, 1],
    ])
    expect(aggregate.truth(Float64Array.of(0.2, 0.4, 3, 1.5))).toBe(0.25 * (0.5 + 0.5 + 3 + 1.5))
  })

  it.each(['1', '2:1', 'a:b', '0::1', '1:1'])('refuses the edges %s', (text) => {
    const { edges } = histogram.settings as Record<string, WordSetting>
    expect(edges.accepts!(text)).toBe(false)
  })
})
