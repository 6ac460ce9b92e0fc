import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FrameSeal, SharedSecret } from './frame-seal.ts'

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i)
const frame = (...bytes: number[]) => Uint8Array.from(bytes)

describe('a sealed frame', () => {
  it('carries half an HMAC-SHA256 of its number and its bytes', () => {
    const sender = new FrameSeal(KEY)
    for (let number = 0; number < 3; number++) {
      const bytes = frame(number, 7)
      const expected = createHmac('sha256', KEY)
        .update(frame(0, 0, 0, 0, 0, 0, 0, number))
        .update(bytes)
        .digest()
      expect(sender.seal(bytes)).toEqual(Uint8Array.from([...bytes, ...expected.subarray(0, 16)]))
    }
  })

  it('is opened once, in order, unchanged, and by nobody else', () => {
    const sealed = () => {
      const sender = new FrameSeal(KEY)
      return [1, 2, 3].map((byte) => sender.seal(frame(byte, byte)))
    }
    const open = (frames: readonly Uint8Array[], key = KEY) => {
      const receiver = new FrameSeal(key)
      return frames.map((bytes) => [...receiver.open(bytes)])
    }
    expect(open(sealed())).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
    const [first, second, third] = sealed()
    expect(() => open([first, first])).toThrow('wrong authentication code')
    expect(() => open([second])).toThrow('wrong authentication code')
    expect(() => open([first, third])).toThrow('wrong authentication code')
    expect(() =>
      open(
        [first, second, third],
        KEY.map((byte) => byte ^ 1),
      ),
    ).toThrow('wrong')
    for (let bit = 0; bit < 8 * first.length; bit++) {
      const changed = Uint8Array.from(first)
      changed[bit >> 3] ^= 1 << (bit & 7)
      expect(() => open([changed])).toThrow('wrong authentication code')
    }
    expect(() => open([first.subarray(0, 15)])).toThrow('without an authentication code')
  })
})

describe('a shared secret', () => {
  const secrets = (secret: string, initiator = 1, responder = 2) =>
    new SharedSecret(secret, frame(initiator), frame(responder))

  it('proves itself differently on each side and in each handshake', () => {
    const here = secrets('one')
    expect(here.proves('initiator', secrets('one').proof('initiator'))).toBe(true)
    for (const other of [
      here.proof('responder'),
      secrets('two').proof('initiator'),
      secrets('one', 3).proof('initiator'),
      secrets('one', 1, 3).proof('initiator'),
      secrets('one', 2, 1).proof('initiator'),
      here.proof('initiator').subarray(1),
      new Uint8Array(),
    ]) {
      expect(here.proves('initiator', other)).toBe(false)
    }
  })

  it('gives each direction its own key, so that no frame can be sent back', () => {
    const [here, there] = [secrets('one'), secrets('one')]
    const sealed = here.sealOf('initiator').seal(frame(5))
    expect([...there.sealOf('initiator').open(sealed)]).toEqual([5])
    expect(() => here.sealOf('responder').open(sealed)).toThrow('wrong authentication code')
    expect(() => secrets('one', 9).sealOf('initiator').open(sealed)).toThrow('wrong')
  })
})
