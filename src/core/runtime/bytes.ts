import { grown } from './growable-array.ts'

/** Bytes that do not have the expected form: the sender is at fault. */
export class MalformedBytes extends Error {}

const BASE = 128

/** Writes canonical bytes into a growable buffer. */
export class ByteWriter {
  private bytes = new Uint8Array(64)
  private view = new DataView(this.bytes.buffer)
  private length = 0

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  /** A natural number below 2^53, seven bits a byte, least significant first. */
  nat(value: number): void {
    if (!(Number.isSafeInteger(value) && value >= 0)) {
      const text = typeof value === 'string' ? `${JSON.stringify(value)} (a string)` : value
      throw new Error(`${text} is not a natural number below 2^53`)
    }
    this.reserve(8)
    let rest = value
    while (rest >= BASE) {
      this.bytes[this.length++] = (rest % BASE) + BASE
      rest = Math.floor(rest / BASE)
    }
    this.bytes[this.length++] = rest
  }

  real(value: number): void {
    this.reserve(8)
    this.view.setFloat64(this.length, value)
    this.length += 8
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value)
    this.nat(encoded.length)
    this.raw(encoded)
  }

  raw(chunk: Uint8Array): void {
    this.reserve(chunk.length)
    this.bytes.set(chunk, this.length)
    this.length += chunk.length
  }

  /** A copy of the bytes written since the last call; the writer is empty again. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length)
    this.length = 0
    return taken
  }

  private reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    this.bytes = grown(this.bytes, Math.max(needed, 2 * this.bytes.length))
    this.view = new DataView(this.bytes.buffer)
  }
}

/** Reads the bytes of a ByteWriter; all other bytes are refused as malformed. */
export class ByteReader {
  private position = 0
  private readonly view: DataView

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get left(): number {
    return this.bytes.length - this.position
  }

  byte(): number {
    this.demand(1)
    return this.bytes[this.position++]
  }

  nat(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.byte()
      value += (byte % BASE) * scale
      if (value > Number.MAX_SAFE_INTEGER) throw new MalformedBytes('a number beyond 2^53 - 1')
      if (byte < BASE) {
        if (byte === 0 && scale > 1) throw new MalformedBytes('a number with needless bytes')
        return value
      }
      scale *= BASE
    }
  }

  real(): number {
    this.demand(8)
    this.position += 8
    return this.view.getFloat64(this.position - 8)
  }

  text(): string {
    const length = this.nat()
    this.demand(length)
    this.position += length
    return new TextDecoder().decode(this.bytes.subarray(this.position - length, this.position))
  }

  /** All remaining bytes. */
  rest(): Uint8Array {
    const { left } = this
    this.position += left
    return this.bytes.subarray(this.bytes.length - left)
  }

  end(): void {
    if (this.left > 0) throw new MalformedBytes(`${this.left} bytes too many`)
  }

  private demand(count: number): void {
    if (count > this.left) throw new MalformedBytes(`${count - this.left} bytes too few`)
  }
}
