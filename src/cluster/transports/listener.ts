import { createServer, type Server, type Socket } from 'node:net'
import { UsageError } from '../../core/usage-error.ts'
import { type Address, addressText } from './address.ts'

/** More strangers than this at a time are turned away. */
const CROWD = 64

/** A door with an address, at which neighbours knock. */
export class Listener {
  private log: (line: string) => void = () => {}

  private constructor(
    private readonly server: Server,
    readonly address: Address,
  ) {}

  /** Whoever knocks before somebody is at home waits at the door. */
  private readonly waiting: Socket[] = []
  private take: (socket: Socket) => void = (socket) => {
    // A caller that breaks off while it waits is found gone later.
    socket.on('error', () => {})
    this.waiting.push(socket)
  }

  /** Takes the address; port 0 takes any free port, and `address` tells which. */
  static async at(wanted: Address): Promise<Listener> {
    const server = createServer()
    server.maxConnections = CROWD
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(unavailable(wanted, error)))
      server.listen(wanted, resolve)
    })
    server.removeAllListeners('error')
    const taken = server.address() as { port: number }
    const listener = new Listener(server, { host: wanted.host, port: taken.port })
    server.on('error', (error) => listener.log(`${addressText(wanted)}: ${error.message}`))
    server.on('drop', () => listener.log(`${addressText(wanted)}: too many callers; one dropped`))
    server.on('connection', (socket) => listener.take(socket))
    return listener
  }

  /**
   * From now on callers are let in to `take`, which expects so many.
   * @internal
   */
  answer(expected: number, take: (socket: Socket) => void, log: (line: string) => void): void {
    this.server.maxConnections = expected + CROWD
    this.take = take
    this.log = log
    for (const socket of this.waiting.splice(0)) if (!socket.destroyed) take(socket)
  }

  /** Resolves when all connections made here are gone. */
  close(): Promise<void> {
    for (const socket of this.waiting.splice(0)) socket.destroy()
    return new Promise((resolve) => this.server.close(() => resolve()))
  }
}

function unavailable(address: Address, error: NodeJS.ErrnoException): UsageError {
  const taken = error.code === 'EADDRINUSE'
  return new UsageError(
    addressText(address),
    `an address of this machine that is free is needed, but ${taken ? 'another process listens there' : error.message}.`,
    taken ? 'Stop that process, or choose another port.' : 'Choose another address.',
  )
}
