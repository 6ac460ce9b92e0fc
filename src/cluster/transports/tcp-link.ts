import type { Link } from '../../core/language/net.ts'
import type { Address } from './address.ts'
import type { Connection } from './connection.ts'

/** One link of a member: one connection that carries both directions. */
export interface TcpLink {
  readonly link: Link
  readonly peer: { readonly position: number; readonly link: Link; readonly address: Address }
  /** Whether this end opens the connection; otherwise it waits for the other end. */
  readonly connects: boolean
}

/**
 * A link, and the frames to send again if its connection breaks. Any process can connect and
 * pretend to be the neighbour. Until a frame is received from the other end it may be such a
 * process: frames sent so far are kept, and sent again over the next connection. Both ends follow
 * this rule, so that no frame is received twice.
 * @internal
 */
export class TcpLinkState {
  connection: Connection | null = null
  /** Bytes received over it. */
  received = 0
  /** The other end has said goodbye. */
  leaving = false
  /** Nothing is sent or received over it any more. */
  closed = false
  private buffered: Uint8Array[] = []
  private size = 0
  /** Runs from the first break; when it ends the link stays broken. */
  private reconnectTimer: NodeJS.Timeout | undefined

  /**
   * At most `bufferLimit` bytes are kept while there is a connection. Lasting links are not
   * replaceable and keep nothing: frames sent while they are broken are lost.
   */
  constructor(
    readonly of: TcpLink,
    private readonly bufferLimit: number,
    private replaceable: boolean,
  ) {}

  attach(connection: Connection): void {
    this.connection = connection
    for (const bytes of this.buffered) connection.send(bytes)
  }

  send(bytes: Uint8Array): void {
    if (this.closed) return
    this.size += bytes.length
    if (this.received > 0 || (this.size > this.bufferLimit && this.connection !== null))
      this.stopBuffering()
    if (this.replaceable) this.buffered.push(bytes)
    this.connection?.send(bytes)
  }

  /** The connection broke. Returns whether another may replace it, until `giveUp` is called. */
  awaitReconnect(within: number, giveUp: () => void): boolean {
    if (!this.replaceable || this.leaving || this.received > 0) return false
    this.reconnectTimer ??= setTimeout(() => {
      this.stopBuffering()
      if (this.connection === null) giveUp()
    }, within)
    return true
  }

  close(): void {
    this.closed = true
    this.stopBuffering()
    clearTimeout(this.reconnectTimer)
  }

  /** From now on no other connection is accepted. */
  private stopBuffering(): void {
    this.replaceable = false
    this.buffered = []
  }
}
