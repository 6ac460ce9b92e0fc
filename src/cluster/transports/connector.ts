import { connect, type Socket } from 'node:net'
import type { Address } from './address.ts'
import { Connection } from './connection.ts'
import { disagreement, type Hello, Mismatch, readHello, writeHello } from './handshake.ts'

/** Milliseconds before the second attempt; the pause doubles from there. */
const FIRST_PAUSE = 50

export interface ConnectorOptions {
  readonly address: Address
  readonly mine: Hello
  /** The identity that the other side must have. */
  readonly theirs: Hello
  /** Milliseconds for the handshake. */
  readonly within: number
  /** The longest pause between two attempts, in milliseconds. */
  readonly pause: number
  connected(connection: Connection): void
  /** An attempt failed; another one follows. */
  failed(why: string): void
  /** The other side has another configuration. Returns whether to try again all the same. */
  mismatched(why: string): boolean
}

/** Connects to one neighbour, and tries again with growing pauses until it answers. */
export class Connector {
  private pause = FIRST_PAUSE
  private timer: NodeJS.Timeout | undefined
  private attempt: Connection | null = null

  constructor(private readonly options: ConnectorOptions) {}

  connect(): void {
    const { address, mine, within } = this.options
    const socket = connect(address)
    const connection = new Connection(socket, within, {
      frame: (bytes) => this.handshake(connection, bytes),
      closed: (why) => this.retry(why),
    })
    this.attempt = connection
    socket.once('connect', () => {
      if (isSelfConnection(socket)) connection.refuse('connection refused')
      else connection.send(writeHello(mine))
    })
  }

  /** Tries again after a pause. */
  retry(why: string): void {
    this.attempt = null
    this.options.failed(why)
    this.timer = setTimeout(() => this.connect(), this.pause)
    this.pause = Math.min(2 * this.pause, this.options.pause)
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer)
    await this.attempt?.destroy()
  }

  private handshake(connection: Connection, bytes: Uint8Array): void {
    const mismatch = this.mismatch(bytes)
    if (mismatch !== null) {
      if (this.options.mismatched(mismatch.message)) throw mismatch
      return
    }
    this.attempt = null
    this.options.connected(connection)
  }

  private mismatch(bytes: Uint8Array): Mismatch | null {
    const { theirs } = this.options
    try {
      const hello = readHello(bytes)
      const endOf = ({ position, link }: Hello) => `position ${position}, link ${link}`
      const found = disagreement(hello, theirs)
      if (found !== null || endOf(hello) === endOf(theirs)) return found
      return Mismatch.of('the neighbour', endOf(hello), endOf(theirs))
    } catch (error) {
      if (error instanceof Mismatch) return error
      throw error
    }
  }
}

/**
 * A connection to a free port of this machine may by chance use the same port as its source. TCP
 * then connects the socket to itself.
 */
function isSelfConnection(socket: Socket): boolean {
  const { localPort, remotePort, localAddress, remoteAddress } = socket
  return localPort === remotePort && localAddress === remoteAddress
}
