import { randomBytes } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type WatchedMesh, watchedMesh } from '../../../../test/support/mesh-fixture.ts'
import { ByteWriter } from '../../../core/runtime/bytes.ts'
import { systemClock } from '../../clock.ts'
import { framed } from '../../transports/framing.ts'
import { electionPurpose } from '../../transports/link-protocol.ts'
import { readRefusal, UPGRADE } from '../handshake.ts'
import { systemNetwork } from './system-network.ts'

const OFTEN = { timeout: 10_000, interval: 5 }
const SECRET = { secret: 'a secret of sixteen bytes', cluster: 'billing' }

const meshes: WatchedMesh[] = []
const servers: Server[] = []
const sockets: Socket[] = []

afterEach(async () => {
  await Promise.all(meshes.splice(0).map(({ mesh }) => mesh.close()))
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** A member of this release. */
async function member(secret: boolean, election = false): Promise<WatchedMesh> {
  const purpose = electionPurpose({ schema: 'test', n: 2, position: 0 })
  const security = secret ? { tls: false, ...SECRET } : { tls: false, insecure: true }
  const watched = await watchedMesh(
    'a',
    { clock: systemClock, network: systemNetwork(secret ? SECRET : null), randomBytes },
    { lease: 600, security, ...(election && { purpose }) },
  )
  meshes.push(watched)
  return watched
}

/** The first frame of a coordinator whose protocol has version 3. */
function earlierHello(secret: boolean): Uint8Array {
  const out = new ByteWriter()
  out.byte(1)
  out.text('conclave mesh')
  out.nat(3)
  out.nat(3)
  for (const text of ['billing', 'b', 'b-1']) out.text(text)
  out.byte(0)
  for (const number of [1, 1]) out.nat(number)
  for (const number of [1000, 0.05]) out.real(number)
  out.byte(secret ? 1 : 0)
  out.raw(randomBytes(32))
  out.text('')
  out.nat(0)
  for (const text of ['', '', '']) out.text(text)
  out.byte(0)
  return framed(out.take())
}

/** The first frame of a member of an election, before it was part of a mesh. */
function earlierElectionHello(): Uint8Array {
  const out = new ByteWriter()
  out.text('conclave')
  out.nat(2)
  out.text('test')
  for (const number of [2, 1, 0]) out.nat(number)
  out.text('b-1')
  out.text('')
  return framed(out.take())
}

/** What the earlier release does with a first frame: it reads its version, or hangs up. */
function earlierAnswer(socket: Socket, bytes: Uint8Array, mesh: boolean): void {
  const readable = mesh && bytes[0] === 0 && bytes[1] === 0
  if (!readable) {
    socket.destroy()
    return
  }
  const out = new ByteWriter()
  out.byte(4)
  out.text('protocol')
  out.text(`the range of protocol versions is "4 to 4" at "a" and "3 to 3" at "b": ${UPGRADE}`)
  socket.end(framed(out.take()))
}

async function earlierServer(mesh: boolean): Promise<string> {
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', (bytes) => earlierAnswer(socket, bytes, mesh))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as { port: number }).port}`
}

async function caller({ mesh }: WatchedMesh, hello: Uint8Array): Promise<Buffer> {
  const socket = connect(mesh.address!.port, '127.0.0.1')
  sockets.push(socket)
  const heard: Buffer[] = []
  socket.on('error', () => {})
  socket.on('data', (bytes) => heard.push(bytes))
  socket.write(hello)
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(heard)
}

/** One line names the upgrade, and nobody is connected. */
async function expectRefused(one: WatchedMesh): Promise<void> {
  await expect.poll(() => one.lines, OFTEN).toHaveLength(1)
  expect(one.lines[0]).toContain(UPGRADE)
  expect(one.lines[0]).not.toContain('\n')
  expect(one.events).toEqual([])
  expect(one.mesh.connected).toEqual([])
}

describe('a member of an earlier release', () => {
  it.each([false, true])('that calls a coordinator is refused; secret: %s', async (secret) => {
    const one = await member(secret)
    const heard = await caller(one, earlierHello(secret))
    await expectRefused(one)
    // Without a secret it can read why.
    if (!secret) expect(readRefusal(heard.subarray(4)).detail).toContain(UPGRADE)
  })

  it.each([false, true])('that a coordinator calls is refused; secret: %s', async (secret) => {
    const one = await member(secret)
    one.mesh.dial(new Map([['b', await earlierServer(true)]]))
    await expectRefused(one)
  })

  it.each([false, true])(
    'that calls a member of an election is refused; secret: %s',
    async (secret) => {
      const one = await member(secret, true)
      expect(await caller(one, earlierElectionHello()).then((heard) => heard.includes('a'))).toBe(
        false,
      )
      await expectRefused(one)
    },
  )

  it.each([false, true])(
    'that a member of an election calls is refused; secret: %s',
    async (secret) => {
      const one = await member(secret, true)
      one.mesh.dial(new Map([['b', await earlierServer(false)]]))
      await expectRefused(one)
    },
  )
})
