import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OrderedMap, OrderedSet } from '../ordered-collections.ts'
import { ByteReader, ByteWriter, MalformedBytes } from '../runtime/bytes.ts'
import { list, map, pair, record, set } from './collections.ts'
import {
  flag,
  maybe,
  nat,
  oneOf,
  real,
  stable,
  numericUid as uid,
  type Value,
  type ValueType,
} from './value-types.ts'

function bytesOf<T>(type: ValueType<T>, value: T): number[] {
  const out = new ByteWriter()
  type.write(out, value)
  return [...out.take()]
}

function read<T>(type: ValueType<T>, bytes: readonly number[]): T {
  const input = new ByteReader(Uint8Array.from(bytes))
  const value = type.read(input)
  input.end()
  return value
}

const numbers = fc.array(fc.maxSafeNat())
const entries = fc.array(fc.tuple(fc.nat(40), fc.boolean()))

describe('lists', () => {
  const type = list(pair(nat, flag))

  it('are decoded from their bytes, in order', () => {
    fc.assert(
      fc.property(entries, (values) => {
        expect(read(type, bytesOf(type, values))).toEqual(values)
      }),
    )
    expect(bytesOf(list(nat), [3, 1, 300])).toEqual([3, 3, 1, 172, 2])
  })

  it('cost their length as a natural number plus their elements', () => {
    expect(list(uid).bits([], 5)).toBe(1)
    expect(list(uid).bits([1, 2, 3], 5)).toBe(2 + 3 * 5)
    expect(list(nat).bits([0, 7, 8, 1], 5)).toBe(3 + 1 + 3 + 4 + 1)
  })

  it('that claim more elements than there are bytes are refused before anything is made', () => {
    expect(() => read(list(nat), [200, 1, 1, 1])).toThrow(MalformedBytes)
    expect(() => read(list(nat), [255, 255, 255, 255, 255, 255, 255, 15])).toThrow(MalformedBytes)
    expect(() => read(list(nat), [2, 128, 0])).toThrow(MalformedBytes)
  })

  it('are copied down to the last element', () => {
    const deep = list(list(nat))
    const value = [[1], [2, 3]]
    const copy = deep.copy(value)
    copy[1].push(4)
    expect(value).toEqual([[1], [2, 3]])
  })

  it('have no fixed width, so they have no code', () => {
    expect(list(nat).codec).toBeUndefined()
    expect(list(nat).fixedBits).toBe(false)
  })
})

describe('pairs', () => {
  const type = pair(uid, oneOf('in', 'out'))

  it('are both, one behind the other', () => {
    expect(bytesOf(type, [5, 'out'])).toEqual([5, 1])
    expect(read(type, [5, 1])).toEqual([5, 'out'])
    expect(type.start()).toEqual([0, 'in'])
    expect(type.bits([5, 'out'], 4)).toBe(5)
    expect(type.fixedBits).toBe(true)
    expect(pair(uid, nat).fixedBits).toBe(false)
    expect(type.text([5, 'in'])).toBe('(5,in)')
  })
})

describe('records', () => {
  const type = record({ who: uid, far: nat, tags: list(nat), share: real })
  const values = fc.record({
    who: fc.maxSafeNat(),
    far: fc.maxSafeNat(),
    tags: numbers,
    share: fc.double({ noNaN: true }),
  })

  it('are decoded from their bytes, which are those of their fields in order', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(read(type, bytesOf(type, value))).toEqual(value)
      }),
    )
    expect(bytesOf(record({ a: nat, b: flag }), { a: 3, b: true })).toEqual([3, 1])
  })

  it('cost what their fields cost', () => {
    const value = { who: 1, far: 8, tags: [], share: 0.5 }
    expect(type.bits(value, 5)).toBe(5 + 4 + 1 + 64)
    expect(type.fixedBits).toBe(false)
    expect(record({ who: uid, share: real }).fixedBits).toBe(true)
  })

  it('start as their fields do, and show their names', () => {
    expect(type.start()).toEqual({ who: 0, far: 0, tags: [], share: 0 })
    expect(type.text({ who: 1, far: 8, tags: [2], share: 0.5 })).toBe(
      '{who:1,far:8,tags:[2],share:0.5}',
    )
    const named = type.json({ who: 1, far: 1, tags: [], share: 0 }, (id) => 10 * id)
    expect(named).toEqual({ who: 10, far: 1, tags: [], share: 0 })
  })

  it('are copied down to the last field', () => {
    const value = { who: 1, far: 8, tags: [2], share: 0.5 }
    type.copy(value).tags.push(3)
    expect(value.tags).toEqual([2])
  })
})

describe('sets', () => {
  const type = set(nat)

  it('have the same bytes whatever the order in which they came about', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const forth = bytesOf(type, new Set(values))
        expect(bytesOf(type, new Set(values.toReversed()))).toEqual(forth)
        expect(read(type, forth)).toEqual(new OrderedSet(values))
      }),
    )
  })

  it('that differ have bytes that differ', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const [one, other] = [new Set(a), new Set(b)]
        const same = one.size === other.size && a.every((value) => other.has(value))
        expect(bytesOf(type, one).join() === bytesOf(type, other).join()).toBe(same)
      }),
    )
  })

  it('are shown in the order of their bytes and copied', () => {
    expect(type.text(new Set([3, 1, 2]))).toBe('{1,2,3}')
    expect(type.json(new Set([3, 1, 2]))).toEqual([1, 2, 3])
    expect(type.bits(new Set([3, 1]), 9)).toBe(2 + 2 + 1)
    const value = new Set([1])
    type.copy(value).add(2)
    expect(value.size).toBe(1)
  })

  it('are iterated in the order of their numbers, however large these are', () => {
    const numbers = [3, 127, 128, 130, 256, 300, 70_000]
    const sent = set(nat)
    expect([...read(sent, bytesOf(sent, new Set(numbers.toReversed())))]).toEqual(numbers)
    const table = map(nat, nat)
    const entries = numbers.map((number) => [number, 1] as const)
    expect([...read(table, bytesOf(table, new Map(entries.toReversed()))).keys()]).toEqual(numbers)
  })

  it('are gone through in one order wherever they come from, also deep in other values', () => {
    const deep = record({ table: map(nat, maybe(pair(nat, list(set(nat))))) })
    const seen = new Set([9, 4, 300])
    const made = { table: new Map([5, 1].map((k) => [k, [k, [seen]] as [number, Set<number>[]]])) }
    const walked = (value: Value<typeof deep>) =>
      [...value.table].map(([k, it]) => [k, it?.[1].map((one) => [...one])])
    const inOrder = [1, 5].map((k) => [k, [[4, 9, 300]]])
    expect(walked(made)).not.toEqual(inOrder)
    for (const one of [deep.copy(made), read(deep, bytesOf(deep, made)), deep.settled!(made)])
      expect(walked(one)).toEqual(inOrder)
  })

  it('are read back only from the bytes that they write', () => {
    for (const bytes of [
      [2, 5, 5],
      [2, 7, 5],
    ]) {
      expect(() => read(type, bytes)).toThrow(MalformedBytes)
    }
  })
})

describe('maps', () => {
  const type = map(nat, flag)

  it('have the same bytes whatever the order in which they came about', () => {
    fc.assert(
      fc.property(entries, (values) => {
        const value = new Map(values)
        const forth = bytesOf(type, value)
        expect(bytesOf(type, new Map([...value].toReversed()))).toEqual(forth)
        expect(read(type, forth)).toEqual(new OrderedMap(value))
      }),
    )
  })

  it('are shown by key, copied deeply, charged as lists of pairs', () => {
    const lists = map(nat, list(nat))
    const value = new Map([
      [9, [1]],
      [2, []],
    ])
    expect(lists.text(value)).toBe('{2:[],9:[1]}')
    expect(lists.json(value)).toEqual([
      [2, []],
      [9, [1]],
    ])
    lists.copy(value).get(9)?.push(5)
    expect(value.get(9)).toEqual([1])
    expect(type.bits(new Map([[4, true]]), 9)).toBe(1 + 3 + 1)
  })

  it('are read back only from the bytes that they write', () => {
    for (const bytes of [
      [2, 5, 0, 5, 1],
      [2, 7, 0, 5, 1],
    ]) {
      expect(() => read(type, bytes)).toThrow(MalformedBytes)
    }
  })
})

describe('a value that is not of its type', () => {
  const byLink = map(nat, oneOf('basic', 'branch'))
  const edge = record({ weight: real, ends: pair(uid, maybe(uid)) })
  const whole = 'must be a whole number from 0 to 2^53 - 1'
  it.each<[ValueType<unknown>, unknown, string | null]>([
    [uid, 3, null],
    [uid, '1', `x is "1" (a string), but uid ${whole}`],
    [uid, undefined, `x is undefined, but uid ${whole}`],
    [nat, -1, `x is -1, but nat ${whole}`],
    [nat, 0.5, `x is 0.5, but nat ${whole}`],
    [nat, Number.NaN, `x is NaN, but nat ${whole}`],
    [nat, 2 ** 53, `x is 9007199254740992, but nat ${whole}`],
    [nat, { value: 3 }, `x is an object, but nat ${whole}`],
    [real, -0.5, null],
    [real, '0.5', 'x is "0.5" (a string), but real must be a number'],
    [flag, true, null],
    [flag, 3, 'x is 3, but flag must be true or false'],
    [oneOf('on', 'off'), 'off', null],
    [oneOf('on', 'off'), 'of', `x is "of" (a string), but oneOf must be 'on' or 'off'`],
    [maybe(flag), null, null],
    [maybe(flag), 0, 'x is 0, but flag must be true or false, or null'],
    [stable(flag), 0, 'x is 0, but flag must be true or false'],
    [list(flag), [true], null],
    [list(flag), true, 'x is true (a boolean), but list must be an array'],
    [list(flag), [true, 1], 'x[1] is 1, but flag must be true or false'],
    [pair(flag, nat), [true, 1], null],
    [pair(flag, nat), [true], 'x is an array, but pair must be an array of two values'],
    [pair(flag, nat), [true, 'a'], `x[1] is "a" (a string), but nat ${whole}`],
    [set(nat), new Set([1]), null],
    [set(nat), [1], 'x is an array, but set must be a Set'],
    [set(nat), new Set([1, -1]), `an element of x is -1, but nat ${whole}`],
    [byLink, new Map([[0, 'basic']]), null],
    [byLink, {}, 'x is an object, but map must be a Map'],
    [byLink, new Map([['0', 'basic']]), `a key of x is "0" (a string), but nat ${whole}`],
    [
      byLink,
      new Map([[7, 'brnch']]),
      `x.get(7) is "brnch" (a string), but oneOf must be 'basic' or`,
    ],
    [edge, { weight: 1, ends: [1, null] }, null],
    [edge, { weight: 1, ends: [1, ''] }, `x.ends[1] is "" (a string), but uid ${whole}, or null`],
    [edge, { weight: 1, ends: [1, 2], far: 1 }, 'x has a field far that is not declared'],
    [edge, null, 'x is null, but record must be an object'],
  ])('is told from the others and named (%#)', (type, value, expected) => {
    const problem = type.check(value, 'x')
    if (expected === null) expect(problem).toBeNull()
    else expect(problem).toContain(expected)
  })
})
