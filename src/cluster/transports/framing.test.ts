import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { FrameReader, framed } from './framing.ts'

const LIMIT = 40

function readAll(reader: FrameReader, chunks: Uint8Array[]): number[][] {
  const found: number[][] = []
  for (const chunk of chunks) reader.push(chunk, (frame) => found.push([...frame]))
  return found
}

test('frames are complete for every split of the stream', () => {
  const frames = fc.array(fc.uint8Array({ maxLength: LIMIT }), { maxLength: 8 })
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 9 })), (sent, cuts) => {
      const stream = Uint8Array.from(sent.flatMap((frame) => [...framed(frame)]))
      const chunks: Uint8Array[] = []
      let at = 0
      for (const length of [...cuts, stream.length]) {
        chunks.push(stream.subarray(at, at + length))
        at += length
      }
      const reader = new FrameReader(LIMIT)
      expect(readAll(reader, chunks)).toEqual(sent.map((frame) => [...frame]))
      expect(reader.midway).toBe(false)
    }),
  )
})

test('a stream that ends too early is known to be midway', () => {
  const whole = framed(Uint8Array.of(1, 2, 3))
  for (let length = 1; length < whole.length; length++) {
    const reader = new FrameReader(LIMIT)
    readAll(reader, [whole.subarray(0, length)])
    expect(reader.midway).toBe(true)
  }
})

test.each([
  ['a byte too many', LIMIT + 1, `a frame of 41 bytes exceeds the limit of ${LIMIT}`],
  [
    'a TLS handshake',
    0x16030100,
    'it speaks TLS: it has a secret or certificates, and this member has neither',
  ],
  ['four gigabytes', 2 ** 32 - 1, `a frame of 4294967295 bytes exceeds the limit of ${LIMIT}`],
])('a length of %s is refused as soon as it is read', (_what, length, why) => {
  const header = new Uint8Array(4)
  new DataView(header.buffer).setUint32(0, length)
  expect(() => readAll(new FrameReader(LIMIT), [header])).toThrow(new MalformedBytes(why))
})
