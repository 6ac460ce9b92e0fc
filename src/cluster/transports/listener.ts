import { createServer, type Server, type Socket } from 'node:net'
import { UsageError } from '../../core/usage-error.ts'
import { type Address, addressText } from './address.ts'

/** Connections beyond the expected ones: more are dropped. */
const SPARE_CONNECTIONS = 64

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
    this.waiting.push(socket)
  }

  /** Listens on an address; port 0 is any free port, and `address` has its number. */
  static async at(wanted: Address): Promise<Listener> {
    const server = createServer()
    server.maxConnections = SPARE_CONNECTIONS
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
   * From now on `connected` gets the connections, of which `expected` are legitimate.
   * @internal
   */
  accept(expected: number, connected: (socket: Socket) => void, log: (line: string) => void): void {
    this.server.maxConnections = expected + SPARE_CONNECTIONS
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

function listenError(address: Address, { code = '', message }: NodeJS.ErrnoException): UsageError {
  return new UsageError(
    `Cannot listen on ${addressText(address)}`,
    LISTEN_PROBLEMS[code] ?? `${message}.`,
    code === 'EADDRINUSE'
      ? 'Stop that process, or choose another port.'
      : 'Choose an address of this machine.',
  )
}
