import { once } from 'node:events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MemoryServer } from '../../../test/support/memory-bus.ts'
import { NatsEndpoint } from './nats-endpoint.ts'
import type { NatsStream } from './nats-stream.ts'

const SECRET = 'a secret of this test'

let server: MemoryServer
const endpoints: NatsEndpoint[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  server = new MemoryServer()
})

afterEach(async () => {
  await closeAll()
  vi.useRealTimers()
})

async function closeAll(): Promise<void> {
  const closing = endpoints.splice(0).map((endpoint) => endpoint.close())
  await vi.advanceTimersByTimeAsync(3000)
  await Promise.all(closing)
}

/** A member that keeps what it was sent. */
class Listening {
  readonly streams: NatsStream[] = []
  readonly lines: string[] = []
  readonly endpoint: NatsEndpoint
  received = ''

  constructor(member: string, given: { secret?: string; cluster?: string; reads?: boolean } = {}) {
    const { secret = SECRET, cluster = 'test', reads = true } = given
    const options = { cluster, member, secret, accepts: true, through: 'memory' }
    this.endpoint = new NatsEndpoint(server.bus(), options)
    endpoints.push(this.endpoint)
    this.endpoint.accept(
      (stream) => {
        this.streams.push(stream)
        if (reads) stream.on('data', (bytes) => this.hear(bytes))
      },
      (line) => this.lines.push(line),
    )
  }

  hear(bytes: Buffer): void {
    this.received += bytes.toString('latin1')
  }
}

/** What becomes of a stream: its error, and that it was closed. */
function fate(stream: NatsStream): string[] {
  const events: string[] = []
  stream.on('error', (error) => events.push(error.message))
  stream.on('end', () => events.push('end'))
  stream.on('close', () => events.push('close'))
  return events
}

const soon = () => vi.advanceTimersByTimeAsync(1)
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(1000 * seconds)

async function pair() {
  const [a, b] = [new Listening('a'), new Listening('b')]
  const stream = a.endpoint.dial('b')
  stream.on('data', (bytes) => a.hear(bytes))
  await once(stream, 'connect')
  await soon()
  return { a, b, stream, there: b.streams[0] }
}

/** Messages to a member that carry data, as they were published. */
const dataTo = (member: string) =>
  server.published.filter(({ subject, data }) => subject.includes(`.${member}.`) && data[0] === 4)

describe('a stream over messages', () => {
  it('carries bytes in both directions and in order, whatever their number', async () => {
    server = new MemoryServer(1024)
    const { a, b, stream, there } = await pair()
    const text = Array.from({ length: 40_000 }, (_, i) => `${i} `).join('')
    stream.write(text, 'latin1')
    there.write('hello')
    await vi.waitFor(() => expect(b.received.length).toBe(text.length))
    expect(b.received).toBe(text)
    expect(a.received).toBe('hello')
    expect(dataTo('b').every(({ data }) => data.length <= 1024)).toBe(true)
  })

  it('ends at both sides when one side ends it, after its last bytes', async () => {
    const { b, stream, there } = await pair()
    const [here, other] = [fate(stream), fate(there)]
    stream.end('goodbye')
    await soon()
    expect(b.received).toBe('goodbye')
    expect(other).toEqual(['end', 'close'])
    expect(here).toEqual(['end', 'close'])
  })

  it('breaks at both sides when one side destroys it', async () => {
    const { stream, there } = await pair()
    const [here, other] = [fate(stream), fate(there)]
    stream.destroy()
    await soon()
    expect([here, other]).toEqual([['close'], ['close']])
  })

  it('sends no more than a window to who does not read, and goes on when it reads', async () => {
    const a = new Listening('a')
    const b = new Listening('b', { reads: false })
    const stream = a.endpoint.dial('b')
    await once(stream, 'connect')
    const text = 'x'.repeat(600_000)
    let written = false
    stream.write(text, () => {
      written = true
    })
    await pass(2)
    const bytes = () => dataTo('b').reduce((sum, { data }) => sum + data.length, 0)
    expect(bytes()).toBeGreaterThan(2 ** 18)
    expect(bytes()).toBeLessThan(2 ** 18 + 2 ** 12)
    expect(written).toBe(false)
    expect(stream.writableLength).toBe(text.length)
    b.streams[0].on('data', (data) => b.hear(data))
    await vi.waitFor(() => expect(b.received.length).toBe(text.length))
    expect(written).toBe(true)
  })

  it('delivers a beginning of what was sent, whatever is lost, repeated or swapped', async () => {
    const fault = fc.constantFrom('pass', 'pass', 'pass', 'drop', 'twice', 'late')
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { maxLength: 12 }), async (faults) => {
        server = new MemoryServer()
        const { b, stream, there } = await pair()
        const events = fate(there)
        const plan = [...faults]
        let held: Parameters<typeof server.interfere>[0][] = []
        server.interfere = (message) => {
          const next = message.data[0] === 4 ? (plan.shift() ?? 'pass') : 'pass'
          if (next === 'drop') return []
          if (next === 'late') {
            held.push(message)
            return []
          }
          const before = held
          held = []
          return next === 'twice' ? [message, message, ...before] : [message, ...before]
        }
        for (let i = 0; i < 12; i++) {
          stream.write(String.fromCharCode(97 + i))
          await soon()
        }
        await pass(5)
        expect('abcdefghijkl'.startsWith(b.received)).toBe(true)
        const harmed = faults.some((one) => one === 'drop' || one === 'late')
        expect(b.received.length === 12).toBe(!harmed)
        if (harmed) expect(events).toEqual(['messages were lost on the way', 'close'])
        expect(stream.destroyed).toBe(harmed)
        await closeAll()
      }),
      { numRuns: process.env.LONG_TESTS ? 300 : 15 },
    )
  })

  it('is found broken when its last message was lost, or when nothing comes any more', async () => {
    const first = await pair()
    server.interfere = (message) => (message.data[0] === 4 ? [] : [message])
    const lost = fate(first.there)
    first.stream.write('lost')
    await pass(4)
    expect(lost).toEqual(['messages were lost on the way', 'close'])
    server.interfere = (message) => [message]
    const second = await pair()
    const silent = fate(second.stream)
    server.interfere = () => []
    await pass(29)
    expect(silent).toEqual([])
    await pass(3)
    expect(silent).toEqual(['silent for 30 s', 'close'])
  })

  it('lasts while nothing is said', async () => {
    const { b, stream } = await pair()
    const events = fate(stream)
    await pass(120)
    stream.write('still there')
    await soon()
    expect([events, b.received]).toEqual([[], 'still there'])
  })

  it('breaks with the connection to the server, and can be dialled again', async () => {
    const { a, b, stream, there } = await pair()
    const [here, other] = [fate(stream), fate(there)]
    server.restart()
    await soon()
    expect(here).toEqual(['lost the connection to NATS', 'close'])
    expect(other).toEqual(here)
    const again = a.endpoint.dial('b')
    await once(again, 'connect')
    again.write('again')
    await soon()
    expect(b.received).toBe('again')
  })

  it('breaks soon after the process of the other side is gone', async () => {
    const { b, stream } = await pair()
    const events = fate(stream)
    const bus = (b.endpoint as unknown as { bus: { close(): Promise<void> } }).bus
    await bus.close()
    stream.write('anybody?')
    await pass(1)
    expect(events).toEqual(['its process is gone', 'close'])
  })
})

describe('who is dialled', () => {
  it('may not be there', async () => {
    const a = new Listening('a')
    const events = fate(a.endpoint.dial('nobody'))
    await pass(1)
    expect(events).toEqual(['nobody of that name is there', 'close'])
  })

  it('may be this member itself', async () => {
    const a = new Listening('a')
    const stream = a.endpoint.dial('a')
    await once(stream, 'connect')
    stream.write('to myself')
    await soon()
    expect(a.received).toBe('to myself')
  })

  it('may have a name with dots, and is not taken for another one', async () => {
    const [, b, bc] = [new Listening('a'), new Listening('b'), new Listening('b.c')]
    const other = new Listening('b', { cluster: 'test.b' })
    for (const name of ['b', 'b.c']) await once(endpoints[0].dial(name), 'connect')
    await soon()
    expect([b, bc, other].map(({ streams }) => streams.length)).toEqual([1, 1, 0])
  })

  it('may be two processes under one name: one of them gets the stream', async () => {
    const a = new Listening('a')
    const twins = [new Listening('b'), new Listening('b')]
    const stream = a.endpoint.dial('b')
    await once(stream, 'connect')
    stream.write('to one of you')
    await pass(10)
    expect(twins.map(({ received }) => received).toSorted()).toEqual(['', 'to one of you'])
    expect(stream.destroyed).toBe(false)
  })

  it('may have another secret: both are told', async () => {
    const [a, b] = [new Listening('a'), new Listening('b', { secret: 'another secret of it' })]
    const events = fate(a.endpoint.dial('b'))
    await pass(1)
    expect(events).toEqual(['it refuses: "its secret is not that of this member"', 'close'])
    expect(b.lines).toEqual(['a message of "a" was refused: its secret is another one'])
    expect(b.streams).toEqual([])
  })
})

describe('strangers on the subjects', () => {
  it('break no stream and get none, whatever they send', async () => {
    const { a, b, stream, there } = await pair()
    stream.write('first')
    await soon()
    const [here, other] = [fate(stream), fate(there)]
    const recorded = [...server.published]
    // Replays of everything, also to other subjects, and all with one byte changed.
    for (const { subject, data, reply } of recorded) {
      const changed = data.map((byte, i) => (i === Math.floor(data.length / 2) ? byte ^ 1 : byte))
      for (const to of new Set(recorded.map((one) => one.subject)))
        for (const bytes of [data, changed]) server.publish(to, bytes, reply)
      server.publish(subject, new Uint8Array())
      server.publish(subject, data.subarray(0, 5))
    }
    await pass(1)
    stream.write(' second')
    there.write('answer')
    await pass(10)
    expect([here, other]).toEqual([[], []])
    expect([b.received, a.received]).toEqual(['first second', 'answer'])
    expect(b.streams).toHaveLength(1)
    expect(b.endpoint.refusals).toBeGreaterThan(10)
  })

  it('that pretend that a member is gone do not part two members', async () => {
    const { stream, there } = await pair()
    const [here, other] = [fate(stream), fate(there)]
    const own = server.published.at(-1)!.reply
    const bus = server as unknown as { clients: Set<{ receive(message: object): boolean }> }
    for (const client of bus.clients)
      client.receive({ subject: own, data: new Uint8Array(), undelivered: true })
    await pass(5)
    expect([here, other]).toEqual([[], []])
  })

  it('that ask for streams without end use up a bounded number', async () => {
    const { b } = await pair()
    const open = server.published[0]
    for (let i = 0; i < 2000; i++) server.publish(open.subject, open.data)
    await soon()
    const { streams } = b.endpoint as unknown as { streams: Map<string, NatsStream> }
    expect(streams.size).toBeLessThan(300)
    await pass(10)
    expect(streams.size).toBe(1)
  })
})
