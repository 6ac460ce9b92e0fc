import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type NatsServer, startNatsServer } from '../../../test/support/nats-server.ts'
import { ring } from '../../core/networks/ring.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { Random } from '../../core/runtime/random.ts'
import { nats } from '../../nats/transport.ts'
import { memoryNetwork } from './memory.ts'
import { transportThrough } from './stream-transport.ts'
import { Listener, tcpLinks, tcpTransport } from './tcp.ts'
import type { Transport } from './transport.ts'

/** Records frames; refuses those that begin with 255. */
class Notebook {
  readonly received: string[] = []
  readonly down: number[] = []

  constructor(readonly transport: Transport) {}

  open(position: number, n: number): Promise<void> {
    return this.transport.open(
      { schema: 'test', n, position },
      {
        received: (link, bytes) => {
          if (bytes[0] === 255) throw new MalformedBytes('no such thing')
          this.received.push(`${link}:${bytes.join(',')}`)
        },
        down: (link) => this.down.push(link),
      },
    )
  }

  send(link: number, ...bytes: number[]): void {
    this.transport.send(link, Uint8Array.from(bytes))
  }
}

async function tcpRing(n: number): Promise<Transport[]> {
  const free = { host: '127.0.0.1', port: 0 }
  const listeners = await Promise.all(Array.from({ length: n }, () => Listener.at(free)))
  const addresses = listeners.map(({ address }) => address)
  return listeners.map((listener, i) =>
    tcpTransport({ listener, links: tcpLinks(ring(n), i, addresses) }),
  )
}

let server: NatsServer
let clusters = 0

beforeAll(async () => {
  server = await startNatsServer({ jetStream: false })
})

afterAll(() => server.stop())

async function natsRing(n: number): Promise<Transport[]> {
  const cluster = `ring-${clusters++}`
  const transport = nats(server.url, { cluster, secret: 'a secret of this test' })
  const positions = Array.from({ length: n }, (_, i) => i)
  return Promise.all(positions.map((i) => transportThrough(transport, ring(n), i, {})))
}

const OFTEN = { interval: 5, timeout: 4000 }

const open: Notebook[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ transport }) => transport.close()))
})

describe.each([
  ['memory', async (n: number) => memoryNetwork(ring(n))],
  ['memory in random order', async (n: number) => memoryNetwork(ring(n), Random.from(n))],
  ['tcp', tcpRing],
  ['nats', natsRing],
])('a ring by %s', (_name, build) => {
  async function ends(n: number): Promise<Notebook[]> {
    const books = (await build(n)).map((transport) => new Notebook(transport))
    open.push(...books)
    return books
  }

  async function opened(n: number): Promise<Notebook[]> {
    const books = await ends(n)
    await Promise.all(books.map((book, position) => book.open(position, n)))
    return books
  }

  test('each link is bidirectional and FIFO', async () => {
    const [a, b, c] = await opened(3)
    for (let i = 0; i < 100; i++) {
      a.send(0, i)
      b.send(1, i)
      c.send(0, i, i)
    }
    await expect.poll(() => a.received.length + b.received.length, OFTEN).toBe(300)
    const numbers = Array.from({ length: 100 }, (_, i) => i)
    expect(b.received).toEqual(numbers.map((i) => `1:${i}`))
    expect(a.received.filter((note) => note[0] === '0')).toEqual(numbers.map((i) => `0:${i}`))
    expect(a.received.filter((note) => note[0] === '1')).toEqual(numbers.map((i) => `1:${i},${i}`))
    expect(c.received).toEqual([])
  })

  test('a single member is its own neighbour: frames sent left arrive from the right', async () => {
    const [a] = await opened(1)
    a.send(0, 1)
    a.send(1, 2)
    await expect.poll(() => a.received.toSorted(), OFTEN).toEqual(['0:2', '1:1'])
  })

  test('two members have two links', async () => {
    const [a, b] = await opened(2)
    a.send(0, 1)
    a.send(1, 2)
    b.send(0, 3)
    await expect.poll(() => b.received.toSorted(), OFTEN).toEqual(['0:2', '1:1'])
    await expect.poll(() => a.received, OFTEN).toEqual(['1:3'])
  })

  test('frames sent before the neighbour is open arrive later', async () => {
    const [a, b] = await ends(2)
    const opening = a.open(0, 2)
    await b.open(1, 2)
    b.send(0, 1)
    await opening
    a.send(0, 2)
    await expect.poll(() => [...a.received, ...b.received], OFTEN).toEqual(['1:1', '1:2'])
  })

  test('no frame arrives while it is being sent', async () => {
    const [a] = await opened(1)
    a.send(0, 1)
    expect(a.received).toEqual([])
  })

  test('all frames of a member that leaves arrive, then its links go down', async () => {
    const [a, b, c] = await opened(3)
    a.send(0, 7)
    await a.transport.close()
    await a.transport.close()
    await expect.poll(() => [b.down, c.down], OFTEN).toEqual([[1], [0]])
    expect(b.received).toEqual(['1:7'])
    expect(a.down).toEqual([])
    b.send(1, 8)
    c.send(1, 9)
    await expect.poll(() => b.received, OFTEN).toEqual(['1:7', '0:9'])
  })

  test('a refused frame breaks the link at both ends', async () => {
    const [a, b, c] = await opened(3)
    a.send(0, 3)
    b.send(1, 4)
    await expect.poll(() => [...a.received, ...b.received], OFTEN).toEqual(['0:4', '1:3'])
    a.send(0, 255)
    a.send(0, 1)
    await expect.poll(() => [a.down, b.down], OFTEN).toEqual([[0], [1]])
    b.send(0, 2)
    await expect.poll(() => c.received, OFTEN).toEqual(['1:2'])
    expect([b.received, c.down]).toEqual([['1:3'], []])
  })
})
