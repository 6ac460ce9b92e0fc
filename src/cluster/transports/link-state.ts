import type { Connection } from './connection.ts'
import type { MemberLink } from './stream-transport.ts'

/**
 * A link, and the frames to send again if its connection breaks. Any process can connect and
 * pretend to be the neighbour. Until a frame is received from the other end it may be such a
 * process: frames sent so far are kept, and sent again over the next connection. Both ends follow
 * this rule, so that no frame is received twice.
 * @internal
 */
export class LinkState<L extends MemberLink = MemberLink> {
  connection: Connection | null = null
  /** The process at the other end, and the one whose connection it replaced. */
  private incarnation = ''
  private replaced = ''
  /** Bytes received over it. */
  received = 0
  /** The other end has said goodbye. */
  leaving = false
  /** Nothing is sent or received over it any more. */
  closed = false
  private replaceable: boolean
  private buffered: Uint8Array[] = []
  private size = 0
  /** Runs from the first break; when it ends the link stays broken. */
  private reconnectTimer: NodeJS.Timeout | undefined

  /**
   * At most `bufferLimit` bytes are kept while there is a connection. Lasting links keep nothing:
   * frames sent while they are broken are lost.
   */
  constructor(
    readonly of: L,
    private readonly bufferLimit: number,
    private readonly lasting: boolean,
  ) {
    this.replaceable = !lasting
  }

  attach(connection: Connection, incarnation: string): void {
    if (this.connection === null) this.replaced = ''
    else if (incarnation !== this.incarnation) this.replaced = this.incarnation
    this.connection = connection
    this.incarnation = incarnation
    for (const bytes of this.buffered) connection.send(bytes)
  }

  /**
   * Why the neighbour cannot be connected now; null where it can. A process that connects again has
   * given up its former connection, and a restarted one has none: both replace the present one. But
   * two processes of one position must not replace each other in turn.
   */
  refusal(incarnation: string): string | null {
    const name = `position ${this.of.peer.position}`
    if (this.closed) return `${name} has left the election`
    if (this.connection === null) return null
    if (incarnation === this.replaced) return `${name} was replaced by another process`
    return this.lasting || this.mayReconnect ? null : `${name} is connected already`
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
    if (!this.mayReconnect) return false
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

  /** Whether the frames sent so far would be sent again. */
  private get mayReconnect(): boolean {
    return this.replaceable && !this.leaving && this.received === 0
  }

  /** From now on no other connection is accepted. */
  private stopBuffering(): void {
    this.replaceable = false
    this.buffered = []
  }
}
