import { MalformedBytes } from '../../core/runtime/bytes.ts'
import type { Clock, TimerHandle } from '../clock.ts'
import { FrameReader, framed } from '../transports/framing.ts'
import { HANDSHAKE_LIMIT } from './handshake.ts'
import type { Stream } from './stream.ts'

/** Bounds on what a connection takes up. */
export interface FrameLimits {
  /** The longest frame of a handshake, in bytes. */
  readonly handshake: number
  /** The longest frame after it. */
  readonly frame: number
  /** Bytes that may wait for a peer to read them; more break the connection. */
  readonly output: number
}

const LIMITS: FrameLimits = { handshake: HANDSHAKE_LIMIT, frame: 1 << 20, output: 1 << 20 }
/** Time for the last bytes to leave before the stream is destroyed, in milliseconds. */
const LINGER = 500

/** Gets the events of a stream of frames. It is replaced when the handshake is done. */
export interface FrameOwner {
  /** What it throws breaks the connection. */
  frame(bytes: Uint8Array): void
  /**
   * Called once, unless this side ended the stream. `malformed`: the other side is at fault.
   * `ended`: the other side ended the stream in order.
   */
  closed(why: string, malformed: boolean, ended: boolean): void
}

/** A stream that carries frames. What strangers write can break it and do no other harm. */
export class FrameStream {
  private readonly limits: FrameLimits
  private readonly reader: FrameReader
  private owner: FrameOwner | null = null
  private queue: Uint8Array[] = []
  private queued = 0
  private flushing = false
  private done = false
  private lingering: TimerHandle | null = null
  /**
   * Milliseconds for which the stream stays open after this side is done with it, unless the other
   * side closes it. Not 0 where its end would show that this process is gone.
   */
  staysOpen = 0
  /** Bytes in each direction, for reports. */
  sent = 0
  received = 0

  constructor(
    readonly stream: Stream,
    private readonly clock: Clock,
    /** Called once, when the stream uses up nothing any more. */
    private readonly released: () => void,
    limits: Partial<FrameLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits }
    this.reader = new FrameReader(this.limits.handshake)
  }

  get open(): boolean {
    return !this.done
  }

  /** Bytes that have not left yet. */
  get buffered(): number {
    return this.queued + this.stream.buffered
  }

  start(owner: FrameOwner): void {
    this.owner = owner
    this.stream.listen({
      data: (bytes) => this.read(bytes),
      closed: (why, orderly) => {
        const midway = this.reader.midway ? ' in the middle of a frame' : ''
        const ended = this.done
        this.release()
        if (!ended) this.owner!.closed(why + midway, false, orderly)
      },
    })
  }

  /** The handshake is done: a new owner gets the frames, which may be longer from now on. */
  handOver(owner: FrameOwner): void {
    this.owner = owner
    this.reader.limit = this.limits.frame
  }

  /** Frames that are sent in one turn of the event loop leave in one write. */
  send(bytes: Uint8Array): void {
    if (this.done) return
    if (this.queued <= this.limits.output) {
      const frame = framed(bytes)
      this.queue.push(frame)
      this.queued += frame.length
    }
    if (this.flushing) return
    this.flushing = true
    queueMicrotask(() => this.flush())
  }

  /** Sends a last frame and closes. The owner is not called any more. */
  end(last?: Uint8Array): void {
    if (this.done) return
    if (last !== undefined) this.send(last)
    this.write()
    this.done = true
    if (this.staysOpen === 0) this.stream.end()
    this.linger(this.clock.now() + Math.max(LINGER, this.staysOpen))
  }

  private linger(until: number): void {
    const left = until - this.clock.now()
    if (left <= 0) this.release()
    else this.lingering = this.clock.setTimeout(() => this.linger(until), left)
  }

  /** Closes at once. The owner is not called any more. */
  destroy(): void {
    this.release()
  }

  private release(): void {
    if (this.done && this.lingering === null) return
    this.done = true
    if (this.lingering !== null) this.clock.clearTimeout(this.lingering)
    this.lingering = null
    this.queue = []
    this.stream.destroy()
    this.released()
  }

  private flush(): void {
    this.flushing = false
    if (this.done) return
    const tooMuch = this.buffered > this.limits.output
    this.write()
    if (tooMuch) this.fail('it does not read what is sent to it', false)
  }

  private write(): void {
    const { queue } = this
    if (queue.length === 0) return
    this.queue = []
    const bytes = queue.length === 1 ? queue[0] : joined(queue, this.queued)
    this.queued = 0
    this.sent += bytes.length
    this.stream.write(bytes)
  }

  private read(bytes: Uint8Array): void {
    this.received += bytes.length
    try {
      this.reader.push(bytes, (frame) => {
        if (this.done) return
        this.owner!.frame(frame)
      })
    } catch (error) {
      const malformed = error instanceof MalformedBytes
      this.fail(malformed ? error.message : `a frame could not be handled: ${error}`, malformed)
    }
  }

  /** The owner is told before the stream is closed. */
  private fail(why: string, malformed: boolean): void {
    if (this.done) return
    this.owner!.closed(why, malformed, false)
    const stays = this.staysOpen > 0 && this.lingering !== null
    if (!stays) this.release()
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
