import { randomBytes } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAuthority, issueCertificate } from '../../../../test/support/certificates.ts'
import {
  type GivenMesh,
  type WatchedMesh,
  watchedMesh,
} from '../../../../test/support/mesh-fixture.ts'
import { systemClock } from '../../clock.ts'
import { addressText } from '../../transports/address.ts'
import { framed } from '../../transports/framing.ts'
import {
  AGREED,
  type MeshHello,
  PROTOCOL,
  WELCOME,
  writeHello,
  writeRefusal,
} from '../handshake.ts'
import { type ClusterSecret, sharedSecret } from './shared-secret.ts'
import { systemNetwork } from './system-network.ts'

const LEASE = 600
const OFTEN = { timeout: 30_000, interval: 5 }

const SECRET: ClusterSecret = { secret: 'a secret of sixteen bytes', cluster: 'billing' }
const OTHER: ClusterSecret = { secret: 'another one of 16 bytes', cluster: 'billing' }

const start = (name: string, given: GivenMesh = {}, shared: ClusterSecret | null = SECRET) =>
  watchedMesh(
    name,
    { clock: systemClock, network: systemNetwork(shared), randomBytes },
    {
      lease: LEASE,
      security: shared === null ? { tls: false, insecure: true } : { tls: false, ...shared },
      ...given,
    },
  )

let a: WatchedMesh
let b: WatchedMesh
const sockets: Socket[] = []
const servers: Server[] = []
let nonce = 0

/** Two members that are connected and talk. */
async function talking(shared: ClusterSecret | null): Promise<void> {
  a = await start('a', {}, shared)
  b = await start('b', {}, shared)
  b.mesh.dial(new Map([['a', addressText(a.mesh.address!)]]))
  await expect.poll(() => a.events, OFTEN).toEqual(['up b'])
  await expect.poll(() => b.events, OFTEN).toEqual(['up a'])
}

beforeEach(() => talking(SECRET))

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
  await Promise.all([a.mesh.close(), b.mesh.close()])
})

function stranger(): Socket {
  const socket = connect(a.mesh.address!.port, '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

/** The members still talk over the connection that they had. */
async function expectUnmoved(): Promise<void> {
  const number = ++nonce % 256
  a.mesh.send('b', Uint8Array.of(9, number))
  b.mesh.send('a', Uint8Array.of(8, number))
  await expect.poll(() => b.events.at(-1), OFTEN).toBe(`a says 9,${number}`)
  await expect.poll(() => a.events.at(-1), OFTEN).toBe(`b says 8,${number}`)
  expect([...a.events, ...b.events].filter((event) => /^(up|down)/.test(event))).toHaveLength(2)
}

const reasons = () => new Set(a.refused.map(({ reason }) => reason))

const FORGED: MeshHello = {
  protocol: PROTOCOL,
  cluster: 'billing',
  name: 'b',
  incarnation: 'b-1',
  kind: 'member',
  version: { term: 1, number: 1 },
  limit: 1000,
  drift: 0.05,
  process: null,
  keepsOpen: false,
  advertised: null,
  purpose: '',
}

const hello = (changes: Partial<MeshHello> = {}) => framed(writeHello({ ...FORGED, ...changes }))
const write =
  (...chunks: Uint8Array[]) =>
  (socket: Socket) => {
    for (const chunk of chunks) socket.write(chunk)
  }

function trickle(socket: Socket): void {
  const bytes = hello()
  let sent = 0
  const timer = setInterval(() => {
    if (sent < bytes.length) socket.write(bytes.subarray(sent, ++sent))
  }, 20)
  socket.once('close', () => clearInterval(timer))
}

const ATTACKS: [name: string, act: (socket: Socket) => void, reason: string, line: RegExp][] = [
  ['random bytes', write(Uint8Array.of(200, 1, 2, 3, 4)), 'garbage', /exceeds the limit of 4096/],
  ['a huge length', write(Uint8Array.of(255, 255, 255, 255)), 'garbage', /4294967295 bytes/],
  ['an empty frame', write(new Uint8Array(4)), 'garbage', /not the handshake of a member/],
  ['a web browser', (s) => s.write('GET / HTTP/1.1\r\n\r\n'), 'garbage', /exceeds the limit/],
  [
    'a handshake too short',
    write(framed(writeHello(FORGED).subarray(0, 40))),
    'garbage',
    /too few/,
  ],
  ['half a handshake', (s) => s.end(hello().subarray(0, 9)), 'closed', /in the middle of a frame/],
  ['a reset', (s) => s.resetAndDestroy(), 'closed', /refused: /],
  ['silence', () => {}, 'timeout', /no handshake within 600 ms/],
  ['a trickle', trickle, 'timeout', /no handshake within 600 ms/],
  ['a hello and silence', write(hello()), 'timeout', /no handshake within 600 ms/],
  [
    'an agreement with more',
    write(hello(), framed(Uint8Array.of(AGREED, 1))),
    'garbage',
    /no place/,
  ],
  ['another cluster', write(hello({ cluster: '\u001b[2J' })), 'cluster', /"\\u001b\[2J" at "b"/],
  ['a later version', write(hello({ protocol: { lowest: 7, highest: 8 } })), 'protocol', /7 to 8/],
  ['frames at once', write(hello(), framed(Uint8Array.of(1, 2, 3))), 'garbage', /has no place/],
  [
    'a refusal',
    write(framed(writeRefusal({ reason: 'name', detail: 'no\nway' }))),
    'name',
    /refused by the other side: no\\u\{a\}way$/,
  ],
]

/** Each of them, on a connection of its own, until that is closed. */
async function attackAll(): Promise<void> {
  await Promise.all(
    ATTACKS.map(async ([, act]) => {
      const socket = stranger()
      socket.on('data', () => {})
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.once('connect', () => act(socket))
      await closed
    }),
  )
  await expect.poll(() => a.refused.length, OFTEN).toBe(ATTACKS.length)
  expect(a.refused.map(({ detail }) => detail).join('')).not.toMatch(/\p{Cc}/u)
  expect(a.lines.length).toBeLessThanOrEqual(10)
}

describe('where nothing is proven', () => {
  beforeEach(async () => {
    await Promise.all([a.mesh.close(), b.mesh.close()])
    await talking(null)
  })

  it('each attack is counted by its reason and told in one line', async () => {
    await attackAll()
    expect(reasons()).toEqual(new Set(ATTACKS.map(([, , reason]) => reason)))
    for (const [name, , reason] of ATTACKS) {
      const expected = ATTACKS.filter(([, , other]) => other === reason).length
      const found = a.refused.filter((refusal) => refusal.reason === reason)
      expect(found, name).toHaveLength(expected)
    }
    const details = a.refused.map(({ detail }) => `connection from x refused: ${detail}`)
    for (const [name, , , line] of ATTACKS) {
      expect(
        details.some((detail) => line.test(detail)),
        name,
      ).toBe(true)
    }
    await expectUnmoved()
  })
})

describe('who has no secret moves nobody', () => {
  it('whatever is not TLS gets no answer of a member, and is told in one line', async () => {
    await attackAll()
    expect([...reasons()].toSorted()).toEqual(['closed', 'no-tls', 'timeout'])
    const line = a.lines.find((text) => text.includes('does not speak TLS'))
    expect(line).toMatch(/has no secret, or an earlier release: stop all members, and start all/)
    await expectUnmoved()
  })

  it('TLS with another secret, of another cluster, or with a certificate', async () => {
    const strangers = await Promise.all([
      start('x', {}, OTHER),
      start('y', {}, { ...SECRET, cluster: 'shipping' }),
    ])
    for (const { mesh } of strangers) mesh.dial(new Map([['a', addressText(a.mesh.address!)]]))
    for (const { refused } of strangers)
      await expect.poll(() => refused[0], OFTEN).toMatchObject({ reason: 'secret', member: 'a' })
    const { port } = a.mesh.address!
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })
    await new Promise((resolve) => socket.once('error', resolve))
    await Promise.all(strangers.map(({ mesh }) => mesh.close()))
    expect([...reasons()]).toEqual(['secret'])
    expect(a.lines[0]).toMatch(/refused: it has another shared secret, or none$/)
    await expectUnmoved()
  })

  it('hundreds of idle connections keep neither members nor newcomers out', async () => {
    for (let i = 0; i < 400; i++) stranger().once('close', () => void stranger())
    await expect.poll(() => a.refused.length, OFTEN).toBeGreaterThan(300)
    await expectUnmoved()
    const c = await start('c')
    c.mesh.dial(new Map([['a', addressText(a.mesh.address!)]]))
    a.mesh.dial(new Map([['c', addressText(c.mesh.address!)]]))
    await expect.poll(() => c.events, OFTEN).toEqual(['up a'])
    expect(reasons()).toContain('rate')
    for (const socket of sockets) socket.removeAllListeners('close')
    await c.mesh.close()
  })

  it('a flood of bytes on many connections ends with each first frame', async () => {
    const noise = Buffer.alloc(1 << 20, 7)
    for (let i = 0; i < 40; i++) stranger().write(noise)
    await expect.poll(() => a.refused.length, OFTEN).toBe(40)
    expect([...reasons()].every((reason) => ['no-tls', 'closed'].includes(reason))).toBe(true)
    await expectUnmoved()
  })
})

const HOUR = 3_600_000
const VALID = { from: new Date(Date.now() - HOUR), until: new Date(Date.now() + HOUR) }
const AUTHORITY = createAuthority('anybody', VALID)

describe('who listens at the address of a member without its secret', () => {
  const welcome = (socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(hello({ name: 'x' }))
      socket.write(framed(Uint8Array.of(WELCOME)))
    })
  }
  const certified = () => {
    const { cert, key } = issueCertificate(AUTHORITY, 'x', VALID)
    return createTlsServer({ cert, key }, welcome)
  }
  const secretly = () => {
    const server = sharedSecret(OTHER).server()
    return server.on('secureConnection', welcome)
  }
  it.each([
    ['nothing', () => createServer(welcome), 'no-tls'],
    ['a certificate', certified, 'secret'],
    ['another secret', secretly, 'secret'],
  ] as const)('is refused with %s', async (_name, make, reason) => {
    const server: Server = make()
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    b.mesh.dial(new Map([['x', `127.0.0.1:${port}`]]))
    await expect.poll(() => b.refused[0], OFTEN).toMatchObject({ reason, member: 'x' })
    b.mesh.dial(new Map())
    await expectUnmoved()
  })
})

/** Passes bytes on; `change` may do something to those towards a member. */
async function proxy(change: (bytes: Buffer, send: (bytes: Buffer) => void) => void) {
  const server = createServer((near) => {
    const far = stranger()
    near.on('data', (bytes) => change(bytes, (changed) => far.write(changed)))
    far.on('data', (bytes) => near.write(bytes))
    near.on('error', () => {})
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as { port: number }).port}`
}

describe('who stands between two members', () => {
  it('cannot use what was recorded', async () => {
    const recorded: Buffer[] = []
    const c = await start('c')
    c.mesh.dial(
      new Map([
        [
          'a',
          await proxy((bytes, send) => {
            recorded.push(bytes)
            send(bytes)
          }),
        ],
      ]),
    )
    await expect.poll(() => c.events, OFTEN).toEqual(['up a'])
    c.mesh.send('a', Uint8Array.of(5, 5))
    await expect.poll(() => a.events.at(-1), OFTEN).toBe('c says 5,5')
    await c.mesh.close()
    await expect.poll(() => a.mesh.connected, OFTEN).toEqual(['b'])
    const before = a.events.length
    stranger().write(Buffer.concat(recorded))
    await expect.poll(() => a.refused, OFTEN).toMatchObject([{ reason: 'secret', member: null }])
    expect(a.events).toHaveLength(before)
  })

  const CHANGES: [name: string, change: (frame: Buffer) => Buffer][] = [
    ['repeats', (frame) => Buffer.concat([frame, frame])],
    ['changes', (frame) => Buffer.from(frame.map((byte, i) => (i === 9 ? byte ^ 64 : byte)))],
    ['inserts', (frame) => Buffer.concat([framed(new Uint8Array(40)), frame])],
  ]

  it.each(CHANGES)('%s a frame, and only breaks the connection', async (_name, change) => {
    let active = false
    const c = await start('c')
    const through = await proxy((bytes, send) => {
      send(active ? change(bytes) : bytes)
      active = false
    })
    c.mesh.dial(new Map([['a', through]]))
    await expect.poll(() => c.events, OFTEN).toEqual(['up a'])
    active = true
    c.mesh.send('a', Uint8Array.of(5, 5))
    await expect
      .poll(() => a.events.filter((event) => event.includes('down')), OFTEN)
      .toEqual(['down c: its bytes were changed on the way'])
    const said = a.events.filter((event) => event.startsWith('c says'))
    expect(said.every((event) => event === 'c says 5,5')).toBe(true)
    expect(said.length).toBeLessThan(2)
    await expect.poll(() => c.events.at(-1), OFTEN).toBe('up a')
    await c.mesh.close()
  })
})
