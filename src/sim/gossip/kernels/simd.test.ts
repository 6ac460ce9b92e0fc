import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ElementRule } from '../../../core/language/aggregate.ts'
import { SimdColumn } from './simd.ts'

const NODES = 6
const MOST = 8

/** What a rule leaves at one place of the first and of the second node. */
const RULES: Readonly<Record<ElementRule, (a: number, b: number) => [number, number]>> = {
  mean: (a, b) => [a - (a - b) / 2, b + (a - b) / 2],
  smallest: (a, b) => (b < a ? [b, b] : [a, a]),
  largest: (a, b) => (b > a ? [b, b] : [a, a]),
}

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 5e-324, -5e-324, 1, Number.MAX_VALUE, Number.POSITIVE_INFINITY),
)
const byte = fc.nat(255)
const pairs = fc.array(fc.tuple(fc.nat(NODES - 1), fc.nat(NODES - 1)), { maxLength: MOST })

/** Pair after pair, place after place. */
function expected(
  rule: ElementRule,
  rows: readonly (readonly number[])[],
  exchanges: readonly (readonly [number, number])[],
): number[][] {
  const after = rows.map((row) => [...row])
  for (const [a, b] of exchanges)
    for (let i = 0; i < rows[0].length; i++)
      [after[a][i], after[b][i]] = RULES[rule](after[a][i], after[b][i])
  return after
}

const differing = pairs.map((list) => list.filter(([a, b]) => a !== b))
const firsts = (list: readonly (readonly [number, number])[]) =>
  Int32Array.from(list, ([first]) => first)
const seconds = (list: readonly (readonly [number, number])[]) =>
  Int32Array.from(list, ([, second]) => second)

describe('exchanges by vectors are those of single numbers, to the bit', () => {
  it.each(['mean', 'smallest'] as const)('%s of numbers', (rule) => {
    const rows = fc.integer({ min: 1, max: 9 }).chain((length) =>
      fc.array(fc.array(number, { minLength: length, maxLength: length }), {
        minLength: NODES,
        maxLength: NODES,
      }),
    )
    fc.assert(
      fc.property(rows, differing, (list, exchanges) => {
        const [{ length }] = list
        const simd = SimdColumn.of(rule, NODES, 8 * length, MOST)!
        const column = new Float64Array(simd.buffer, 0, NODES * length)
        column.set(list.flat())
        simd.exchange(firsts(exchanges), seconds(exchanges), 0, exchanges.length)
        expect([...column]).toEqual(expected(rule, list, exchanges).flat())
      }),
    )
  })

  it('largest of bytes', () => {
    const rows = fc.constantFrom(8, 16, 24, 64).chain((length) =>
      fc.array(fc.array(byte, { minLength: length, maxLength: length }), {
        minLength: NODES,
        maxLength: NODES,
      }),
    )
    fc.assert(
      fc.property(rows, differing, (list, exchanges) => {
        const [{ length }] = list
        const simd = SimdColumn.of('largest', NODES, length, MOST)!
        const column = new Uint8Array(simd.buffer, 0, NODES * length)
        column.set(list.flat())
        simd.exchange(firsts(exchanges), seconds(exchanges), 0, exchanges.length)
        expect([...column]).toEqual(expected('largest', list, exchanges).flat())
      }),
    )
  })

  it('of some pairs in a list', () => {
    const simd = SimdColumn.of('smallest', 4, 8, 2)!
    const column = new Float64Array(simd.buffer, 0, 4)
    column.set([1, 2, 3, 4])
    simd.exchange(Int32Array.of(3, 3, 2), Int32Array.of(0, 2, 1), 1, 3)
    expect([...column]).toEqual([1, 2, 2, 3])
  })
})

describe('there are no vectors', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('for rows that are no multiple of eight bytes', () => {
    expect(SimdColumn.of('largest', 2, 12, 1)).toBeNull()
  })

  it('where the memory is more than WebAssembly has', () => {
    expect(SimdColumn.of('smallest', 2 ** 20, 8192, 1)).toBeNull()
  })

  it('without WebAssembly', () => {
    vi.stubGlobal('WebAssembly', undefined)
    expect(SimdColumn.of('mean', 2, 16, 1)).toBeNull()
  })
})
