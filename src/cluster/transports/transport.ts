import type { Link } from '../../core/language/net.ts'

/** Who a member says it is; both ends of a link must agree on the first two. */
export interface LinkIdentity {
  /** The schema of the algorithm. */
  readonly schema: string
  /** The number of members. */
  readonly n: number
  readonly position: number
}

/** Whoever takes what a transport brings. */
export interface FrameReceiver {
  /**
   * What was sent over a link, in the order of sending; possibly before `open` has resolved. Throws
   * Malformed where the bytes cannot be honest: then the transport breaks the link.
   */
  received(link: Link, bytes: Uint8Array): void
  /**
   * The link is broken. Until `open` has resolved it may be mended, and what came over it before is
   * to be forgotten; afterwards it is broken for good, unless the links of the transport last: then
   * whatever comes over it again says that it is mended.
   */
  down(link: Link, why: string): void
}

/** Carries the bytes of one member to its neighbours, over numbered links that keep the order. */
export interface Transport {
  readonly links: readonly Link[]
  /** Resolves as soon as all links stand; rejects where waiting is pointless or took too long. */
  open(self: LinkIdentity, receiver: FrameReceiver): Promise<void>
  /** What is sent over a broken link is gone. */
  send(link: Link, bytes: Uint8Array): void
  /** What was sent before still arrives, then the neighbours see their links go down. */
  close(): Promise<void>
}
