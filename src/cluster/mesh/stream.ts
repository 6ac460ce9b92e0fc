import type { AbortSignal } from '../../core/platform-types.ts'
import type { Address } from '../transports/address.ts'

/** Gets what happens on a stream. */
export interface StreamListener {
  data(bytes: Uint8Array): void
  /**
   * Called once: no more bytes arrive, and none that are written are delivered. `ended`: the other
   * side or its system ended the stream in order; it was not reset, and nothing failed.
   */
  closed(why: string, ended: boolean): void
}

export interface TlsProblem {
  readonly reason: 'no-tls' | 'no-certificate' | 'expired' | 'foreign' | 'secret'
  /** A sentence about the other side, without its subject: `has no certificate`. */
  readonly detail: string
}

/** A stream of bytes in both directions, in order: a TCP or TLS socket, or a virtual one. */
export interface Stream {
  /** Where it comes from or goes to, for logs. */
  readonly remote: string
  /** The names in the valid certificate of the other side, set before data arrives; null: none. */
  readonly certifiedNames: readonly string[] | null
  /** The other side has shown that it knows the shared secret; set before data arrives. */
  readonly sharesSecret?: boolean
  /** With TLS: why the other side is not trusted; set before data arrives or the stream closes. */
  readonly tlsProblem?: TlsProblem | null
  /** Bytes that were written and have not left yet. */
  readonly buffered: number
  listen(listener: StreamListener): void
  write(bytes: Uint8Array): void
  /** Stops and goes on reading. */
  pause(): void
  resume(): void
  /** Delivers what was written, then closes. */
  end(): void
  /** Closes at once. The listener is not called afterwards. */
  destroy(): void
}

/** Accepts streams at an address, until it is closed. */
export interface StreamServer {
  readonly address: Address
  close(): Promise<void>
}

/** The certificates of a member, in PEM. */
export interface TlsCredentials {
  /** The authority that signed the certificates of all members. */
  readonly ca: string | Uint8Array
  readonly cert: string | Uint8Array
  readonly key: string | Uint8Array
}

/** Makes streams. A simulation provides a virtual network. */
export interface Network {
  /** Its addresses are the names of members, and not hosts with ports. */
  readonly byName?: boolean
  /**
   * `dropped` is called for connections that were closed at once, because there are too many or
   * for the reason that is given.
   */
  listen(
    address: Address,
    accepted: (stream: Stream) => void,
    dropped?: (remote: string, why?: string) => void,
  ): Promise<StreamServer>
  /** Rejects with one line that says why there is no stream. */
  dial(address: Address, timeout: number, signal?: AbortSignal): Promise<Stream>
  /** The addresses behind a name: host and port, or an SRV record. */
  resolve(name: string): Promise<Address[]>
  /** Ends what is shared by all streams, if anything is. */
  close?(): Promise<void>
}
