import type { Socket } from 'node:net'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { FrameReader, framed } from './framing.ts'
import { HELLO_LIMIT } from './handshake.ts'

/** A frame of no bytes says that this side leaves for good; without it the connection broke. */
const FAREWELL = new Uint8Array()

/** How long the other side may take to leave as well before it is cut off, in milliseconds. */
const PATIENCE = 1000

/** What a connection does with what happens to it; changes when the handshake is done. */
export interface ConnectionOwner {
  /** Throws Malformed to have the connection closed. */
  frame(bytes: Uint8Array): void
  /** Nothing more will come. Told once, and not after `finish` or `cut`. */
  closed(why: string): void
}

/** A socket that carries frames. Whatever comes in over it, nothing worse happens than its end. */
export class Connection {
  private readonly reader = new FrameReader(HELLO_LIMIT)
  private attendant: ConnectionOwner
  private trouble: string | null = null
  private done = false
  private readonly gone: Promise<void>
  private readonly silence: NodeJS.Timeout

  /** The first frame must come within so many milliseconds. */
  constructor(
    private readonly socket: Socket,
    within: number,
    attendant: ConnectionOwner,
  ) {
    this.attendant = attendant
    this.silence = setTimeout(() => this.refuse(`no handshake within ${within} ms`), within)
    this.gone = new Promise((resolve) => socket.once('close', () => resolve()))
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 10_000)
    socket.on('data', (chunk) => this.read(chunk))
    socket.on('error', (error) => {
      this.trouble ??= reason(error)
    })
    socket.on('close', () => this.end(this.trouble ?? this.farewell()))
  }

  /** The handshake is done: longer frames are welcome and others attend to them. */
  hand(attendant: ConnectionOwner, limit: number): void {
    clearTimeout(this.silence)
    this.attendant = attendant
    this.reader.limit = limit
  }

  send(bytes: Uint8Array): void {
    if (!this.done) this.socket.write(framed(bytes))
  }

  /** Nothing more is read for now, which soon keeps the other side from sending. */
  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  /** Ends at once, at our will. What was sent before still goes out if the other side reads it. */
  refuse(why: string): void {
    if (this.done) return
    this.end(why)
    this.socket.destroySoon()
    void this.cutOff()
  }

  /** Says farewell, lets everything sent arrive, and waits for the other side to end as well. */
  async finish(): Promise<void> {
    this.send(FAREWELL)
    this.forget()
    this.socket.resume()
    this.socket.end()
    await this.cutOff()
  }

  /** Ends at once and without a word. */
  async cut(): Promise<void> {
    this.forget()
    this.socket.destroy()
    await this.gone
  }

  private forget(): void {
    this.done = true
    clearTimeout(this.silence)
  }

  private async cutOff(): Promise<void> {
    const timer = setTimeout(() => this.socket.destroy(), PATIENCE)
    await this.gone
    clearTimeout(timer)
  }

  private read(chunk: Uint8Array): void {
    if (this.done) return
    try {
      this.reader.push(chunk, (frame) => this.attendant.frame(frame))
    } catch (error) {
      if (!(error instanceof MalformedBytes)) throw error
      this.refuse(error.message)
    }
  }

  private end(why: string): void {
    if (this.done) return
    this.forget()
    this.attendant.closed(why)
  }

  private farewell(): string {
    return this.reader.midway ? 'cut off in the middle of a frame' : 'closed by the other side'
  }
}

function reason(error: NodeJS.ErrnoException): string {
  return error.code === 'ECONNREFUSED' ? 'nobody listens there' : error.message
}
