import type { Link } from '../../core/language/net.ts'
import type { Address } from './address.ts'
import type { Connection } from './connection.ts'

/** One link of a member: one connection that carries both directions. */
export interface TcpLink {
  readonly link: Link
  readonly peer: { readonly position: number; readonly link: Link; readonly address: Address }
  /** Whether this end calls the other; otherwise it waits to be called. */
  readonly dials: boolean
}

/**
 * A link and what must not get lost when its connection breaks. Anybody can call and pretend to be
 * the neighbour. As long as nothing has been taken from the other end it may be somebody else's, or
 * become so: what was sent is kept, to be sent again to whoever comes next. Both ends follow this
 * rule, so that nothing is taken twice.
 * @internal
 */
export class TcpLinkState {
  connection: Connection | null = null
  /** Bytes that came in over it. */
  received = 0
  /** Set when the other end has said that it leaves for good. */
  farewell = false
  /** Set when nothing will come or go over it any more. */
  closed = false
  private sent: Uint8Array[] = []
  private size = 0
  /** Runs from the first break on; afterwards nothing is mended any more. */
  private patience: NodeJS.Timeout | undefined

  /**
   * More than so many bytes are not kept, unless there is nobody to send them to. Where links last,
   * nothing is: what is sent to nobody is gone.
   */
  constructor(
    readonly of: TcpLink,
    private readonly most: number,
    private mendable: boolean,
  ) {}

  stand(connection: Connection): void {
    this.connection = connection
    for (const bytes of this.sent) connection.send(bytes)
  }

  send(bytes: Uint8Array): void {
    if (this.closed) return
    this.size += bytes.length
    if (this.received > 0 || (this.size > this.most && this.connection !== null)) this.settle()
    if (this.mendable) this.sent.push(bytes)
    this.connection?.send(bytes)
  }

  /** The connection is gone: whether another may take its place, until `giveUp` is called. */
  mend(within: number, giveUp: () => void): boolean {
    if (!this.mendable || this.farewell || this.received > 0) return false
    this.patience ??= setTimeout(() => {
      this.settle()
      if (this.connection === null) giveUp()
    }, within)
    return true
  }

  close(): void {
    this.closed = true
    this.settle()
    clearTimeout(this.patience)
  }

  /** From now on only this connection will do. */
  private settle(): void {
    this.mendable = false
    this.sent = []
  }
}
