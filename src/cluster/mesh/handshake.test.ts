import { describe, expect, it } from 'vitest'
import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'
import { Random } from '../../core/runtime/random.ts'
import {
  commonProtocol,
  disagreement,
  HANDSHAKE_LIMIT,
  type MeshHello,
  PROTOCOL,
  readHello,
  readRefusal,
  shown,
  writeHello,
  writeRefusal,
} from './handshake.ts'

const HELLO: MeshHello = {
  protocol: { lowest: 1, highest: 1 },
  cluster: 'billing',
  name: 'a',
  incarnation: '7-0123456789abcdef',
  kind: 'member',
  version: { term: 3, number: 12 },
  limit: 5000,
  drift: 0.05,
  process: { pid: 4711, start: '99', boot: 'b-1', namespace: 'pid:[4026531836]' },
  keepsOpen: false,
  advertised: '10.0.0.1:7001',
  purpose: '',
}

describe('a hello', () => {
  it('arrives as it was sent', () => {
    expect(readHello(writeHello(HELLO))).toEqual(HELLO)
    const observer = { ...HELLO, kind: 'observer', process: null, advertised: null } as const
    expect(readHello(writeHello(observer))).toEqual(observer)
    const second = { ...HELLO, protocol: { lowest: 1, highest: 2 }, keepsOpen: true }
    expect(readHello(writeHello(second))).toEqual(second)
    // Members of the first version know nothing of it.
    expect(readHello(writeHello({ ...HELLO, keepsOpen: true }))).toEqual(HELLO)
  })

  it('of a later version may be longer, one of this version may not', () => {
    const longer = (protocol: MeshHello['protocol']) =>
      Uint8Array.of(...writeHello({ ...HELLO, protocol }), 1, 2, 3)
    expect(readHello(longer({ lowest: 1, highest: PROTOCOL.highest + 1 })).name).toBe('a')
    expect(() => readHello(longer({ lowest: 1, highest: 1 }))).toThrow('3 bytes too many')
  })

  it('that is cut, changed or drawn at random is refused or read', () => {
    const whole = writeHello(HELLO)
    const random = Random.from(1)
    const read = (bytes: Uint8Array) => {
      try {
        return readHello(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedBytes)
        return null
      }
    }
    for (let length = 0; length < whole.length; length++) {
      expect(read(whole.subarray(0, length))).toBeNull()
    }
    let readable = 0
    for (let i = 0; i < 1500; i++) {
      const changed = Uint8Array.from(whole)
      for (let k = 0; k <= random.below(3); k++) {
        changed[random.below(changed.length)] = random.below(256)
      }
      if (read(changed) !== null) readable++
      read(changed.map(() => random.below(256)))
    }
    expect(readable).toBeGreaterThan(30)
  })

  it('with impossible values is refused', () => {
    for (const changes of [
      { name: '' },
      { name: 'a\nb' },
      { name: 'x'.repeat(65) },
      { incarnation: 'a b' },
      { limit: Number.NaN },
      { limit: -1 },
      { drift: Number.NaN },
      { protocol: { lowest: 2, highest: 1 } },
    ]) {
      expect(() => readHello(writeHello({ ...HELLO, ...changes }))).toThrow('impossible values')
    }
  })
})

it('the protocol that two sides speak is the highest common one', () => {
  for (let a = 1; a < 5; a++)
    for (let b = a; b < 5; b++)
      for (let c = 1; c < 5; c++)
        for (let d = c; d < 5; d++) {
          const common = [1, 2, 3, 4].filter((v) => a <= v && v <= b && c <= v && v <= d)
          const spoken = commonProtocol({ lowest: a, highest: b }, { lowest: c, highest: d })
          expect(spoken).toBe(common.at(-1) ?? null)
        }
})

it('members disagree about what must be equal, and about nothing else', () => {
  expect(disagreement(HELLO, HELLO)).toBeNull()
  const different: Partial<MeshHello> = {
    name: 'b',
    incarnation: 'x',
    version: { term: 9, number: 9 },
    limit: 1,
    process: null,
    advertised: null,
  }
  expect(disagreement({ ...HELLO, ...different }, HELLO)).toBeNull()
  const drift = { ...HELLO, name: 'b', drift: 0.2 }
  expect(disagreement(drift, HELLO)?.detail).toBe(
    'the bound on clock rates is 0.2 at "b" and 0.05 at "a"',
  )
  expect(disagreement({ ...drift, kind: 'observer' }, HELLO)).toBeNull()
})

it('a refusal is read whatever it holds, on one line', () => {
  const refusal = { reason: 'drift', detail: 'it differs' } as const
  expect(readRefusal(writeRefusal(refusal))).toEqual(refusal)
  const hostile = new ByteWriter()
  hostile.byte(4)
  hostile.text('no-such-reason')
  hostile.text(`\u001b[2J\u009b1m\n\u202e${'x'.repeat(3000)}`)
  const { reason, detail } = readRefusal(hostile.take())
  expect(reason).toBe('closed')
  expect(detail).toMatch(/^\\u\{1b\}\[2J\\u\{9b\}1m\\u\{a\}\\u\{202e\}x+\.\.\.$/)
  expect(detail.length).toBeLessThan(1100)
  expect(shown('a"b\n')).toBe('"a\\"b\\n"')
})

it('a refusal of any length is a frame of a handshake', () => {
  const bytes = writeRefusal({ reason: 'name', detail: '\u{1f600}'.repeat(5000) })
  expect(bytes.length).toBeLessThan(HANDSHAKE_LIMIT)
  expect(new ByteReader(bytes).byte()).toBe(4)
})
