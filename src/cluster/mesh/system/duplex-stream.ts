import { addressText } from '../../transports/address.ts'
import type { PeerStream } from '../../transports/stream-transport.ts'
import type { Stream, StreamListener, TlsProblem } from '../stream.ts'

/** A TCP socket, one with TLS, or another duplex stream of Node, as a stream. */
export class DuplexStream implements Stream {
  readonly remote: string
  certifiedNames: readonly string[] | null = null
  tlsProblem: TlsProblem | null = null
  sharesSecret = false
  private listener: StreamListener | null = null
  private failure: string | null = null
  private done = false
  private ended = false

  /**
   * With TLS on accepted sockets the one below; `secure` gives the one above it when its handshake
   * is done.
   */
  constructor(
    private socket: PeerStream,
    /** With TLS: it does not always close when the one above it fails. */
    private below: PeerStream | null = null,
  ) {
    this.remote = remoteText(socket.remoteAddress, socket.remotePort)
    this.watch(socket)
  }

  get buffered(): number {
    return this.socket.writableLength
  }

  /** From now on data goes through this socket. */
  secure(socket: PeerStream): void {
    this.below = this.socket
    this.socket = socket
    this.awaitsTls = false
    this.watch(socket)
    if (this.listener !== null) this.read()
  }

  listen(listener: StreamListener): void {
    this.listener = listener
    if (this.done) queueMicrotask(() => this.tell(listener))
    else if (!this.awaitsTls) this.read()
  }

  /** Set for a socket whose data is still that of the TLS handshake. */
  awaitsTls = false

  write(bytes: Uint8Array): void {
    if (!this.done && this.socket.writable) this.socket.write(bytes)
  }

  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  end(): void {
    if (!this.done) this.socket.end()
  }

  destroy(): void {
    this.listener = null
    this.socket.destroy()
    this.below?.destroy()
  }

  private read(): void {
    this.socket.on('data', (bytes) => this.listener?.data(bytes))
  }

  private watch(socket: PeerStream): void {
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.failure ??= problemOf(error)
      this.below?.destroy()
      this.close(false)
    })
    socket.on('end', () => this.close(true))
    socket.on('close', () => this.close(false))
  }

  private close(ended: boolean): void {
    if (this.done) return
    this.done = true
    this.ended = ended
    if (this.listener !== null) this.tell(this.listener)
  }

  private tell(listener: StreamListener): void {
    listener.closed(this.failure ?? CLOSED, this.ended && this.failure === null)
  }
}

/** The address of the other side, with IPv4 as people write it; a name has no port. */
export function remoteText(address = 'unknown', port?: number): string {
  const host = address.replace(/^::ffff:/i, '')
  return port === undefined ? host : addressText({ host, port })
}

const CLOSED = 'closed by the other side'

const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'no answer',
  EPIPE: CLOSED,
}

/** What an error of a socket means, in a few words. */
export function problemOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (code.startsWith('ERR_SSL_')) return 'its bytes were changed on the way'
  return PROBLEMS[code] ?? message
}
