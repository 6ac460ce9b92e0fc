import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { sample } from '../../../test/support/campaign.ts'
import {
  electionHello,
  impatientHandshake,
  type PlayedIdentity,
} from '../../../test/support/played-member.ts'
import { lcr } from '../../algorithms/ring/lcr.ts'
import { ring } from '../../core/networks/ring.ts'
import { Random } from '../../core/runtime/random.ts'
import { Member } from '../member.ts'
import type { Address } from './address.ts'
import { framed } from './framing.ts'
import { Listener, tcpLinks, tcpTransport } from './tcp.ts'

/** The ring under attack; position 0 waits for position 2. */
const IDS = [4, 9, 6]
const HONEST: PlayedIdentity = { schema: lcr.schema, n: 3, position: 2 }

const OFTEN = { interval: 10, timeout: 4000 }

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Target {
  readonly member: Member
  readonly address: Address
  readonly lines: string[]
}

/** The members of a ring; `late` makes the last one, at whose address nobody listens before. */
async function targets(special: { stay?: boolean } = {}) {
  const doors = await Promise.all(IDS.map(() => Listener.at({ host: '127.0.0.1', port: 0 })))
  const addresses = doors.map(({ address }) => address)
  await doors[2].close()
  const target = (position: number, listener: Listener): Target => {
    const lines: string[] = []
    const log = (line: string) => {
      if (!line.endsWith('connection refused')) lines.push(line)
    }
    const links = tcpLinks(ring(IDS.length), position, addresses)
    const transport = tcpTransport({ listener, links, log, connectWithin: 600 })
    const told = { algorithm: lcr, position, n: IDS.length, id: IDS[position], ...special }
    const member = new Member({ ...told, transport, log })
    cleanups.push(() => member.close())
    return { member, address: listener.address, lines }
  }
  const [first, second] = [0, 1].map((position) => target(position, doors[position]))
  const opening = [first.member.open(), second.member.open()]
  for (const open of opening) open.catch(() => {})
  const late = async () => {
    const third = target(2, await Listener.at(addresses[2]))
    await Promise.all([...opening, third.member.open()])
    return third
  }
  return { first, second, late }
}

/** Resolves when the connection is closed. */
async function attack({ address }: Target, act: (socket: Socket) => void): Promise<void> {
  const socket = connect({ ...address, allowHalfOpen: true })
  cleanups.push(() => {
    socket.destroy()
  })
  socket.on('error', () => {})
  socket.on('end', () => socket.destroy())
  socket.resume()
  socket.once('connect', () => act(socket))
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
}

function hello(different: Partial<PlayedIdentity> = {}): Uint8Array {
  return framed(electionHello({ ...HONEST, ...different }))
}

function otherVersion(): Uint8Array {
  return framed(electionHello(HONEST, { protocol: { lowest: 9, highest: 9 } }))
}

/** All that an honest member says before the other one may answer. */
const inside = impatientHandshake(HONEST)

function noise(seed: number): Uint8Array {
  const random = Random.from(seed)
  return Uint8Array.from({ length: 64 }, () => random.below(256))
}

const write =
  (...parts: Uint8Array[]) =>
  (socket: Socket) => {
    for (const part of parts) socket.write(part)
  }

/** A frame of the link of position 0 to position 2. */
const framedInside = (bytes: Uint8Array) => framed(Uint8Array.of(2, ...bytes))

/** A valid message. */
const LIE = framedInside(Uint8Array.of(0, 99))

const HUGE = Uint8Array.of(255, 255, 255, 255)

/** Name, attack, and the line in the log; one that says nothing is only counted. */
const attacks: [string, (socket: Socket) => void, RegExp | null][] = [
  ['random bytes', write(noise(1)), /^connection from .* refused: .* exceeds the limit of 16384$/],
  [
    'other random bytes',
    write(noise(2)),
    /^connection from .* refused: .* exceeds the limit of 16384$/,
  ],
  ['a huge length', write(HUGE), /a frame of 4294967295 bytes exceeds the limit of 16384/],
  ['a farewell', write(new Uint8Array(4)), /not the handshake of a member/],
  ['no handshake', write(framed(noise(3))), /refused: not the handshake of a member$/],
  ['a web browser', (socket) => socket.write('GET / HTTP/1.1\r\n\r\n'), /exceeds the limit/],
  ['half a handshake', (socket) => socket.end(hello().subarray(0, 20)), /in the middle of a frame/],
  ['a handshake too short', write(framed(electionHello(HONEST).subarray(0, 30))), /bytes too few/],
  [
    'a handshake too long',
    write(framed(Uint8Array.of(...electionHello(HONEST), 0))),
    /bytes too many/,
  ],
  ['silence', () => {}, /refused: no handshake within 1200 ms$/],
  ['a half-open silence', (socket) => socket.end(), null],
  ['a reset', (socket) => socket.resetAndDestroy(), null],
  ['a trickle', trickle, /no handshake within 1200 ms/],
  [
    'another version',
    write(otherVersion()),
    /range of protocol versions is "9 to 9" at .*: stop all members, and start all/,
  ],
  ['another size', write(hello({ n: 4 })), /the number of members is 4 there and 3 here/],
  [
    'another algorithm',
    write(hello({ schema: `evil\u001b[2J${'x'.repeat(5000)}` })),
    /refused: the algorithm is "evil\\u001b\[2Jx+\.\.\. there and "lcr\(.*\)" here$/,
  ],
  [
    'a stranger',
    write(impatientHandshake({ ...HONEST, position: 5 })),
    /position-5 is not a neighbour/,
  ],
]

/** Attacks after a handshake. */
const attacksInside: [string, (socket: Socket) => void, RegExp][] = [
  [
    'garbage',
    write(inside, framedInside(noise(4))),
    /^waiting for position 2 at \S+: unknown kind of frame: \d+$/,
  ],
  [
    'a lie and garbage',
    write(Buffer.concat([inside, LIE, framedInside(noise(4))])),
    /unknown kind/,
  ],
  [
    'garbage at once',
    write(Buffer.concat([inside, framedInside(noise(4))])),
    /^waiting for position 2 at \S+: unk/,
  ],
  ['a huge length', write(inside, HUGE), /: a frame of .* exceeds the limit of 1048580$/],
  [
    'half a message',
    write(inside, framedInside(Uint8Array.of(0, 128))),
    /^waiting .* 1 bytes too few$/,
  ],
  [
    'a message and a half',
    write(inside, framedInside(Uint8Array.of(0, 1, 1))),
    /1 bytes too many$/,
  ],
  ['half a frame', (s) => s.end(Buffer.concat([inside, HUGE.subarray(2)])), /middle of a frame$/],
]

function trickle(socket: Socket): void {
  const bytes = hello()
  let sent = 0
  const timer = setInterval(() => {
    if (sent < bytes.length) socket.write(bytes.subarray(sent, ++sent))
  }, 20)
  socket.once('close', () => clearInterval(timer))
}

async function expectElection(members: readonly Member[]): Promise<void> {
  expect(await Promise.all(members.map(({ ended }) => ended))).toEqual(IDS.map(() => 'quiet'))
  expect(members.map(({ outcome }) => outcome.leader)).toEqual(IDS.map(() => 9))
  const totals = members.map(({ counts }) => counts.byType)
  expect(totals.reduce((sum, { election }) => sum + election, 0)).toBe(1 + 3 + 2)
  expect(totals.reduce((sum, { leader }) => sum + leader, 0)).toBe(3)
}

const afterwards = attacksInside.map(
  ([name, ...rest]) => [`after a handshake, ${name}`, ...rest] as const,
)

test.each([...sample(attacks, 3), ...sample(afterwards, 3)])(
  'a ring that waits survives %s, logs it in one line, and elects',
  async (_name, act, told) => {
    const { first, second, late } = await targets()
    await attack(first, act)
    const lines = told === null ? 0 : 1
    await expect.poll(() => first.lines, OFTEN).toHaveLength(lines)
    if (told !== null) expect(first.lines[0]).toMatch(told)
    expect(first.lines.join()).not.toContain('\n')
    const third = await late()
    await expectElection([first.member, second.member, third.member])
    expect(first.lines, first.lines.join('; ')).toHaveLength(lines)
  },
)

test('all attacks at once, many times over', async () => {
  const { first, second, late } = await targets()
  const assaults = [first, second].flatMap((target) =>
    Array.from({ length: 2 }, () => attacks.map(([, act]) => attack(target, act))).flat(),
  )
  await Promise.all(assaults)
  const third = await late()
  await expectElection([first.member, second.member, third.member])
})

test('a connected ring accepts no other connection and loses no link', async () => {
  const { first, second, late } = await targets({ stay: true })
  const ringOfThree = [first, second, await late()]
  await expect.poll(() => first.member.outcome.leader, OFTEN).toBe(9)
  for (const { lines } of ringOfThree) lines.length = 0
  const all = [...attacks, ...attacksInside]
  await Promise.all(all.map(([, act]) => attack(first, act)))
  expect(ringOfThree.flatMap(({ lines }) => lines).join()).not.toContain('is down')
  expect(ringOfThree.map(({ member }) => member.outcome.leader)).toEqual([9, 9, 9])
  // The log is limited, and says at the end how much it left out.
  expect(first.lines.length).toBeLessThan(all.length / 2)
  await first.member.close()
  const counted = first.lines.flatMap(
    (line) => line.match(/\d+(?= more times| other lines)|once more/) ?? [],
  )
  const refused =
    first.lines.length - counted.length + counted.reduce((sum, n) => sum + (Number(n) || 1), 0)
  expect(refused).toBe(all.filter(([, , line]) => line !== null).length)
})

test('idle connections do not lock out a member', async () => {
  const { first, second, late } = await targets()
  const idle = Array.from({ length: 200 }, () => attack(first, () => {}))
  await expect.poll(() => first.lines.join(), OFTEN).toContain('too many connections')
  const third = await late()
  await expectElection([first.member, second.member, third.member])
  await Promise.all(idle)
  expect(first.lines.length).toBeLessThan(9)
})
