import { createServer, type Server, type Socket } from 'node:net'
import { UsageError } from '../../core/usage-error.ts'
import { type Address, addressText } from './address.ts'

/** Connections that may wait until the transport is opened: the oldest gives way. */
const WAITING = 64

/** All connections at once, far more than a transport keeps open: a last resort. */
const CONNECTIONS = 4096

/** Small frames leave at once, and idle connections are tested by the kernel. */
export const SOCKET_OPTIONS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }

/** A listening socket, shared by the links of one member. */
export class Listener {
  private log: (line: string) => void = () => {}

  private constructor(
    private readonly server: Server,
    readonly address: Address,
  ) {}

  /** Connections that arrived before the transport was opened. */
  private readonly waiting: Socket[] = []
  private connected: (socket: Socket) => void = (socket) => {
    // A connection that breaks while it waits is skipped later.
    socket.on('error', () => {})
    if (this.waiting.push(socket) > WAITING) this.waiting.shift()?.destroy()
  }

  /** Listens on an address; port 0 is any free port, and `address` has its number. */
  static async at(wanted: Address): Promise<Listener> {
    const server = createServer(SOCKET_OPTIONS)
    server.maxConnections = CONNECTIONS
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(listenError(wanted, error)))
      server.listen(wanted, resolve)
    })
    server.removeAllListeners('error')
    const taken = server.address() as { port: number }
    const listener = new Listener(server, { host: wanted.host, port: taken.port })
    server.on('error', (error) => listener.log(`${addressText(wanted)}: ${error.message}`))
    server.on('drop', () =>
      listener.log(`${addressText(wanted)}: too many connections; one was dropped`),
    )
    server.on('connection', (socket) => listener.connected(socket))
    return listener
  }

  /**
   * From now on `connected` gets the connections, and closes those that it has no use for.
   * @internal
   */
  accept(connected: (socket: Socket) => void, log: (line: string) => void): void {
    this.connected = connected
    this.log = log
    for (const socket of this.waiting.splice(0)) if (!socket.destroyed) connected(socket)
  }

  /** Resolves when all accepted connections are closed. */
  close(): Promise<void> {
    for (const socket of this.waiting.splice(0)) socket.destroy()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process listens there.',
  EADDRNOTAVAIL: 'it is not an address of this machine.',
  ENOTFOUND: 'the host name was not found.',
  EACCES: 'permission is denied.',
}

export function listenError(
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
