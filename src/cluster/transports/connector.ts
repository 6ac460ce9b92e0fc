import { connect, type Socket } from 'node:net'
import type { Address } from './address.ts'
import { Connection } from './connection.ts'
import { disagreement, type Hello, Mismatch, readHello, writeHello } from './handshake.ts'

const FIRST_PAUSE = 50

export interface ConnectAttempt {
  readonly address: Address
  readonly mine: Hello
  /** Who should answer. */
  readonly theirs: Hello
  /** How long the other side may take to answer, in milliseconds. */
  readonly within: number
  /** How long to wait at most before calling again, in milliseconds. */
  readonly pause: number
  answered(connection: Connection): void
  /** It did not work, and will be tried again. */
  failed(why: string): void
  /** Somebody answered with whom it will not work: whether to call again all the same. */
  mismatched(why: string): boolean
}

/** Calls one neighbour again and again, with growing pauses, until it answers. */
export class Connector {
  private pause = FIRST_PAUSE
  private timer: NodeJS.Timeout | undefined
  private attempt: Connection | null = null

  constructor(private readonly call: ConnectAttempt) {}

  dial(): void {
    const { address, mine, within } = this.call
    const socket = connect(address)
    const connection = new Connection(socket, within, {
      frame: (bytes) => this.meet(connection, bytes),
      closed: (why) => this.retry(why),
    })
    this.attempt = connection
    socket.once('connect', () => {
      if (reachedItself(socket)) connection.refuse('nobody listens there')
      else connection.send(writeHello(mine))
    })
  }

  /** Tries again after a pause. */
  retry(why: string): void {
    this.attempt = null
    this.call.failed(why)
    this.timer = setTimeout(() => this.dial(), this.pause)
    this.pause = Math.min(2 * this.pause, this.call.pause)
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer)
    await this.attempt?.cut()
  }

  private meet(connection: Connection, bytes: Uint8Array): void {
    const mismatch = this.mismatch(bytes)
    if (mismatch !== null) {
      if (this.call.mismatched(mismatch.message)) throw mismatch
      return
    }
    this.attempt = null
    this.call.answered(connection)
  }

  private mismatch(bytes: Uint8Array): Mismatch | null {
    const { theirs } = this.call
    try {
      const hello = readHello(bytes)
      const place = ({ position, link }: Hello) => `position ${position}, link ${link}`
      const found = disagreement(hello, theirs)
      if (found !== null || place(hello) === place(theirs)) return found
      return new Mismatch('the place of the neighbour', place(hello), place(theirs))
    } catch (error) {
      if (error instanceof Mismatch) return error
      throw error
    }
  }
}

/**
 * Calling a free port of one's own machine may, by chance, take that very port to call from; TCP
 * then connects the socket to itself.
 */
function reachedItself(socket: Socket): boolean {
  const { localPort, remotePort, localAddress, remoteAddress } = socket
  return localPort === remotePort && localAddress === remoteAddress
}
