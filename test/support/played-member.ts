import { connect, createServer, type Server, type Socket } from 'node:net'
import {
  AGREED,
  type MeshHello,
  PROTOCOL,
  REFUSED,
  readRefusal,
  WELCOME,
  writeHello,
} from '../../src/cluster/mesh/handshake.ts'
import type { Address } from '../../src/cluster/transports/address.ts'
import { FrameReader, framed } from '../../src/cluster/transports/framing.ts'
import { electionPurpose } from '../../src/cluster/transports/link-protocol.ts'

/** What a position of an election says in the handshake. */
export interface PlayedIdentity {
  readonly schema: string
  readonly n: number
  readonly position: number
  readonly incarnation?: string
}

/** The first frame of a member, as any process could write it. */
export function electionHello(
  { position, incarnation = 'played', ...purpose }: PlayedIdentity,
  changes: Partial<MeshHello> = {},
): Uint8Array {
  return writeHello({
    protocol: PROTOCOL,
    cluster: 'election',
    name: `position-${position}`,
    incarnation,
    kind: 'member',
    version: { term: 0, number: 0 },
    limit: 0,
    drift: 0,
    process: null,
    keepsOpen: false,
    advertised: null,
    purpose: electionPurpose({ position, ...purpose }).text,
    ...changes,
  })
}

/** The whole side of the initiator, written without waiting for answers. */
export function impatientHandshake(identity: PlayedIdentity): Uint8Array {
  return Buffer.concat([framed(electionHello(identity)), framed(Uint8Array.of(AGREED))])
}

/** A frame of a link, by its number at the other end. */
export function linkFrame(link: number, ...bytes: number[]): Uint8Array {
  return framed(Uint8Array.of(link + 1, ...bytes))
}

/** One end of a connection that a test plays; frames of the mesh itself are left out. */
export interface PlayedEnd {
  readonly socket: Socket
  /** The frames of links, with the numbers of the links. */
  readonly frames: string[]
  readonly refusals: string[]
  welcomed: boolean
  /** Whether it answers when it is asked whether it is alive. */
  answers: boolean
}

function listen(socket: Socket, greeted: (end: PlayedEnd, kind: number) => void): PlayedEnd {
  const end: PlayedEnd = { socket, frames: [], refusals: [], welcomed: false, answers: false }
  const reader = new FrameReader(2 ** 22)
  socket.on('error', () => {})
  socket.on('data', (chunk) =>
    reader.push(chunk, (frame) => {
      const [kind] = frame
      if (!end.welcomed && kind === REFUSED) end.refusals.push(readRefusal(frame).detail)
      else if (!end.welcomed) greeted(end, kind)
      else if (kind === 0 && frame[1] === 1 && end.answers)
        socket.write(framed(Uint8Array.of(0, 2, frame[2])))
      else if (kind > 0) end.frames.push(`${kind - 1}: ${[...frame.subarray(1)].join()}`)
    }),
  )
  return end
}

/** Connects and plays a member. */
export function playCaller(address: Address, identity: PlayedIdentity): PlayedEnd {
  const socket = connect(address)
  socket.write(framed(electionHello(identity)))
  return listen(socket, (end, kind) => {
    if (kind === WELCOME) end.welcomed = true
    else socket.write(framed(Uint8Array.of(AGREED)))
  })
}

/** Answers as a member would. */
export function playCallee(socket: Socket, identity: PlayedIdentity): PlayedEnd {
  return listen(socket, (end, kind) => {
    if (kind !== AGREED) socket.write(framed(electionHello(identity)))
    else {
      end.welcomed = true
      socket.write(framed(Uint8Array.of(WELCOME)))
    }
  })
}

/** A server that does with its connections what the test says. */
export async function playedServer(
  at: Address,
  talk: (socket: Socket) => void,
): Promise<{ readonly address: Address; close(): void }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.resume()
    talk(socket)
  })
  await new Promise<void>((resolve) => server.listen(at, resolve))
  const { port } = server.address() as { port: number }
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { address: { host: at.host, port }, close }
}
