import type { Link } from '../../core/language/net.ts'

/** The identity of a member; both ends of a link must agree on the schema and on n. */
export interface LinkIdentity {
  /** The schema of the algorithm, and a line for each further setting that all must share. */
  readonly schema: string
  /** The number of members. */
  readonly n: number
  readonly position: number
  /** Tells this start of the process apart from all others; drawn by the transport if missing. */
  readonly incarnation?: string
}

/** Gets the frames of a transport. */
export interface FrameReceiver {
  /**
   * A frame arrived; frames of a link arrive in the order in which they were sent, possibly before
   * `open` has resolved. Throws MalformedBytes if it cannot be read: the transport then breaks the
   * link.
   */
  received(link: Link, bytes: Uint8Array): void
  /**
   * The link is broken. Before `open` has resolved it may be connected again, and frames received
   * over it must be discarded. Afterwards it stays broken, unless the links of the transport are
   * lasting: then the next frame says that it is connected again.
   */
  down(link: Link, why: string): void
  /** The link is connected, the first time or again. */
  connected?(link: Link): void
  /**
   * After `open` has resolved: this member cannot take part at all, because a neighbour that it
   * connected to has another configuration and no link has ever worked.
   */
  failed?(error: Error): void
}

/** Carries the frames of one member to its neighbours, over numbered FIFO links. */
export interface Transport {
  readonly links: readonly Link[]
  /** Resolves when all links are connected; rejects if that is impossible or takes too long. */
  open(self: LinkIdentity, receiver: FrameReceiver): Promise<void>
  /** Frames sent over a broken link are lost. */
  send(link: Link, bytes: Uint8Array): void
  /**
   * Breaks the connection of a link at once, if there is one: the neighbour is silent, or sends
   * what it must not. Lasting links are then connected again.
   */
  drop(link: Link, why: string): void
  /** Frames sent before still arrive; then the neighbours see their links go down. */
  close(): Promise<void>
}
