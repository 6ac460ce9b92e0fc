import type { Socket } from 'node:net'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { FrameReader, framed } from './framing.ts'
import { HELLO_LIMIT } from './handshake.ts'

/** An empty frame says that this side leaves for good; without it the connection broke. */
const GOODBYE = new Uint8Array()

/** Time for the other side to close too before the socket is destroyed, in milliseconds. */
const CLOSE_TIMEOUT = 1000

/** Handles the events of a connection. It is replaced when the handshake is done. */
export interface ConnectionOwner {
  /** Throws MalformedBytes to have the connection closed. */
  frame(bytes: Uint8Array): void
  /** Called once, when no more frames can arrive; not after `finish` or `destroy`. */
  closed(why: string): void
}

/** A socket that carries frames. Malformed input closes it and does no other harm. */
export class Connection {
  private readonly reader = new FrameReader(HELLO_LIMIT)
  private owner: ConnectionOwner
  private failure: string | null = null
  private done = false
  private readonly socketClosed: Promise<void>
  private readonly handshakeTimer: NodeJS.Timeout

  /** The first frame must arrive within `within` milliseconds. */
  constructor(
    private readonly socket: Socket,
    within: number,
    owner: ConnectionOwner,
  ) {
    this.owner = owner
    this.handshakeTimer = setTimeout(() => this.refuse(`no handshake within ${within} ms`), within)
    this.socketClosed = new Promise((resolve) => socket.once('close', () => resolve()))
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 10_000)
    socket.on('data', (chunk) => this.read(chunk))
    socket.on('error', (error) => {
      this.failure ??= reason(error)
    })
    socket.on('close', () => this.end(this.failure ?? this.closeReason()))
  }

  /** The handshake is done: a new owner gets the frames, which may be longer from now on. */
  handOver(owner: ConnectionOwner, limit: number): void {
    clearTimeout(this.handshakeTimer)
    this.owner = owner
    this.reader.limit = limit
  }

  send(bytes: Uint8Array): void {
    if (!this.done) this.socket.write(framed(bytes))
  }

  /** Stops reading, which soon blocks the other side from sending. */
  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  /** Closes from this side. Bytes sent before are still delivered if the other side reads them. */
  refuse(why: string): void {
    if (this.done) return
    this.end(why)
    this.socket.destroySoon()
    void this.closedInTime()
  }

  /** Says goodbye, lets all sent frames arrive, and waits for the other side to close too. */
  async finish(): Promise<void> {
    this.send(GOODBYE)
    this.markDone()
    this.socket.resume()
    this.socket.end()
    await this.closedInTime()
  }

  /** Closes at once, without a goodbye. */
  async destroy(): Promise<void> {
    this.markDone()
    this.socket.destroy()
    await this.socketClosed
  }

  private markDone(): void {
    this.done = true
    clearTimeout(this.handshakeTimer)
  }

  private async closedInTime(): Promise<void> {
    const timer = setTimeout(() => this.socket.destroy(), CLOSE_TIMEOUT)
    await this.socketClosed
    clearTimeout(timer)
  }

  private read(chunk: Uint8Array): void {
    if (this.done) return
    try {
      this.reader.push(chunk, (frame) => this.owner.frame(frame))
    } catch (error) {
      if (!(error instanceof MalformedBytes)) throw error
      this.refuse(error.message)
    }
  }

  private end(why: string): void {
    if (this.done) return
    this.markDone()
    this.owner.closed(why)
  }

  private closeReason(): string {
    return this.reader.midway ? 'cut off in the middle of a frame' : 'closed by the other side'
  }
}

function reason(error: NodeJS.ErrnoException): string {
  return error.code === 'ECONNREFUSED' ? 'connection refused' : error.message
}
