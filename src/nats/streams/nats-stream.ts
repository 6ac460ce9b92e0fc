import { Duplex } from 'node:stream'
import { MalformedBytes } from '../../core/runtime/bytes.ts'

import type { MessageCodes } from './message-codes.ts'
import { KIND, readStreamMessage, writeStreamMessage } from './stream-message.ts'

/** Bytes that may be on the way in one direction, read by nobody yet. */
const WINDOW = 2 ** 18

/** After so many ticks without a message to send, the other side is told that this one is there. */
const QUIET_TICKS = 3

/** After so many without a message of the other side, the stream is broken. */
const SILENT_TICKS = 30

/**
 * Milliseconds in which the other side must answer when somebody says that it is not there, or that
 * it refuses: of a stream that is dialled, and of one that has worked.
 */
const DOUBT = { dialled: 100, established: 250 }

/** The codes of both directions. */
export interface StreamSeals {
  readonly incoming: MessageCodes
  readonly outgoing: MessageCodes
}

/** What both sides have agreed on. */
export interface StreamLink {
  readonly seals: StreamSeals
  send(bytes: Uint8Array): void
}

/** What a stream needs of its endpoint. */
export interface StreamOwner {
  /** The longest piece of data in a message. */
  readonly chunk: number
  closed(stream: NatsStream, farewell: Uint8Array | null): void
}

/**
 * A stream of bytes over messages that may be lost. Messages are numbered: after a gap the stream
 * is broken, so that what arrives is always a beginning of what was sent. At most a window of bytes
 * is on the way until the other side has read them.
 */
export class NatsStream extends Duplex {
  /** Once both sides have agreed. */
  private link: StreamLink | null = null
  /** The numbers of the next message in each direction. */
  private nextOut = 0
  private nextIn = 0
  /** Bytes that were sent, and those of them that the other side has read. */
  private sent = 0
  private taken = 0
  /** Bytes that have arrived, and those of them that the other side knows to be read. */
  private arrived = 0
  private told = 0
  private waiting: { rest: Uint8Array; readonly done: () => void } | null = null
  private ending = false
  private quiet = 0
  private silent = 0
  private doubt: NodeJS.Timeout | undefined

  /** `remoteAddress`: the name of the other side. */
  constructor(
    readonly remoteAddress: string,
    private readonly owner: StreamOwner,
  ) {
    super({ allowHalfOpen: false, readableHighWaterMark: WINDOW / 16 })
    // It may break before anybody listens.
    this.on('error', () => {})
  }

  /** Both sides have agreed on the stream; the one that dialled speaks first. */
  establish(link: StreamLink, dialled: boolean): void {
    this.settle()
    this.link = link
    if (dialled) this.dispatch(KIND.ALIVE)
    this.emit('connect')
    this.flush()
  }

  /** A message to this stream; throws MalformedBytes for what the other side did not send. */
  receive(bytes: Uint8Array): void {
    if (this.link === null) return
    const { kind, number, taken, data } = readStreamMessage(bytes, this.link.seals.incoming)
    if (number < this.nextIn) throw new MalformedBytes('a message that was received before')
    if (number > this.nextIn) {
      this.fail('messages were lost on the way')
      return
    }
    if (taken < this.taken || taken > this.sent) {
      this.fail('it has read what was never sent')
      return
    }
    this.nextIn++
    this.silent = 0
    this.settle()
    this.taken = taken
    if (kind === KIND.DATA) this.arrive(data)
    else if (kind === KIND.ASK) this.dispatch(KIND.ALIVE)
    else if (kind === KIND.END) this.push(null)
    else if (kind === KIND.RESET) this.reset(data)
    this.flush()
  }

  /** The server, or who pretends to be it, says that there is no other side. */
  doubtful(why: string): void {
    if (this.doubt !== undefined || this.destroyed) return
    const within = this.link === null ? DOUBT.dialled : DOUBT.established
    this.doubt = setTimeout(() => this.fail(why), within)
    this.dispatch(KIND.ASK)
  }

  /** Called once a second. */
  tick(): void {
    if (this.link === null) return
    this.silent++
    this.quiet++
    if (this.silent > SILENT_TICKS) this.fail(`silent for ${SILENT_TICKS} s`)
    else if (this.quiet >= QUIET_TICKS || this.consumed > this.told) this.dispatch(KIND.ALIVE)
  }

  fail(why: string): void {
    this.destroy(new Error(why))
  }

  override _read(): void {
    if (this.consumed - this.told >= WINDOW / 4) this.dispatch(KIND.ALIVE)
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.waiting = { rest: chunk, done }
    this.flush()
  }

  override _final(done: () => void): void {
    this.ending = true
    this.dispatch(KIND.END)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.settle()
    const { link } = this
    this.link = null
    const over = link === null || (this.ending && error === null)
    const why = new TextEncoder().encode(error?.message ?? '')
    this.owner.closed(this, over ? null : this.message(KIND.RESET, why, link))
    this.waiting = null
    done(error)
  }

  /** Bytes that were read here. */
  private get consumed(): number {
    return this.arrived - this.readableLength
  }

  private arrive(data: Uint8Array): void {
    this.arrived += data.length
    if (this.arrived - this.told > WINDOW) this.fail('it sends more than it may')
    else {
      this.push(data)
      this._read()
    }
  }

  private reset(data: Uint8Array): void {
    const why = new TextDecoder().decode(data)
    if (why === '') this.destroy()
    else this.fail(why)
  }

  /** Sends what waits, as far as the window allows. */
  private flush(): void {
    while (this.waiting !== null && this.link !== null) {
      const { rest, done } = this.waiting
      const most = Math.min(this.owner.chunk, WINDOW - (this.sent - this.taken))
      if (most <= 0) return
      const piece = rest.subarray(0, most)
      this.sent += piece.length
      this.dispatch(KIND.DATA, piece)
      this.waiting = { rest: rest.subarray(piece.length), done }
      if (piece.length < rest.length) continue
      this.waiting = null
      done()
    }
  }

  private dispatch(kind: number, data: Uint8Array = EMPTY): void {
    const { link } = this
    if (link === null) return
    this.quiet = 0
    link.send(this.message(kind, data, link))
  }

  private message(kind: number, data: Uint8Array, { seals }: StreamLink): Uint8Array {
    const number = this.nextOut++
    this.told = this.consumed
    return writeStreamMessage({ kind, number, taken: this.told, data }, seals.outgoing)
  }

  /** The other side is there. */
  private settle(): void {
    clearTimeout(this.doubt)
    this.doubt = undefined
  }
}

const EMPTY = new Uint8Array()
