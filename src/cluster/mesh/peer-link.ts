import { ByteReader, ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'
import type { Clock, TimerHandle } from '../clock.ts'
import type { FrameOwner, FrameStream } from './frame-stream.ts'
import { oneLine } from './handshake.ts'
import type { PeerInfo } from './peer.ts'

/** The first byte of frames of the mesh itself; all others belong to the application. */
const CONTROL = 0

const PING = 1
const PONG = 2
/** Something that the other side should tell its operator. */
const NOTICE = 3
/** This side closes the connection, and says why. */
const GOODBYE = 4

export interface PeerLinkOwner {
  received(link: PeerLink, bytes: Uint8Array): void
  /** Called once, unless this side closed the link. `ended`: the stream ended in order. */
  lost(link: PeerLink, why: string, ended: boolean): void
  noticed(link: PeerLink, text: string): void
}

/** A connection to a member, after the handshake. */
export class PeerLink implements FrameOwner {
  private probes = 0
  private probing: { number: number; timer: TimerHandle; decided(alive: boolean): void } | null =
    null

  constructor(
    readonly peer: PeerInfo,
    readonly frames: FrameStream,
    private readonly clock: Clock,
    private readonly owner: PeerLinkOwner,
    /** See `FrameStream`. */
    staysOpen: number,
  ) {
    frames.staysOpen = staysOpen
  }

  send(bytes: Uint8Array): void {
    if (bytes[0] === CONTROL || bytes.length === 0) throw new Error('frames begin with 1 to 255')
    this.frames.send(bytes)
  }

  /** Asks whether the process at the other end is alive: an answer must arrive in time. */
  probe(within: number, decided: (alive: boolean) => void): void {
    this.stopProbe()
    const number = ++this.probes
    const timer = this.clock.setTimeout(() => this.decide(false), within)
    this.probing = { number, timer, decided }
    this.control(PING, (out) => out.nat(number))
  }

  stopProbe(): void {
    if (this.probing !== null) this.clock.clearTimeout(this.probing.timer)
    this.probing = null
  }

  notice(text: string): void {
    this.control(NOTICE, (out) => out.text(text))
  }

  /** Closes the link. The owner is not called any more. */
  leave(why: string): void {
    this.stopProbe()
    this.control(GOODBYE, (out) => out.text(why))
    this.frames.end()
  }

  frame(bytes: Uint8Array): void {
    if (bytes.length === 0) throw new MalformedBytes('an empty frame')
    if (bytes[0] === CONTROL) this.handle(new ByteReader(bytes.subarray(1)))
    else this.owner.received(this, bytes)
  }

  private handle(input: ByteReader): void {
    const kind = input.byte()
    if (kind === PING) {
      const number = input.nat()
      this.control(PONG, (out) => out.nat(number))
    } else if (kind === PONG) {
      if (input.nat() === this.probing?.number) this.decide(true)
    } else if (kind === NOTICE) {
      this.owner.noticed(this, oneLine(input.text()))
    } else if (kind === GOODBYE) {
      const why = oneLine(input.text())
      this.frames.destroy()
      this.lose(`it closed the connection: ${why}`, false)
    }
    // Other kinds belong to later versions of the protocol.
  }

  closed(why: string, _malformed: boolean, ended: boolean): void {
    this.lose(why, ended)
  }

  private lose(why: string, ended: boolean): void {
    this.stopProbe()
    this.owner.lost(this, why, ended)
  }

  private decide(alive: boolean): void {
    const { probing } = this
    this.stopProbe()
    probing?.decided(alive)
  }

  private control(kind: number, write: (out: ByteWriter) => void): void {
    const out = new ByteWriter()
    out.byte(CONTROL)
    out.byte(kind)
    write(out)
    this.frames.send(out.take())
  }
}
