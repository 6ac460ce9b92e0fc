import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts'

function written(write: (out: ByteWriter) => void): number[] {
  const out = new ByteWriter()
  write(out)
  return [...out.take()]
}

const reader = (...bytes: number[]) => new ByteReader(Uint8Array.from(bytes))

describe('natural numbers', () => {
  it.each([
    [0, [0]],
    [1, [1]],
    [127, [127]],
    [128, [128, 1]],
    [300, [172, 2]],
    [16383, [255, 127]],
    [16384, [128, 128, 1]],
    [2 ** 32, [128, 128, 128, 128, 16]],
    [Number.MAX_SAFE_INTEGER, [255, 255, 255, 255, 255, 255, 255, 15]],
  ])('%d is written seven bits a byte, the lowest first', (value, bytes) => {
    expect(written((out) => out.nat(value))).toEqual(bytes)
    expect(reader(...bytes).nat()).toBe(value)
  })

  it('are refused where they never end', () => {
    const endless = Array.from({ length: 200 }, () => 128)
    expect(() => reader(...endless, 1).nat()).toThrow(MalformedBytes)
  })

  it('are decoded as they were encoded', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat()), (values) => {
        const write = (out: ByteWriter) => {
          for (const value of values) out.nat(value)
        }
        const input = reader(...written(write))
        expect(values.map(() => input.nat())).toEqual(values)
        input.end()
      }),
    )
  })

  it.each([
    ['with needless bytes', [128, 0]],
    ['with many needless bytes', [129, 128, 128, 0]],
    ['of 2^53', [128, 128, 128, 128, 128, 128, 128, 16]],
    ['of nine bytes', [255, 255, 255, 255, 255, 255, 255, 255, 1]],
    ['without an end', [128, 128]],
    ['of which nothing is there', []],
  ])('%s are refused', (_, bytes) => {
    expect(() => reader(...bytes).nat()).toThrow(MalformedBytes)
  })
})

describe('other values', () => {
  it('real numbers are decoded bit by bit', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(Object.is(reader(...written((out) => out.real(value))).real(), value)).toBe(true)
      }),
    )
    expect(() => reader(1, 2, 3, 4, 5, 6, 7).real()).toThrow(MalformedBytes)
  })

  it('texts are decoded, whatever the language', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(reader(...written((out) => out.text(text))).text()).toBe(text)
      }),
    )
    expect(() => reader(3, 65, 66).text()).toThrow(MalformedBytes)
  })

  it('what follows the last value is refused', () => {
    const input = reader(1, 2)
    input.byte()
    expect(input.left).toBe(1)
    expect(() => input.end()).toThrow('1 bytes too many')
  })

  it('a part of a larger buffer is read from its own beginning', () => {
    const bytes = Uint8Array.from([9, 9, ...written((out) => out.real(0.1))])
    expect(new ByteReader(bytes.subarray(2)).real()).toBe(0.1)
  })
})

describe('a writer', () => {
  it('grows, and is empty after its bytes were taken', () => {
    const out = new ByteWriter()
    for (let i = 0; i < 1000; i++) out.byte(i % 256)
    const first = out.take()
    expect([...first]).toEqual(Array.from({ length: 1000 }, (_, i) => i % 256))
    expect(out.take()).toHaveLength(0)
    out.byte(7)
    expect([...out.take()]).toEqual([7])
    expect(first[0]).toBe(0)
  })

  it('takes chunks larger than itself', () => {
    const chunk = Uint8Array.from({ length: 500 }, (_, i) => i % 251)
    expect(written((out) => out.raw(chunk))).toEqual([...chunk])
  })
})
