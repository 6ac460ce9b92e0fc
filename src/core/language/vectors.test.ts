import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteReader, ByteWriter, MalformedBytes } from '../runtime/bytes.ts'
import { algorithm } from './algorithm.ts'
import { bytes, vector } from './collections.ts'
import { message } from './message.ts'
import { flag, nat, real } from './value-types.ts'

function written<T>(type: { write(out: ByteWriter, value: T): void }, value: T): Uint8Array {
  const out = new ByteWriter()
  type.write(out, value)
  return out.take()
}

describe('vector', () => {
  const three = vector(real, 3)

  it('starts with zeros, and copies are independent', () => {
    const start = three.start()
    expect(start).toEqual(new Float64Array(3))
    const copy = three.copy(start)
    copy[0] = 1
    expect(start[0]).toBe(0)
  })

  it('is read as it was written, without a length', () => {
    fc.assert(
      fc.property(fc.array(fc.double(), { minLength: 3, maxLength: 3 }), (numbers) => {
        const row = Float64Array.from(numbers)
        const bytes = written(three, row)
        expect(bytes.length).toBe(24)
        expect(three.read(new ByteReader(bytes))).toEqual(row)
      }),
    )
  })

  it('is charged as its elements are', () => {
    expect(three.bits(three.start(), 7)).toBe(192)
    expect(vector(nat, 2).bits(Float64Array.of(1, 4), 7)).toBe(4)
  })

  it('is shown in short, and as JSON in full', () => {
    const long = Float64Array.from({ length: 100 }, (_, i) => i / 3)
    expect(three.text(Float64Array.of(1, 0.5, 2))).toBe('[1, 0.5, 2]')
    expect(vector(real, 100).text(long)).toBe('[0, 0.3333, 0.6667, 1, ... 100 in all]')
    expect(vector(real, 100).json(long)).toEqual([...long])
  })

  it.each<[unknown, string]>([
    [[1, 2, 3], 'my.least is an array, but vector(real,3) must be a Float64Array of 3 numbers'],
    [
      new Float64Array(2),
      'my.least has the length 2, but vector(real,3) must be a Float64Array of 3 numbers',
    ],
    [null, 'my.least is null, but vector(real,3) must be a Float64Array of 3 numbers'],
  ])('refuses %j', (value, says) => {
    expect(three.check(value, 'my.least')).toBe(says)
    expect(() => written(three, value as Float64Array)).toThrow('it ')
  })

  it('checks its elements', () => {
    expect(vector(nat, 2).check(Float64Array.of(1, 0.5), 'my.counts')).toMatch(
      /^my\.counts\[1\] is 0\.5/,
    )
    expect(three.check(new Float64Array(3), 'my.least')).toBeNull()
  })

  it('says what is wrong with its definition', () => {
    expect(() => vector(flag as never, 3)).toThrow('vector: its elements are numbers, not flag.')
    expect(() => vector(real, 0)).toThrow('its length is 0, but it must be a whole number from 1')
    expect(() => vector(3 as never, 3)).toThrow('its first argument is 3, but a type is needed.')
    expect(() => bytes('4' as never)).toThrow('bytes: its length is "4" (a string)')
  })
})

describe('bytes', () => {
  const four = bytes(4)

  it('are read as they were written', () => {
    const row = Uint8Array.of(0, 255, 3, 128)
    expect(written(four, row)).toEqual(row)
    expect(four.read(new ByteReader(row))).toEqual(row)
    expect(() => four.read(new ByteReader(row.subarray(1)))).toThrow(MalformedBytes)
    expect(four.bits(row, 1)).toBe(32)
  })

  it('refuse other arrays', () => {
    expect(four.check(new Float64Array(4), 'x')).toBe(
      'x is a Float64Array, but bytes(4) must be a Uint8Array of 4 bytes',
    )
    expect(four.check(new Uint8Array(5), 'x')).toMatch('has the length 5')
    expect(four.check(new Uint8Array(4), 'x')).toBeNull()
  })
})

describe('a definition with vectors', () => {
  it('keeps them in states of their own, and sends copies', () => {
    const LEAST = message({ least: vector(real, 2) })
    const { layout, kinds } = algorithm({
      name: 'least',
      needs: { topology: 'any' },
      messages: { LEAST },
      state: { least: vector(real, 2), seen: bytes(2) },
      wakes: true,
      start() {},
      on: { LEAST() {} },
    })
    const [one, other] = [layout.create(0, {}), layout.create(0, {})]
    ;(one.least as Float64Array)[0] = 5
    expect(other.least).toEqual(new Float64Array(2))
    const copy = layout.copy(one)
    ;(one.least as Float64Array)[0] = 6
    expect(copy.least).toEqual(Float64Array.of(5, 0))
    expect(layout.json(copy)).toEqual({ least: [5, 0], seen: [0, 0] })
    expect(kinds[0].codec.schema).toBe('least:vector(real,2)')
    const out = new ByteWriter()
    layout.write(out, copy)
    expect(layout.read(new ByteReader(out.take()), other)).toEqual(copy)
  })
})
