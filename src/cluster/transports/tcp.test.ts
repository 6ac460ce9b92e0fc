import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import {
  electionHello,
  type PlayedIdentity,
  playedServer,
} from '../../../test/support/played-member.ts'
import { lcr } from '../../algorithms/ring/lcr.ts'
import { ring } from '../../core/networks/ring.ts'
import { UsageError } from '../../core/usage-error.ts'
import { Member } from '../member.ts'
import type { Address } from './address.ts'
import { framed } from './framing.ts'
import { Listener, type TcpOptions, tcpLinks, tcpTransport } from './tcp.ts'

const FREE: Address = { host: '127.0.0.1', port: 0 }
const OFTEN = { interval: 10, timeout: 4000 }

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function memberAt(
  position: number,
  listener: Listener,
  addresses: readonly Address[],
  options: Partial<TcpOptions> = {},
): { member: Member; lines: string[] } {
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const n = addresses.length
  const links = tcpLinks(ring(n), position, addresses)
  const transport = tcpTransport({ listener, links, log, ...options })
  const member = new Member({ algorithm: lcr, position, n, id: position + 1, transport, log })
  cleanups.push(() => member.close())
  return { member, lines }
}

async function listeners(n: number): Promise<Listener[]> {
  const made = await Promise.all(Array.from({ length: n }, () => Listener.at(FREE)))
  cleanups.push(...made.map((listener) => () => listener.close()))
  return made
}

/** A server that is not a member. */
async function impostor(talk: (socket: Socket) => void): Promise<Address> {
  const { address, close } = await playedServer(FREE, talk)
  cleanups.push(close)
  return address
}

/** Opens position 0 of two whose neighbour is played by the test. */
async function facing(
  neighbour: Address,
  options: Partial<TcpOptions> = {},
): Promise<{ failure: unknown; lines: string[] }> {
  const [mine] = await listeners(1)
  const { member, lines } = memberAt(0, mine, [mine.address, neighbour], options)
  const failure = await member.open().then(
    () => null,
    (error: unknown) => error,
  )
  return { failure, lines }
}

const expected: PlayedIdentity = { schema: lcr.schema, n: 2, position: 1 }

function greeting(given: Partial<PlayedIdentity>): (socket: Socket) => void {
  return (socket) => socket.write(framed(electionHello({ ...expected, ...given })))
}

function otherVersion(socket: Socket): void {
  const hello = electionHello(expected, { protocol: { lowest: 9, highest: 9 } })
  socket.write(framed(Uint8Array.of(...hello, 1, 2, 3)))
}

const ANOTHER = 'this member belongs to another election: '
const ALIKE = 'Start all members with the same network, algorithm and settings.'

describe('connecting to a neighbour', () => {
  test.each([
    [
      'version',
      otherVersion,
      'the range of protocol versions is "9 to 9" at "position-1" and "4 to 4" at "position-0".' +
        ' Stop all members, and start all with the same release.',
    ],
    [
      'algorithm',
      greeting({ schema: 'other()' }),
      `${ANOTHER}the algorithm is "other()" there and "${lcr.schema}" here. ${ALIKE}`,
    ],
    ['size', greeting({ n: 5 }), `${ANOTHER}the number of members is 5 there and 2 here. ${ALIKE}`],
    [
      'position',
      greeting({ position: 7 }),
      `${ANOTHER}"position-7" answers where "position-1" was expected. ${ALIKE}`,
    ],
  ])('with another %s fails at once', async (_what, talk, why) => {
    const address = await impostor(talk)
    const { failure, lines } = await facing(address)
    expect(failure).toBeInstanceOf(UsageError)
    const place = `position 1 at 127.0.0.1:${address.port}`
    expect((failure as Error).message).toBe(`${place}: ${why}`)
    expect(lines).toEqual([])
  })

  test.each([
    ['talks about something else', (s: Socket) => s.write('HTTP/1.1 400\r\n'), 'exceeds the limit'],
    [
      'is no member',
      (s: Socket) => s.write(framed(Uint8Array.of(1, 2))),
      'not the handshake of a member',
    ],
    ['hangs up', (s: Socket) => s.destroy(), 'closed by the other side'],
    ['resets', (s: Socket) => s.resetAndDestroy(), ''],
    ['says nothing', () => {}, 'no handshake within 500 ms'],
  ])('that %s is tried again, until patience ends', async (_what, talk, why) => {
    let calls = 0
    const address = await impostor((socket) => {
      calls++
      talk(socket)
    })
    const { failure, lines } = await facing(address, { patience: 1500, connectWithin: 250 })
    expect(failure).toBeInstanceOf(UsageError)
    expect((failure as Error).message).toMatch(/^position 0: gave up after 1.5 s: position 1 at /)
    expect((failure as Error).message).toContain(why)
    expect(calls).toBeGreaterThan(1)
    expect(lines[0]).toContain(`waiting for position 1 at 127.0.0.1:${address.port}: `)
  })

  test('fails with a hint if the connection is refused', async () => {
    const [gone] = await listeners(1)
    await gone.close()
    const { failure, lines } = await facing(gone.address, { patience: 150 })
    const place = `127.0.0.1:${gone.address.port}`
    expect((failure as Error).message).toBe(
      `position 0: gave up after 0.15 s: position 1 at ${place} did not answer ` +
        '(connection refused). Start the missing members, or wait longer.',
    )
    expect(lines).toEqual([`waiting for position 1 at ${place}: connection refused`])
  })

  test('succeeds as soon as it listens', async () => {
    const doors = await listeners(2)
    const addresses = doors.map(({ address }) => address)
    const [first, second] = doors.map((door, i) => memberAt(i, door, addresses))
    const opening = first.member.open()
    const called = connect(addresses[1])
    await once(called, 'connect')
    called.destroy()
    await second.member.open()
    await opening
    expect(first.lines).toEqual([])
    expect(await Promise.all([first.member.ended, second.member.ended])).toEqual(['quiet', 'quiet'])
  })

  test('can be cancelled', async () => {
    const address = await impostor(() => {})
    const [mine] = await listeners(1)
    const { member } = memberAt(0, mine, [mine.address, address])
    const opening = member.open()
    const failed = expect(opening).rejects.toThrow('closed before all links were connected')
    await member.close()
    await failed
    expect(await member.ended).toBe('closed')
  })
})

describe('listening', () => {
  test('on a used port is refused', async () => {
    const [taken] = await listeners(1)
    await expect(Listener.at(taken.address)).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${taken.address.port}: another process listens there. ` +
        'Stop that process, or choose another port.',
    )
  })

  test('on an address of another machine is refused', async () => {
    await expect(Listener.at({ host: '192.0.2.1', port: 0 })).rejects.toThrow(
      'not an address of this machine',
    )
  })
})

describe('all handles are closed', () => {
  const held = () =>
    process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|Immediate/.test(name)).length

  test('when an election is over', async () => {
    const before = held()
    const doors = await listeners(3)
    const addresses = doors.map(({ address }) => address)
    const members = doors.map((door, i) => memberAt(i, door, addresses).member)
    await Promise.all(members.map((member) => member.open()))
    expect(held()).toBeGreaterThan(before)
    await Promise.all(members.map((member) => member.ended))
    expect(held()).toBeLessThanOrEqual(before)
  })

  test('when it is closed while others connect', async () => {
    const before = held()
    const doors = await listeners(3)
    const addresses = doors.map(({ address }) => address)
    const { member, lines } = memberAt(0, doors[0], addresses)
    const opening = member.open().catch(() => {})
    const stranger = connect(addresses[0])
    const gone = new Promise((resolve) => stranger.on('error', resolve).on('close', resolve))
    await once(stranger, 'connect')
    expect(lines).toEqual([])
    expect(held()).toBeGreaterThan(before)
    await member.close()
    await Promise.all([opening, gone, doors[1].close(), doors[2].close()])
    // A closed handle disappears one turn of the event loop later.
    await sleep(1)
    expect(held()).toBeLessThanOrEqual(before)
  })
})

test('a frame beyond the limit is not sent', async () => {
  const [door] = await listeners(1)
  const links = tcpLinks(ring(1), 0, [door.address])
  const transport = tcpTransport({ listener: door, links, frameLimit: 10 })
  cleanups.push(() => transport.close())
  const received: number[] = []
  await transport.open(
    { schema: 'test', n: 1, position: 0 },
    { received: (_link, bytes) => received.push(bytes.length), down: () => {} },
  )
  transport.send(0, new Uint8Array(10))
  expect(() => transport.send(0, new Uint8Array(11))).toThrow('11 bytes exceeds the limit of 10')
  await expect.poll(() => received, OFTEN).toEqual([10])
})
