import fc from 'fast-check'
import { expect, test } from 'vitest'
import { campaign } from '../../test/support/campaign.ts'
import { hirschbergSinclair } from '../algorithms/ring/hirschberg-sinclair.ts'
import { MalformedBytes } from '../core/runtime/bytes.ts'
import { Wire, type WireFrame } from './wire.ts'

const wire = new Wire(hirschbergSinclair, false)
const keyed = new Wire(hirschbergSinclair, true)
const LEADER = hirschbergSinclair.kinds.findIndex(({ name }) => name === 'leader')

/** What one process accepts as a count from another. */
const counts = fc.maxSafeNat().map((count) => count % 2 ** 48)

const frames: fc.Arbitrary<WireFrame> = fc.oneof(
  fc.record({
    type: fc.constant('message' as const),
    kind: fc.constant(LEADER),
    body: fc.record({ id: fc.maxSafeNat() }),
  }),
  fc.record({
    type: fc.constant('token' as const),
    token: fc.record({ sent: counts, received: counts, black: fc.boolean() }),
  }),
  fc.constant({ type: 'activity' as const }),
  fc.constant({ type: 'end' as const }),
  fc.record({
    type: fc.constant('heartbeat' as const),
    lateness: fc.nat(),
    key: fc.constant(null),
  }),
)

test('frames are read as they were written', () => {
  fc.assert(
    fc.property(frames, (frame) => {
      expect(wire.read(wire.write(frame))).toEqual(frame)
    }),
  )
})

test('a heartbeat carries a key only where keys are announced', () => {
  const beat: WireFrame = { type: 'heartbeat', lateness: 7, key: 300 }
  expect(keyed.read(keyed.write(beat))).toEqual(beat)
  expect(() => wire.read(keyed.write(beat))).toThrow(MalformedBytes)
  const bare: WireFrame = { type: 'heartbeat', lateness: 0, key: null }
  expect(() => keyed.read(wire.write(bare))).toThrow(MalformedBytes)
})

test('a message is its kind and its fields, in the bytes of their types', () => {
  const frame: WireFrame = { type: 'message', kind: LEADER, body: { id: 300 } }
  expect([...wire.write(frame)]).toEqual([LEADER, 0xac, 2])
})

test('bytes are a frame, and then the only bytes of that frame, or malformed', () => {
  const kinds = fc.constantFrom(0, 1, 2, 3, 252, 253, 254, 255)
  const almost = fc.tuple(kinds, fc.uint8Array({ maxLength: 12 }))
  const honest = almost.map(([kind, rest]) => Uint8Array.of(kind, ...rest))
  fc.assert(
    fc.property(fc.oneof(honest, fc.uint8Array({ maxLength: 12 })), (bytes) => {
      const frame = readOrRefuse(bytes)
      if (frame !== null) expect(wire.write(frame)).toEqual(bytes)
    }),
    { numRuns: campaign(4800) },
  )
})

test.each([
  ['nothing at all', [], '1 bytes too few'],
  ['an unknown kind', [99], 'unknown kind of frame: 99'],
  ['a message cut short', [LEADER, 0x80], '1 bytes too few'],
  ['a message too long', [LEADER, 1, 1], '1 bytes too many'],
  [
    'a count at which handlers could overflow',
    token(2 ** 48),
    'a count beyond 2^48: 281474976710656',
  ],
  ['news of the end with something attached', [253, 0], '1 bytes too many'],
])('refuses %s', (_what, bytes, why) => {
  expect(() => wire.read(Uint8Array.from(bytes))).toThrow(new MalformedBytes(why))
})

function token(sent: number): number[] {
  const frame: WireFrame = { type: 'token', token: { sent, received: 0, black: false } }
  return [...wire.write(frame)]
}

function readOrRefuse(bytes: Uint8Array): WireFrame | null {
  try {
    return wire.read(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedBytes)
    return null
  }
}
