import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  encode,
  encodeReference,
  ForeignMessage,
  readBatch,
  readCallerNotice,
  readDescription,
  readReport,
  readWorkerNotice,
  referenceIn,
} from './protocol.ts'

const BATCH = { study: 's1', batch: 'b1', tries: 0, ms: 1000, jobs: [{ id: 'a', input: { n: 3 } }] }
const DESCRIPTION = {
  ...{ study: 's1', version: '1', caller: 'me', kind: 'experiment' },
  ...{ given: [1], object: null, code: 'code/0af' },
}
const REPORT = {
  ...{ study: 's1', batch: 'b1', worker: 'w', deliveries: 1, returned: null },
  jobs: [
    { id: 'a', ms: 0.5, outcome: { output: { deep: [null] } } },
    { id: 'b', ms: 0, outcome: { error: ['here', 'it is wrong.', ''] } },
    { id: 'c', ms: 3, outcome: { failed: 'why' } },
  ],
}
const WORKER = {
  ...{ id: 'w1', version: '1', name: 'w', host: 'h', pid: 3, parallel: 2, busy: 1, done: 9 },
  ...{ refused: 0, full: false, allowsCode: true, leaving: false },
}
const CALLER = { study: 's1', version: '1', caller: 'me', ended: false }

type Reader = (data: Uint8Array) => unknown
const MESSAGES: [Reader, Record<string, unknown>][] = [
  [readBatch, BATCH],
  [readDescription, DESCRIPTION],
  [readReport, REPORT],
  [readWorkerNotice, WORKER],
  [readCallerNotice, CALLER],
]

/** Whether it is read, or refused as a foreign message; anything else fails the test. */
function isRead(read: Reader, data: Uint8Array): boolean {
  try {
    read(data)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(ForeignMessage)
    return false
  }
}

describe('messages', () => {
  it('are read as they were written', () => {
    for (const [read, message] of MESSAGES) expect(read(encode(message))).toEqual(message)
    expect(referenceIn(encodeReference('s1/0af'))).toBe('s1/0af')
    expect(referenceIn(encode(BATCH))).toBeNull()
  })

  it('of another protocol are refused, apart from notices, which say their version', () => {
    const results = MESSAGES.map(([read, message]) =>
      isRead(read, encode({ ...message, protocol: 2 })),
    )
    expect(results).toEqual([false, false, false, true, true])
  })

  it('without one of their parts are refused', () => {
    const optional = ['given', 'full', 'allowsCode', 'leaving', 'ended', 'input']
    for (const [read, message] of MESSAGES)
      for (const part of Object.keys(message).filter((name) => !optional.includes(name))) {
        const { [part]: _, ...rest } = message
        expect([part, isRead(read, encode(rest))]).toEqual([part, false])
      }
  })

  it('that are anything else are refused, and never crash', () => {
    const part = fc.anything({ withBigInt: false, maxDepth: 2 })
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(4), part, (bytes, which, value) => {
        const [read, message] = MESSAGES[which]
        isRead(read, bytes)
        const parts = Object.keys(message)
        const name = parts[bytes.length % parts.length]
        isRead(read, encode({ ...message, [name]: value }))
        isRead(referenceIn, bytes)
      }),
    )
  })

  it('cannot bring control characters to a terminal, or subjects of their own', () => {
    const notice = readWorkerNotice(encode({ ...WORKER, name: 'a\u001b[2Jb\u0007' }))
    expect(notice.name).toBe('a [2Jb ')
    for (const study of ['a.b', '*', '>', 'a b', '', 'x'.repeat(201)])
      expect(isRead(readCallerNotice, encode({ ...CALLER, study }))).toBe(false)
  })
})
