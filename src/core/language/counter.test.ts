import { describe, expect, it } from 'vitest'
import { ByteReader, ByteWriter } from '../runtime/bytes.ts'
import {
  type Counter,
  counter,
  countOf,
  isLess,
  next,
  one,
  term,
  twoTo,
  type UnknownCounter,
  zero,
} from './counter.ts'
import { nat, stable } from './value-types.ts'

const counted = (count: number) => count as unknown as Counter

describe('a counter', () => {
  it('counts up, doubles and compares', () => {
    expect([zero, one, next(one), next(counted(41))].map(countOf)).toEqual([0, 1, 2, 42])
    expect([zero, one, counted(5)].map((c) => countOf(twoTo(c)))).toEqual([1, 2, 32])
    expect(isLess(zero, one)).toBe(true)
    expect(isLess(one, zero)).toBe(false)
    expect(isLess(one, one)).toBe(false)
  })

  it('has powers of two beyond 32 bits', () => {
    expect([30, 31, 32].map((c) => countOf(twoTo(counted(c))))).toEqual([
      1073741824, 2147483648, 4294967296,
    ])
    expect(countOf(twoTo(counted(40)))).toBe(1099511627776)
    expect(isLess(counted(5), twoTo(counted(32)))).toBe(true)
  })

  it('is opaque for the compiler', () => {
    // @ts-expect-error: no arithmetic
    one + 1
    // @ts-expect-error: no comparison with a number
    isLess(one, 2)
    // @ts-expect-error: a number is no counter
    next(1)
  })

  it('that is unknown answers itself, on either side of a comparison', () => {
    const asked: unknown[] = []
    const note = (...call: unknown[]) => asked.push(call)
    const unknown: UnknownCounter = {
      next: () => counted(note('next')),
      twoTo: () => counted(note('twoTo')),
      isLess: (other) => note('isLess', other) > 0,
      isMore: (other) => note('isMore', other) > 0,
      count: () => {
        throw new Error('it is unknown')
      },
    }
    const it = unknown as unknown as Counter
    expect(() => countOf(it)).toThrow('it is unknown')
    next(it)
    twoTo(it)
    expect(isLess(it, one)).toBe(true)
    expect(isLess(zero, it)).toBe(true)
    expect(isLess(it, it)).toBe(true)
    const comparisons = [
      ['isLess', 1],
      ['isMore', 0],
      ['isLess', unknown],
    ]
    expect(asked).toEqual([['next'], ['twoTo'], ...comparisons])
  })
})

describe.each([
  ['counter', counter, 'counter'],
  ['term', term, 'term'],
] as const)('the type %s', (_, type, sort) => {
  const same = type as unknown as typeof nat

  it('is as nat but for its sort, which stable keeps', () => {
    const { sort: own, ...rest } = same
    expect(own).toBe(sort)
    expect(rest).toEqual(nat)
    expect(stable(same)).toMatchObject({ sort, stable: true, schema: 'nat' })
  })

  it('is written and shown as nat', () => {
    for (const value of [0, 1, 255, 256, 2 ** 53 - 1]) {
      const [out, other] = [new ByteWriter(), new ByteWriter()]
      same.write(out, value)
      nat.write(other, value)
      const bytes = out.take()
      expect(bytes).toEqual(other.take())
      expect(same.read(new ByteReader(bytes))).toBe(value)
      expect([same.bits(value, 8), same.text(value), same.json(value)]).toEqual([
        nat.bits(value, 8),
        String(value),
        value,
      ])
    }
  })
})
