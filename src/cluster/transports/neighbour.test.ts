import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import {
  linkFrame,
  type PlayedEnd,
  playCallee,
  playCaller,
  playedServer,
} from '../../../test/support/played-member.ts'
import { ring } from '../../core/networks/ring.ts'
import type { Address } from './address.ts'
import { framed } from './framing.ts'
import { Listener, tcpLinks, tcpTransport } from './tcp.ts'

const FREE: Address = { host: '127.0.0.1', port: 0 }
const ZERO = { schema: 'test', n: 2, position: 0, incarnation: 'zero' }
const ONE = { schema: 'test', n: 2, position: 1, incarnation: 'one' }

const OFTEN = { interval: 10, timeout: 4000 }

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Position 0 of two, open; position 1 is played by the test, and is called. */
async function played(patience: number) {
  const callees: PlayedEnd[] = []
  const server = await playedServer(FREE, (socket: Socket) => callees.push(playCallee(socket, ONE)))
  cleanups.push(server.close)
  const mine = await Listener.at(FREE)
  const links = tcpLinks(ring(2), 0, [mine.address, server.address])
  const transport = tcpTransport({ listener: mine, links, patience })
  cleanups.push(() => transport.close())
  const received: string[] = []
  const down: string[] = []
  await transport.open(ZERO, {
    received: (link, bytes) => received.push(`${link}:${bytes.join()}`),
    down: (link, why) => down.push(`${link}: ${why}`),
  })
  const call = () => {
    const end = playCaller(mine.address, ONE)
    cleanups.push(() => {
      end.socket.destroy()
    })
    return end
  }
  return { transport, received, down, server, callees, call }
}

describe('a link that breaks', () => {
  test('before a frame was received is connected again, and frames are sent again', async () => {
    const { transport, received, down, callees, call } = await played(5000)
    transport.send(1, Uint8Array.of(7))
    transport.send(0, Uint8Array.of(8, 9))
    const sent = ['0: 7', '1: 8,9']
    await expect.poll(() => callees[0].frames, OFTEN).toEqual(sent)
    callees[0].socket.destroy()
    const caller = call()
    await expect.poll(() => [...(callees[1]?.frames ?? []), ...caller.frames], OFTEN).toEqual(sent)
    const end = caller.welcomed ? caller : callees[1]
    end.socket.write(linkFrame(1, 5))
    await expect.poll(() => received, OFTEN).toEqual(['1:5'])
    expect(down).toEqual([])
  })

  test('is connected again by the end that connects', async () => {
    const { transport, received, down, callees } = await played(5000)
    callees[0].socket.destroy()
    await expect.poll(() => callees[1]?.welcomed, OFTEN).toBe(true)
    callees[1].socket.write(linkFrame(0, 6))
    await expect.poll(() => received, OFTEN).toEqual(['0:6'])
    expect(down).toEqual([])
    await transport.close()
  })

  test('is down if it is not connected again in time', async () => {
    const { down, server } = await played(700)
    server.close()
    const lost = [expect.stringMatching(/^0: /), expect.stringMatching(/^1: /)]
    await expect.poll(() => down.toSorted(), OFTEN).toEqual(lost)
  })

  test('is down at once after a received frame or a goodbye', async () => {
    for (const last of [linkFrame(1, 5), framed(Uint8Array.of(1))]) {
      const { received, down, callees } = await played(60_000)
      callees[0].socket.end(last)
      const why = 'closed by the other side'
      await expect.poll(() => down.toSorted(), OFTEN).toEqual([`0: ${why}`, `1: ${why}`])
      expect(received).toEqual(last.length > 5 ? ['1:5'] : [])
    }
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
