import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket, Server as TlsServer } from 'node:tls'
import { UsageError } from '../../../core/usage-error.ts'
import { type Address, addressText } from '../../transports/address.ts'
import { DialError } from '../connector.ts'
import type { Network, Stream, StreamServer, TlsCredentials } from '../stream.ts'
import { DuplexStream, problemOf, remoteText } from './duplex-stream.ts'
import { resolveName } from './names.ts'
import { type ClusterSecret, sharedSecret } from './shared-secret.ts'
import { certificates, type SocketSecurity } from './tls.ts'

/** Small frames leave at once, and idle connections are tested by the kernel. */
const SOCKET_OPTIONS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }

/** Connections that the kernel keeps ready; more have to try again. */
const BACKLOG = 128
/** Connections that are accepted at once, and then in each pause of so many milliseconds. */
const BURST = 60
const STEADY = 5
/** TLS costs more. */
const STEADY_TLS = 3
const PAUSE = 50

/**
 * Sockets of this machine; with credentials or a secret, all of them speak TLS. A function is asked
 * before each handshake: certificates can be replaced while a member runs. `dialled` gets the
 * sockets that are opened from here.
 */
export function systemNetwork(
  credentials: TlsCredentials | (() => TlsCredentials) | ClusterSecret | null = null,
  dialled: (socket: Socket) => void = () => {},
): Network {
  const security = securityOf(credentials)
  return {
    listen: (address, accepted, dropped) => listen(address, accepted, dropped, security),
    dial: (address, timeout, signal) => dial(address, timeout, signal, { security, dialled }),
    resolve: resolveName,
  }
}

function securityOf(credentials: Parameters<typeof systemNetwork>[0]): SocketSecurity | null {
  if (!credentials) return null
  if (typeof credentials === 'function') return certificates(credentials)
  return 'secret' in credentials ? sharedSecret(credentials) : certificates(() => credentials)
}

async function listen(
  wanted: Address,
  accepted: (stream: Stream) => void,
  dropped: ((remote: string) => void) | undefined,
  security: SocketSecurity | null,
): Promise<StreamServer> {
  const secured = security === null ? null : new TlsAcceptor(security)
  const server = createServer(SOCKET_OPTIONS, (socket) => {
    rate.count()
    const stream = new DuplexStream(socket)
    secured?.accept(socket, stream)
    accepted(stream)
  })
  const rate = new AcceptRate(server, security === null ? STEADY : STEADY_TLS)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(wanted, error)))
    server.listen({ ...wanted, backlog: BACKLOG }, resolve)
  })
  server.removeAllListeners('error')
  // Errors of a listening socket, such as too many open files, pass; the next connection is tried.
  server.on('error', () => {})
  server.on(
    'drop',
    ({ remoteAddress, remotePort }: { remoteAddress?: string; remotePort?: number } = {}) =>
      dropped?.(remoteText(remoteAddress, remotePort)),
  )
  const { port } = server.address() as { port: number }
  return { address: { host: wanted.host, port }, close: () => closed(server) }
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there.',
  EADDRNOTAVAIL: 'it is not an address of this machine.',
  ENOTFOUND: 'the host name was not found.',
  EACCES: 'permission is denied.',
}

function listenError(
  address: Address,
  { code = '', message }: Error & { readonly code?: string },
): UsageError {
  return new UsageError(
    `Cannot listen on ${addressText(address)}`,
    LISTEN_PROBLEMS[code] ?? `${message}.`,
    code === 'EADDRINUSE'
      ? 'Stop that process, or choose another port.'
      : 'Choose an address of this machine.',
  )
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Beyond the rate, connections are dropped before anything is allocated for them. */
class AcceptRate {
  private left = BURST
  private timer: NodeJS.Timeout | null = null

  constructor(
    private readonly server: Server,
    private readonly steady: number,
  ) {}

  count(): void {
    this.left--
    // Below any number of connections: Node 20 takes 0 for no limit.
    if (this.left <= 0) this.server.maxConnections = -1
    this.timer ??= setTimeout(() => this.refill(), PAUSE).unref()
  }

  private refill(): void {
    this.left = Math.min(BURST, Math.max(0, this.left) + this.steady)
    this.server.maxConnections = Number.MAX_SAFE_INTEGER
    this.timer = this.left < BURST ? setTimeout(() => this.refill(), PAUSE).unref() : null
  }
}

/** Puts TLS on accepted sockets. */
class TlsAcceptor {
  private readonly server: TlsServer
  /** Streams whose TLS handshake is not done, by the address of the other side. */
  private readonly waiting = new Map<string, DuplexStream>()

  constructor(private readonly security: SocketSecurity) {
    this.server = security.server()
    this.server.on('secureConnection', (socket) => this.secured(socket))
    this.server.on('tlsClientError', (error, socket) => {
      const stream = this.waiting.get(keyOf(socket))
      if (stream !== undefined) stream.tlsProblem = security.problem(error)
      socket.destroy()
    })
  }

  accept(socket: Socket, stream: DuplexStream): void {
    this.security.renew(this.server)
    const key = keyOf(socket)
    stream.awaitsTls = true
    this.waiting.set(key, stream)
    socket.once('close', () => {
      if (this.waiting.get(key) === stream) this.waiting.delete(key)
    })
    this.server.emit('connection', socket)
  }

  private secured(socket: TLSSocket): void {
    const key = keyOf(socket)
    const stream = this.waiting.get(key)
    this.waiting.delete(key)
    if (stream === undefined) socket.destroy()
    else {
      this.security.trust(stream, socket)
      stream.secure(socket)
    }
  }
}

function keyOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`
}

interface DialOptions {
  readonly security: SocketSecurity | null
  dialled(socket: Socket): void
}

async function dial(
  address: Address,
  timeout: number,
  signal: AbortSignal | undefined,
  { security, dialled }: DialOptions,
): Promise<Stream> {
  const [target] = await resolveName(addressText(address))
  if (signal?.aborted) throw new DialError('given up')
  const socket = connect({ ...target, ...SOCKET_OPTIONS })
  dialled(socket)
  return withinTime(socket, connected(socket, security), timeout, signal)
}

/** The stream once it is connected; given up after the time, or when the signal is aborted. */
export async function withinTime<T>(
  socket: Duplex,
  made: Promise<T>,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  let give: (error: DialError) => void = () => {}
  const givenUp = new Promise<never>((_resolve, reject) => {
    give = reject
  })
  const timer = setTimeout(() => give(new DialError(`no answer within ${timeout} ms`)), timeout)
  const abort = () => give(new DialError('given up'))
  signal?.addEventListener('abort', abort)
  // A socket that is destroyed may still tell errors.
  socket.on('error', () => {})
  try {
    return await Promise.race([made, givenUp])
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

async function connected(socket: Socket, security: SocketSecurity | null): Promise<Stream> {
  await once(socket, 'connect').catch((error) => {
    throw new DialError(problemOf(error))
  })
  if (isSelfConnection(socket)) throw new DialError('connection refused')
  if (security === null) return new DuplexStream(socket)
  const secure = security.client(socket)
  secure.on('error', () => {})
  await once(secure, 'secureConnect').catch((error) => {
    const problem = security.problem(error)
    if (problem === null) throw new DialError(security.ended, 'closed')
    throw new DialError(`it ${problem.detail}`, problem.reason)
  })
  const stream = new DuplexStream(secure, socket)
  security.trust(stream, secure)
  return stream
}

/** Within the range of outgoing ports a socket may be connected to itself. */
function isSelfConnection(socket: Socket): boolean {
  return socket.localPort === socket.remotePort && socket.localAddress === socket.remoteAddress
}
