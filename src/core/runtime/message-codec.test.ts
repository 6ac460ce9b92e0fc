import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { list, set } from '../language/collections.ts'
import { flag, maybe, nat, oneOf, real, uid } from '../language/value-types.ts'
import { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts'
import { type AnyBody, MessageCodec } from './message-codec.ts'

const fields = {
  id: uid,
  phase: nat,
  weight: real,
  first: flag,
  side: oneOf('left', 'right', 'both'),
  owner: maybe(uid),
  share: maybe(real),
  path: list(nat),
}

const bodies = fc.record({
  id: fc.oneof(fc.nat(1000), fc.maxSafeNat()),
  phase: fc.oneof(fc.nat(9), fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1)),
  weight: fc.double(),
  first: fc.boolean(),
  side: fc.constantFrom('left', 'right', 'both'),
  owner: fc.option(fc.maxSafeNat()),
  share: fc.option(fc.double()),
  path: fc.array(fc.nat()),
})

/** The body as it arrives, through a column in which other numbers lie around it. */
function flown(codec: MessageCodec, body: AnyBody): AnyBody {
  const column = new Float64Array(codec.width + 4).fill(77)
  codec.pack(body, column, 2)
  expect([...column.slice(0, 2), ...column.slice(-2)]).toEqual([77, 77, 77, 77])
  return codec.unpack(column, 2, codec.packObjects(body))
}

describe('a body in flight', () => {
  const codec = new MessageCodec(fields)

  it('arrives as it was sent', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        expect(flown(codec, body)).toEqual(body)
      }),
    )
  })

  it('keeps not a number, minus nothing and the largest number apart', () => {
    for (const weight of [Number.NaN, -0, 0, Number.MAX_SAFE_INTEGER, Number.NEGATIVE_INFINITY]) {
      const body = { ...codec.start(), weight, share: weight }
      const arrived = flown(codec, body)
      expect(Object.is(arrived.weight, weight)).toBe(true)
      expect(Object.is(arrived.share, body.share)).toBe(true)
    }
  })

  it('takes one number for each field of fixed width', () => {
    expect(codec).toMatchObject({ width: 6, hasObjects: true, integers: false, fixedBits: false })
    const small = new MessageCodec({ id: uid, first: flag })
    expect(small).toMatchObject({ width: 2, hasObjects: false, integers: true, fixedBits: true })
    expect(new MessageCodec({})).toMatchObject({ width: 0, hasObjects: false, integers: true })
  })

  it('is the same body every time: it is valid only while its handler runs', () => {
    const first = flown(codec, codec.start())
    expect(flown(codec, { ...codec.start(), id: 5 })).toBe(first)
    expect(first.id).toBe(5)
  })

  it('has lists of its own: what the sender does later does not change them', () => {
    const path = [1, 2]
    const objects = codec.packObjects({ ...codec.start(), path })
    path.push(3)
    expect(objects).toEqual([null, [1, 2]])
  })
})

describe('narrow columns', () => {
  const codec = new MessageCodec({ id: uid, owner: maybe(uid), first: flag })

  it('say whether they could hold the body, and hold it if so', () => {
    const number = fc.oneof(
      fc.nat(1000),
      fc.maxSafeNat(),
      fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 2 ** 53 - 1),
    )
    fc.assert(
      fc.property(number, fc.option(number), fc.boolean(), (id, owner, first) => {
        const column = new Int32Array(codec.width)
        const bits = codec.packInt32({ id, owner, first }, column, 0, 10)
        const held = id < 2 ** 31 && (owner ?? 0) < 2 ** 31
        expect(bits).toBe(held ? 10 + (owner === null ? 1 : 11) + 1 : -1)
        if (held) expect(codec.unpack(column, 0, [])).toEqual({ id, owner, first })
      }),
    )
  })
})

describe('a body on the wire', () => {
  const codec = new MessageCodec(fields)

  it('is decoded from its bytes', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const out = new ByteWriter()
        codec.write(out, body)
        const input = new ByteReader(out.take())
        expect(codec.read(input)).toEqual(body)
        expect(input.left).toBe(0)
      }),
    )
  })

  it('that is cut off anywhere is refused', () => {
    const out = new ByteWriter()
    codec.write(out, { ...codec.start(), id: 300, owner: 5, share: 1.5, path: [7, 8] })
    const bytes = out.take()
    for (let length = 0; length < bytes.length; length++) {
      const input = new ByteReader(bytes.subarray(0, length))
      expect(() => codec.read(input)).toThrow(MalformedBytes)
    }
  })
})

describe('what theory charges and people see', () => {
  it('is the sum over the fields', () => {
    const codec = new MessageCodec(fields)
    const body = {
      ...{ id: 9, phase: 5, weight: 0.5, first: true, side: 'both' },
      ...{ owner: null, share: 2, path: [1, 2] },
    }
    expect(codec.bits(body, 11)).toBe(11 + 3 + 64 + 1 + 2 + 1 + 65 + (2 + 1 + 2))
    expect(new MessageCodec({}).bits({}, 11)).toBe(0)
  })

  it('is JSON, and a schema that names every field', () => {
    const codec = new MessageCodec({ owner: maybe(uid), seen: set(nat) })
    expect(codec.json({ owner: null, seen: new Set([4, 2]) })).toEqual({
      owner: null,
      seen: [2, 4],
    })
    expect(codec.schema).toBe('owner:maybe(uid),seen:set(nat)')
  })

  it('field names may be anything', () => {
    const codec = new MessageCodec({ 'it\'s "it"': nat, 'a b': flag })
    const body = { 'it\'s "it"': 4, 'a b': true }
    expect(flown(codec, body)).toEqual(body)
    expect(codec.bits(body, 1)).toBe(4)
  })
})
