import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { MessageCodes, SharedSecret } from './message-codes.ts'

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i)
const frame = (...bytes: number[]) => Uint8Array.from(bytes)

it('a code is half an HMAC-SHA256 of the number of a message and its bytes', () => {
  const codes = new MessageCodes(KEY)
  for (let number = 0; number < 3; number++) {
    const bytes = frame(number, 7)
    const expected = createHmac('sha256', KEY)
      .update(frame(0, 0, 0, 0, 0, 0, 0, number))
      .update(bytes)
      .digest()
    expect([...codes.code(number, bytes)]).toEqual([...expected.subarray(0, 16)])
    expect([...codes.code(number + 1, bytes)]).not.toEqual([...expected.subarray(0, 16)])
  }
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

  it('gives each direction its own key, so that no message can be sent back', () => {
    const [here, there] = [secrets('one'), secrets('one')]
    const code = (of: SharedSecret, side: 'initiator' | 'responder') => [
      ...of.codesOf(side).code(0, frame(5)),
    ]
    expect(code(there, 'initiator')).toEqual(code(here, 'initiator'))
    expect(code(there, 'responder')).not.toEqual(code(here, 'initiator'))
    expect(code(secrets('one', 9), 'initiator')).not.toEqual(code(here, 'initiator'))
  })
})
