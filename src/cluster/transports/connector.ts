import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { Connection } from './connection.ts'
import { disagreement, type Hello, Mismatch, readHello, shown, writeHello } from './handshake.ts'
import type { PeerStream } from './stream-transport.ts'

/** Milliseconds before the second attempt; the pause doubles from there. */
const FIRST_PAUSE = 50

export interface ConnectorOptions {
  /** Calls the other side. */
  dial(): PeerStream
  readonly mine: Hello
  /** The identity that the other side must have. */
  readonly theirs: Omit<Hello, 'incarnation'>
  /** Milliseconds until the other side must have accepted the connection. */
  readonly connectWithin: number
  /** Milliseconds for the handshake from there. */
  readonly handshakeWithin: number
  /** The longest pause between two attempts, in milliseconds. */
  readonly pause: number
  connected(connection: Connection, hello: Hello): void
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
    this.attempt = attempt(this.options, {
      greeted: (connection, hello) => {
        this.attempt = null
        this.pause = FIRST_PAUSE
        this.options.connected(connection, hello)
      },
      mismatched: (mismatch) => {
        if (this.options.mismatched(mismatch.message)) throw mismatch
      },
      failed: (why) => this.retry(why),
    })
  }

  /** Tries again after a pause. */
  retry(why: string): void {
    this.attempt = null
    this.options.failed(why)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.connect(), this.pause)
    this.pause = Math.min(2 * this.pause, this.options.pause)
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer)
    await this.attempt?.destroy()
  }
}

/** Calls a neighbour once, only to compare the configurations; the connection is closed then. */
export function compareWith(
  options: Omit<ConnectorOptions, 'pause' | 'connected'>,
): () => Promise<void> {
  const connection = attempt(options, {
    greeted: (it) => {
      void it.destroy()
      options.failed('nothing differs')
    },
    mismatched: (mismatch) => {
      if (options.mismatched(mismatch.message)) throw mismatch
    },
    failed: options.failed,
  })
  return () => connection.destroy()
}

interface AttemptListener {
  greeted(connection: Connection, hello: Hello): void
  /** May throw the mismatch, to have the connection closed. */
  mismatched(mismatch: Mismatch): void
  failed(why: string): void
}

/** Connects, says who it is and compares the answer. */
function attempt(
  options: Omit<ConnectorOptions, 'pause' | 'connected' | 'mismatched' | 'failed'>,
  listener: AttemptListener,
): Connection {
  const { mine, theirs, connectWithin, handshakeWithin } = options
  const connection = new Connection(options.dial(), connectWithin, {
    frame(bytes) {
      const answer = compared(bytes, theirs)
      if (answer instanceof Mismatch) listener.mismatched(answer)
      else if (answer.refusal) throw new MalformedBytes(`it refuses: ${shown(answer.refusal)}`)
      else listener.greeted(connection, answer)
    },
    closed: listener.failed,
  })
  connection.awaitConnect(connectWithin, handshakeWithin, () => connection.send(writeHello(mine)))
  return connection
}

function compared(bytes: Uint8Array, theirs: ConnectorOptions['theirs']): Hello | Mismatch {
  try {
    const hello = readHello(bytes)
    const endOf = ({ position, link }: Omit<Hello, 'incarnation'>) =>
      `position ${position}, link ${link}`
    const found = disagreement(hello, theirs)
    if (found !== null) return found
    if (endOf(hello) === endOf(theirs)) return hello
    return Mismatch.of('the neighbour', endOf(hello), endOf(theirs))
  } catch (error) {
    if (error instanceof Mismatch) return error
    throw error
  }
}
