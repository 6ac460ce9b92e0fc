import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { ring } from '../../core/networks/ring.ts'
import type { Address } from './address.ts'
import { framed } from './framing.ts'
import { type Hello, writeHello } from './handshake.ts'
import { Listener } from './listener.ts'
import { tcpLinks, tcpTransport } from './tcp.ts'

const FREE: Address = { host: '127.0.0.1', port: 0 }
const ZERO = { schema: 'test', n: 2, position: 0, incarnation: 'zero' }
const ONE: Hello = { schema: 'test', n: 2, position: 1, link: 1, incarnation: 'one' }

const OFTEN = { interval: 10, timeout: 4000 }

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Position 0 of two, open; position 1 is played by the test, at both ends of the two links. */
async function played(patience: number) {
  const heard: number[][] = []
  const callees: Socket[] = []
  const server = createServer((socket) => {
    callees.push(socket)
    socket.on('error', () => {})
    socket.resume()
    socket.write(framed(writeHello(ONE)))
  })
  await new Promise<void>((resolve) => server.listen(FREE, resolve))
  cleanups.push(() => {
    for (const socket of callees) socket.destroy()
    server.close()
  })
  const address = { host: FREE.host, port: (server.address() as { port: number }).port }
  const mine = await Listener.at(FREE)
  const links = tcpLinks(ring(2), 0, [mine.address, address])
  const transport = tcpTransport({ listener: mine, links, patience })
  cleanups.push(() => transport.close())
  const received: string[] = []
  const down: string[] = []
  const opening = transport.open(ZERO, {
    received: (link, bytes) => received.push(`${link}:${bytes.join()}`),
    down: (link, why) => down.push(`${link}: ${why}`),
  })
  const call = () => {
    const socket = connect(mine.address)
    socket.on('error', () => {})
    socket.on('data', (bytes) => heard.push([...bytes]))
    cleanups.push(() => {
      socket.destroy()
    })
    socket.write(framed(writeHello({ ...ONE, link: 0 })))
    return socket
  }
  const caller = call()
  await opening
  return { transport, received, down, heard, callees, caller, call }
}

describe('a link that breaks', () => {
  const hello = [...framed(writeHello({ ...ZERO, link: 1 }))]

  test('before a frame was received is connected again, and frames are sent again', async () => {
    const { transport, received, down, heard, caller, call } = await played(5000)
    transport.send(1, Uint8Array.of(7))
    transport.send(1, Uint8Array.of(8, 9))
    const sent = [0, 0, 0, 1, 7, 0, 0, 0, 2, 8, 9]
    await expect.poll(() => heard.flat(), OFTEN).toEqual([...hello, ...sent])
    caller.destroy()
    heard.length = 0
    await expect
      .poll(async () => {
        call().write(framed(Uint8Array.of(5)))
        await sleep(20)
        return received
      }, OFTEN)
      .toEqual(['1:5'])
    await expect.poll(() => heard.flat(), OFTEN).toEqual([...hello, ...sent])
    expect(down).toEqual([])
  })

  test('is connected again by the end that connects', async () => {
    const { transport, received, down, callees } = await played(5000)
    callees[0].destroy()
    await expect.poll(() => callees.length, OFTEN).toBe(2)
    callees[1].write(framed(Uint8Array.of(6)))
    await expect.poll(() => received, OFTEN).toEqual(['0:6'])
    expect(down).toEqual([])
    await transport.close()
  })

  test('is down if it is not connected again in time', async () => {
    const { down, caller } = await played(700)
    caller.resetAndDestroy()
    await expect.poll(() => down, OFTEN).toEqual([expect.stringMatching(/^1: /)])
  })

  test('is down at once after a received frame or a goodbye', async () => {
    const { received, down, caller, callees } = await played(60_000)
    caller.write(framed(Uint8Array.of(5)))
    callees[0].write(framed(new Uint8Array()))
    await expect.poll(() => received, OFTEN).toEqual(['1:5'])
    caller.end()
    callees[0].end()
    const why = 'closed by the other side'
    await expect.poll(() => down.toSorted(), OFTEN).toEqual([`0: ${why}`, `1: ${why}`])
  })
})

test('early frames wait in the network, not in memory', async () => {
  const doors = await Promise.all([0, 1, 2].map(() => Listener.at(FREE)))
  const addresses = doors.map(({ address }) => address)
  const transports = doors.map((listener, i) => {
    const links = tcpLinks(ring(3), i, addresses)
    return tcpTransport({ listener, links, frameLimit: 2000 })
  })
  cleanups.push(...transports.map((transport) => () => transport.close()))
  let received = 0
  const open = (i: number) =>
    transports[i].open(
      { schema: 'test', n: 3, position: i },
      {
        received: () => {
          if (i === 1) received++
        },
        down: () => {},
      },
    )
  const opening = [open(0), open(1)]
  await sleep(100)
  const flood = 5000
  for (let i = 0; i < flood; i++) transports[0].send(0, new Uint8Array(2000))
  await expect.poll(() => received, OFTEN).toBeGreaterThan(0)
  await sleep(100)
  expect(received).toBeLessThan(flood / 10)
  await Promise.all([...opening, open(2)])
  await expect.poll(() => received, OFTEN).toBe(flood)
})
