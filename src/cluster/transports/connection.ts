import { ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'
import { FrameReader, writeFrame } from './framing.ts'
import { HELLO_LIMIT } from './handshake.ts'
import type { PeerStream } from './stream-transport.ts'

/** An empty frame says that this side leaves for good; without it the connection broke. */
const GOODBYE = new Uint8Array()

/** Time for the other side to close too before the stream is destroyed, in milliseconds. */
const CLOSE_TIMEOUT = 1000

/** Handles the events of a connection. It is replaced when the handshake is done. */
export interface ConnectionOwner {
  /** Throws MalformedBytes to have the connection closed. */
  frame(bytes: Uint8Array): void
  /** Called once, when no more frames can arrive; not after `finish` or `destroy`. */
  closed(why: string): void
}

/** What a connection accepts, and how much may wait to be sent before it is closed. */
export interface ConnectionLimits {
  /** The longest frame, in bytes. */
  readonly frame: number
  /** Bytes that wait because the other side does not read them. */
  readonly output: number
  /** Milliseconds for which nothing could be sent although bytes wait. */
  readonly stalled: number
}

/** Before the handshake is done a connection carries no more than two short frames. */
const HANDSHAKE: ConnectionLimits = { frame: HELLO_LIMIT, output: 2 ** 16, stalled: Infinity }

/** A stream that carries frames. Malformed input closes it and does no other harm. */
export class Connection {
  private readonly reader = new FrameReader(HANDSHAKE.frame)
  private limits = HANDSHAKE
  private owner: ConnectionOwner
  private failure: string | null = null
  private done = false
  /** Frames that are written together: at the end of this turn, or when the last were taken. */
  private readonly output = new ByteWriter()
  private writing = false
  private scheduled = false
  /** When the last write began or ended. */
  private lastWrite = 0
  private readonly streamClosed: Promise<void>
  private handshakeTimer: NodeJS.Timeout

  /** The first frame must arrive within `within` milliseconds. */
  constructor(
    private readonly stream: PeerStream,
    within: number,
    owner: ConnectionOwner,
  ) {
    this.owner = owner
    this.handshakeTimer = this.expire(within, `no handshake within ${within} ms`)
    this.streamClosed = new Promise((resolve) => stream.once('close', () => resolve()))
    stream.on('data', (chunk) => this.read(chunk))
    stream.on('error', (error) => {
      this.failure ??= reason(error)
    })
    stream.on('close', () => this.end(this.failure ?? this.closeReason()))
  }

  /** The stream must be connected within this time; then `connected` is called. */
  awaitConnect(within: number, handshakeWithin: number, connected: () => void): void {
    clearTimeout(this.handshakeTimer)
    this.handshakeTimer = this.expire(within, `no answer within ${within} ms`)
    this.stream.once('connect', () => {
      clearTimeout(this.handshakeTimer)
      if (this.done) return
      this.handshakeTimer = this.expire(
        handshakeWithin,
        `no handshake within ${handshakeWithin} ms`,
      )
      connected()
    })
  }

  /** The handshake is done: a new owner gets the frames, within other limits. */
  handOver(owner: ConnectionOwner, limits: ConnectionLimits): void {
    clearTimeout(this.handshakeTimer)
    this.owner = owner
    this.limits = limits
    this.reader.limit = limits.frame
  }

  send(bytes: Uint8Array): void {
    if (this.done) return
    writeFrame(this.output, bytes)
    const waiting = this.output.size + this.stream.writableLength
    const stalled = this.writing && performance.now() - this.lastWrite > this.limits.stalled
    // Not within the call: the sender is in the middle of a handler.
    if (stalled || waiting > this.limits.output)
      queueMicrotask(() => this.fail(`it does not read, and ${waiting} bytes wait for it`))
    if (this.writing || this.scheduled) return
    this.scheduled = true
    queueMicrotask(() => {
      this.scheduled = false
      if (!this.done) this.write()
    })
  }

  /** Stops reading, which soon blocks the other side from sending. */
  pause(): void {
    this.stream.pause()
  }

  resume(): void {
    this.stream.resume()
  }

  /** Closes from this side. Bytes sent before are still delivered if the other side reads them. */
  refuse(why: string): void {
    if (this.done) return
    this.write()
    this.end(why)
    this.stream.destroySoon()
    void this.closedInTime()
  }

  /** Closes from this side at once: bytes that wait are lost. */
  fail(why: string): void {
    if (this.done) return
    this.end(why)
    this.stream.destroy()
  }

  /** Says goodbye, lets all sent frames arrive, and waits for the other side to close too. */
  async finish(): Promise<void> {
    this.send(GOODBYE)
    this.write()
    this.markDone()
    this.stream.resume()
    this.stream.end()
    await this.closedInTime()
  }

  /** Closes at once, without a goodbye. */
  async destroy(): Promise<void> {
    this.markDone()
    this.stream.destroy()
    await this.streamClosed
  }

  private write(): void {
    if (this.output.size === 0 || this.stream.destroyed) return
    if (!this.writing) this.lastWrite = performance.now()
    this.writing = true
    this.stream.write(this.output.take(), () => {
      this.writing = false
      this.lastWrite = performance.now()
      if (!this.done) this.write()
    })
  }

  private expire(within: number, why: string): NodeJS.Timeout {
    return setTimeout(() => this.refuse(why), within)
  }

  private markDone(): void {
    this.done = true
    clearTimeout(this.handshakeTimer)
  }

  private async closedInTime(): Promise<void> {
    const timer = setTimeout(() => this.stream.destroy(), CLOSE_TIMEOUT)
    await this.streamClosed
    clearTimeout(timer)
  }

  private read(chunk: Uint8Array): void {
    if (this.done) return
    try {
      // A frame may close the connection: those behind it are lost then.
      this.reader.push(chunk, (frame) => {
        if (!this.done) this.owner.frame(frame)
      })
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
