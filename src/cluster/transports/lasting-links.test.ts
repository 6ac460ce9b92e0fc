import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import {
  electionHello,
  linkFrame,
  type PlayedIdentity,
  playCaller,
  playedServer,
} from '../../../test/support/played-member.ts'
import { complete } from '../../core/networks/complete.ts'
import type { Address } from './address.ts'
import { framed } from './framing.ts'
import { Listener, tcpLinks, tcpTransport } from './tcp.ts'
import type { Transport } from './transport.ts'

const FREE: Address = { host: '127.0.0.1', port: 0 }
const OFTEN = { interval: 5, timeout: 5000 }
const SCHEMA = 'test()\nids 1,2,3'
const ZERO = { schema: SCHEMA, n: 2, position: 0 }

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface End {
  readonly transport: Transport
  readonly events: string[]
  readonly lines: string[]
  readonly opened: Promise<void>
}

/** Opens a member of a complete network; what happens at it is recorded. */
function member(
  position: number,
  listener: Listener,
  addresses: readonly Address[],
  given = {},
): End {
  const [events, lines]: string[][] = [[], []]
  const n = addresses.length
  const links = tcpLinks(complete(n), position, addresses)
  const log = (line: string) => lines.push(line)
  const transport = tcpTransport({ listener, links, lasting: true, patience: 50, log })
  cleanups.push(() => transport.close())
  const opened = transport.open(
    { schema: SCHEMA, n, position, ...given },
    {
      received: (link, bytes) => events.push(`${link}: ${bytes.join()}`),
      down: (link, why) => events.push(`${link} down: ${why}`),
      connected: (link) => events.push(`${link} connected`),
      failed: (error) => events.push(`failed: ${error.message}`),
    },
  )
  opened.catch(() => {})
  return { transport, events, lines, opened }
}

async function listeners(n: number): Promise<Listener[]> {
  return Promise.all(Array.from({ length: n }, () => Listener.at(FREE)))
}

/** Position 0 of two waits for position 1, or connects to it: the other end of its only link. */
const BACK = 1

describe('a lasting link', () => {
  test('that is dropped is connected again by the end that connects', async () => {
    const doors = await listeners(2)
    const addresses = doors.map(({ address }) => address)
    const [a, b] = doors.map((door, i) => member(i, door, addresses))
    await Promise.all([a.opened, b.opened])
    for (const one of [a, b]) {
      const seen = [a, b].map(({ events }) => events.filter((e) => e.endsWith('connected')).length)
      one.transport.drop(BACK, 'silent')
      one.transport.drop(BACK, 'silent twice')
      expect(one.events.at(-1)).toBe(`${BACK} down: silent`)
      await expect
        .poll(
          () => [a, b].map(({ events }) => events.filter((e) => e.endsWith('connected')).length),
          OFTEN,
        )
        .toEqual(seen.map((count) => count + 1))
      a.transport.send(BACK, Uint8Array.of(7))
      await expect.poll(() => b.events.at(-1), OFTEN).toBe(`${BACK}: 7`)
    }
  })
})

/** Two members, of which the test plays the one that calls the other. */
async function called(given = {}) {
  const [door, gone] = await listeners(2)
  await gone.close()
  const end = member(1, door, [gone.address, door.address], given)
  await end.opened
  const call = (incarnation: string, changes: Partial<PlayedIdentity> = {}) => {
    const caller = playCaller(door.address, { ...ZERO, incarnation, ...changes })
    cleanups.push(() => {
      caller.socket.destroy()
    })
    return caller
  }
  return { ...end, call, door }
}

describe('a connection', () => {
  test('stays as long as its process answers, and then gives way to that of another', async () => {
    const { call, events } = await called()
    const first = call('first')
    first.answers = true
    await expect.poll(() => events.at(-1), OFTEN).toBe(`${BACK} connected`)
    const second = call('second')
    await expect
      .poll(() => second.refusals, OFTEN)
      .toEqual([
        expect.stringMatching(/^a second process uses the name "position-0", from .*stays$/),
      ])
    expect(events.at(-1)).toBe(`${BACK} connected`)
    first.answers = false
    const third = call('third')
    await expect.poll(() => first.socket.closed, OFTEN).toBe(true)
    expect(events.slice(-2)).toEqual([
      `${BACK} down: it does not answer, and a newer process has its name`,
      `${BACK} connected`,
    ])
    third.socket.write(linkFrame(BACK, 5))
    await expect.poll(() => events.at(-1), OFTEN).toBe(`${BACK}: 5`)
    third.socket.destroy()
    await expect.poll(() => events.at(-1), OFTEN).toContain('down')
    call('first')
    await expect.poll(() => events.at(-1), OFTEN).toBe(`${BACK} connected`)
  })

  test('is replaced by a later one of the same process, as often as it calls', async () => {
    const { call, events } = await called()
    for (let i = 1; i < 4; i++) {
      call('same')
      await expect
        .poll(() => events.filter((event) => event.endsWith('connected')).length, OFTEN)
        .toBe(i)
    }
  })

  test('that does not read is closed before much waits for it', async () => {
    const { call, events, transport } = await called()
    const { socket } = call('deaf')
    await expect.poll(() => events.at(-1), OFTEN).toBe(`${BACK} connected`)
    socket.pause()
    let sent = 0
    while (!events.at(-1)!.includes('down') && sent < 200) {
      transport.send(BACK, new Uint8Array(2 ** 19))
      sent++
      await sleep(1)
    }
    expect(events.at(-1)).toMatch(/down: it does not read what is sent to it$/)
  })
})

describe('a difference in the configuration', () => {
  const OTHER = 'test()\nids 3,2,1'
  const WHY = 'the settings differ: ids 3,2,1 there, ids 1,2,3 here'
  const TOLD = 'the settings differ: ids 1,2,3 there, ids 3,2,1 here'

  test('with a process that calls is refused on both sides, and counted', async () => {
    const { call, events, lines } = await called()
    const before = [...events]
    for (let i = 0; i < 5; i++) {
      const { refusals, socket } = call('other', { schema: OTHER })
      await expect.poll(() => socket.closed, OFTEN).toBe(true)
      expect(refusals).toEqual([TOLD])
    }
    expect(lines.filter((line) => !line.startsWith('waiting'))).toEqual([
      expect.stringMatching(new RegExp(`^connection from .* refused: ${WHY}$`)),
    ])
    expect(events).toEqual(before)
  })

  test('ends a member that connects and has had no working link, even once open', async () => {
    const [door, hidden] = await listeners(2)
    await hidden.close()
    const end = member(0, door, [door.address, hidden.address])
    await end.opened
    const other = framed(electionHello({ schema: OTHER, n: 2, position: 1 }))
    const server = await playedServer(hidden.address, (socket) => socket.write(other))
    cleanups.push(server.close)
    await expect.poll(() => end.events.at(-1), OFTEN).toContain(`failed: position 1 at`)
    expect(end.events.at(-1)).toContain(WHY)
  })

  test('ends a member that was called, if those at its given addresses have it too', async () => {
    const doors = await listeners(4)
    const addresses = doors.map(({ address }) => address)
    await doors[3].close()
    const right = [0, 1].map((i) => member(i, doors[i], addresses.slice(0, 3)))
    await Promise.all(right.map(({ opened }) => opened))
    // With one address too many it connects to none of them, and has to ask back who is wrong.
    const wrong = member(2, doors[2], addresses)
    const ends: string[] = []
    wrong.opened.catch((error: Error) => ends.push(`failed: ${error.message}`))
    await expect
      .poll(() => [...ends, ...wrong.events].join(), OFTEN)
      .toMatch(/failed: .*the number of members is 3 there and 4 here/)
  })

  test('refuses one neighbour and keeps those that agree', async () => {
    const doors = await listeners(3)
    const addresses = doors.map(({ address }) => address)
    const [a, b] = [0, 1].map((i) => member(i, doors[i], addresses))
    await Promise.all([a.opened, b.opened])
    for (const { events } of [a, b])
      await expect.poll(() => events.join(), OFTEN).toContain('connected')
    const odd = member(2, doors[2], addresses, { schema: OTHER })
    const rejected = await odd.opened.then(
      () => [],
      (error: Error) => [`failed: ${error.message}`],
    )
    await expect.poll(() => [...odd.events, ...rejected].join(), OFTEN).toContain('failed: ')
    expect([...a.lines, ...b.lines].join('\n')).toContain('the settings differ')
    a.transport.send(1, Uint8Array.of(1))
    b.transport.send(1, Uint8Array.of(2))
    await sleep(20)
    const heard = [...a.events, ...b.events].filter((event) => /^\d: [12]$/.test(event))
    expect(heard.length).toBeGreaterThan(0)
    expect([...a.events, ...b.events].join()).not.toContain('failed')
  })
})
