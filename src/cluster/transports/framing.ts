import { MalformedBytes } from '../../core/runtime/bytes.ts'

const HEADER = 4
/** The first two bytes of a TLS handshake. */
const TLS_HANDSHAKE = 0x1603

/** A frame as it is sent: its length in four bytes, then its bytes. */
export function framed(bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  const frame = new Uint8Array(HEADER + length)
  frame[0] = length >>> 24
  frame[1] = length >>> 16
  frame[2] = length >>> 8
  frame[3] = length
  frame.set(bytes, HEADER)
  return frame
}

/** Cuts a stream into frames, whatever the pieces in which it arrives. */
export class FrameReader {
  private readonly header = new Uint8Array(HEADER)
  private body: Uint8Array | null = null
  private filled = 0

  /** A longer frame is refused before memory is allocated for it. */
  constructor(public limit: number) {}

  /** Whether the stream is in the middle of a frame. */
  get midway(): boolean {
    return this.body !== null || this.filled > 0
  }

  push(chunk: Uint8Array, take: (frame: Uint8Array) => void): void {
    let rest = chunk
    while (rest.length > 0) {
      const target = this.body ?? this.header
      const piece = rest.subarray(0, target.length - this.filled)
      target.set(piece, this.filled)
      this.filled += piece.length
      rest = rest.subarray(piece.length)
      if (this.filled < target.length) return
      this.filled = 0
      if (this.body === null) this.body = new Uint8Array(this.length())
      if (this.body === target || this.body.length === 0) {
        const whole = this.body
        this.body = null
        take(whole)
      }
    }
  }

  private length(): number {
    const [a, b, c, d] = this.header
    const length = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
    if (length > this.limit) {
      throw new MalformedBytes(
        length >>> 16 === TLS_HANDSHAKE
          ? 'it speaks TLS: it has a secret or certificates, and this member has neither'
          : `a frame of ${length} bytes exceeds the limit of ${this.limit}`,
      )
    }
    return length
  }
}
