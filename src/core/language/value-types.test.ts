import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteReader, ByteWriter, MalformedBytes } from '../runtime/bytes.ts'
import {
  below,
  flag,
  link,
  maybe,
  nat,
  oneOf,
  real,
  stable,
  numericUid as uid,
  type ValueType,
} from './value-types.ts'

const colour = oneOf('red', 'green', 'blue')

/** A type with everything that it can hold. */
interface Sort<T> {
  readonly type: ValueType<T>
  readonly values: fc.Arbitrary<T>
}

const SORTS: Readonly<Record<string, Sort<unknown>>> = {
  uid: { type: uid, values: fc.maxSafeNat() } as Sort<unknown>,
  nat: { type: nat, values: fc.maxSafeNat() } as Sort<unknown>,
  real: { type: real, values: fc.double() } as Sort<unknown>,
  flag: { type: flag, values: fc.boolean() } as Sort<unknown>,
  oneOf: { type: colour, values: fc.constantFrom('red', 'green', 'blue') } as Sort<unknown>,
  'below(5)': { type: below(5), values: fc.nat(4) } as Sort<unknown>,
  'below(300)': { type: below(300), values: fc.nat(299) } as Sort<unknown>,
  'maybe(below(5))': { type: maybe(below(5)), values: fc.option(fc.nat(4)) } as Sort<unknown>,
  'maybe(nat)': { type: maybe(nat), values: fc.option(fc.maxSafeNat()) } as Sort<unknown>,
  'maybe(real)': {
    type: maybe(real),
    values: fc.option(fc.double({ noNaN: true })),
  } as Sort<unknown>,
  'maybe(flag)': { type: maybe(flag), values: fc.option(fc.boolean()) } as Sort<unknown>,
  'maybe(oneOf)': {
    type: maybe(colour),
    values: fc.option(fc.constantFrom('red', 'green', 'blue')),
  } as Sort<unknown>,
}

function bytesOf<T>(type: ValueType<T>, value: T): Uint8Array {
  const out = new ByteWriter()
  type.write(out, value)
  return out.take()
}

function readBack<T>(type: ValueType<T>, bytes: Uint8Array): T {
  const input = new ByteReader(bytes)
  const value = type.read(input)
  input.end()
  return value
}

describe.each(Object.entries(SORTS))('%s', (name, { type, values }) => {
  it('is decoded from its bytes', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(readBack(type, bytesOf(type, value))).toEqual(value)
      }),
    )
  })

  it('has one way to be written: other values have other bytes', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const same = Buffer.compare(bytesOf(type, a), bytesOf(type, b)) === 0
        expect(same).toBe(Object.is(a, b))
      }),
    )
  })

  it('reads arbitrary bytes as what writes exactly these, or refuses them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 10 }), (bytes) => {
        let value: unknown
        try {
          value = readBack(type, bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedBytes)
          return
        }
        // A real may hold any of many NaNs, and only their kind is decoded.
        if (!Number.isNaN(value)) expect(bytesOf(type, value)).toEqual(bytes)
      }),
    )
  })

  it('is restored from its code', () => {
    const { codec } = type
    // No number is left to stand for a missing real; those travel as objects.
    expect(codec === undefined).toBe(name === 'maybe(real)')
    if (codec === undefined) return
    fc.assert(
      fc.property(values, (value) => {
        const packed = codec.pack(value)
        expect(typeof packed).toBe('number')
        expect(codec.unpack(packed)).toEqual(value)
        if (codec.integer) expect(Number.isInteger(packed)).toBe(true)
        if (codec.identity) expect(packed).toBe(value)
      }),
    )
  })

  it('starts as something that it can hold', () => {
    expect(readBack(type, bytesOf(type, type.start()))).toEqual(type.start())
  })
})

describe('bits that theory charges', () => {
  it('an id costs as much as the largest id, whatever it is', () => {
    expect([0, 1, 1000].map((id) => uid.bits(id, 10))).toEqual([10, 10, 10])
    expect(uid.fixedBits).toBe(true)
  })

  it('a natural number costs its binary length', () => {
    expect([0, 1, 2, 3, 4, 255, 256].map((value) => nat.bits(value, 10))).toEqual([
      1, 1, 2, 2, 3, 8, 9,
    ])
    expect(nat.fixedBits).toBe(false)
  })

  it('a flag costs one, a real 64, one of k words ceil(log2 k)', () => {
    expect([flag.bits(true, 9), real.bits(1, 9), colour.bits('red', 9)]).toEqual([1, 64, 2])
    expect(oneOf('only').bits('only', 9)).toBe(0)
    expect(oneOf('a', 'b', 'c', 'd', 'e').bits('a', 9)).toBe(3)
  })

  it('a number below k costs ceil(log2 k)', () => {
    expect([1, 2, 3, 4, 5, 256, 257].map((k) => below(k).bits(0, 9))).toEqual([0, 1, 2, 2, 3, 8, 9])
    expect(below(5).fixedBits).toBe(true)
  })

  it('what may be missing costs one more, and alone where it is', () => {
    expect(maybe(uid).bits(null, 7)).toBe(1)
    expect(maybe(uid).bits(3, 7)).toBe(8)
    expect(maybe(nat).bits(4, 7)).toBe(4)
    expect(maybe(uid).fixedBits).toBe(false)
  })
})

describe('values that are refused', () => {
  it.each([
    ['a flag that is 2', flag, [2]],
    ['a word that is none of them', colour, [3]],
    ['5 where numbers are below 5', below(5), [5]],
    ['300 where numbers are below 300', below(300), [0xac, 0x02]],
    ['a maybe that is neither', maybe(nat), [2, 0]],
    ['a maybe without its value', maybe(nat), [1]],
  ] as [string, ValueType<unknown>, number[]][])('%s', (_, type, bytes) => {
    expect(() => type.read(new ByteReader(Uint8Array.from(bytes)))).toThrow(MalformedBytes)
  })
})

describe('a number below k', () => {
  it.each([-1, 5, 1.5, '1', null])('is not %o where k is 5', (value) => {
    const problem = `it is ${value === '1' ? '"1" (a string)' : value}, but below(5) must be`
    expect(below(5).check(value, 'it')).toContain(problem)
    expect(() => below(5).write(new ByteWriter(), value as number)).toThrow(problem)
  })

  it('takes a byte up to k = 256', () => {
    const codecs = [below(2), below(256), below(257)].map(({ codec }) => codec!.byte)
    expect(codecs).toEqual([true, true, undefined])
    expect(bytesOf(below(256), 255)).toEqual(Uint8Array.of(255))
    expect(bytesOf(below(300), 299)).toEqual(bytesOf(nat, 299))
  })

  it('is drawn from all of them', () => {
    const source = { below: (k: number) => k - 1, largestId: 9, n: 9, links: [] }
    expect(below(5).draw!(source)).toBe(4)
  })

  it.each([0, -1, 2.5, Number.NaN, 2 ** 53])('needs a whole k from 1: not %d', (k) => {
    expect(() => below(k)).toThrow(/below: expected a whole number from 1, got/)
  })
})

describe('all values of a type', () => {
  it('are listed where they are few', () => {
    expect(flag.values).toEqual([false, true])
    expect(colour.values).toEqual(['red', 'green', 'blue'])
    expect(below(3).values).toEqual([0, 1, 2])
    expect(maybe(below(2)).values).toEqual([null, 0, 1])
    expect(stable(maybe(flag)).values).toEqual([null, false, true])
  })

  it('are not listed where they are many, or differ by node', () => {
    const many = [uid, nat, real, link, below(1000), maybe(nat)]
    expect(many.map(({ values }) => values)).toEqual(many.map(() => undefined))
  })
})

it('schemas tell types apart', () => {
  const plain = [uid, nat, real, flag, colour, oneOf('red', 'green'), maybe(uid), maybe(nat)]
  const types = [...plain, below(2), below(3)]
  expect(new Set(types.map(({ schema }) => schema)).size).toBe(types.length)
})

it('values are shown as people and JSON write them', () => {
  expect([uid.text(7), flag.text(true), colour.text('red'), maybe(nat).text(null)]).toEqual([
    '7',
    'true',
    'red',
    '-',
  ])
  expect([maybe(nat).json(null), maybe(nat).json(3), flag.json(false)]).toEqual([null, 3, false])
})

it('a maybe of a maybe has no code: null and null would be one', () => {
  expect(maybe(maybe(nat)).codec).toBeUndefined()
})
