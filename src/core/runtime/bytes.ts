import { grown } from './growable-array.ts'

/** Bytes that do not have the expected form: the sender is at fault. */
export class MalformedBytes extends Error {}

/** A well-formed value that no process may send to another. */
export class RefusedValue extends MalformedBytes {}

const BASE = 128

// Making them costs more than a short text.
/** Made when they are needed: the realm of graded files has none. */
let encoder: InstanceType<typeof TextEncoder> | undefined
let decoder: InstanceType<typeof TextDecoder> | undefined

/** Writes canonical bytes into a growable buffer. */
export class ByteWriter {
  private bytes = new Uint8Array(64)
  private view: DataView | null = null
  private length = 0

  /** Bytes written since the last `take`. */
  get size(): number {
    return this.length
  }

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
    this.view ??= new DataView(this.bytes.buffer)
    this.view.setFloat64(this.length, value)
    this.length += 8
  }

  text(value: string): void {
    encoder ??= new TextEncoder()
    const encoded = encoder.encode(value)
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
    this.view = null
  }
}

/** Natural numbers of other processes are smaller: a node can add to them without an overflow. */
const STRANGERS_LIMIT = 2 ** 48

/** Reads the bytes of a ByteWriter; all other bytes are refused as malformed. */
export class ByteReader {
  private position = 0
  private view: DataView | null = null
  private limited = false
  private finite = false

  constructor(private readonly bytes: Uint8Array) {}

  /**
   * A reader for bytes of another process. It refuses counts that are too large to be true, NaN
   * and, where only finite numbers make sense, infinity.
   */
  static ofStranger(bytes: Uint8Array, finite: boolean): ByteReader {
    const reader = new ByteReader(bytes)
    reader.limited = true
    reader.finite = finite
    return reader
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
      // Beyond all numbers it would become infinite, and the value no number.
      if (scale > Number.MAX_SAFE_INTEGER) throw new MalformedBytes('a number beyond 2^53 - 1')
    }
  }

  /** A natural number that is not an id: something is counted with it. */
  count(): number {
    const value = this.nat()
    if (!this.limited || value < STRANGERS_LIMIT) return value
    throw new RefusedValue(`a count beyond 2^48: ${value}`)
  }

  real(): number {
    this.demand(8)
    this.position += 8
    const { bytes } = this
    this.view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const value = this.view.getFloat64(this.position - 8)
    if (!this.limited || (this.finite ? Number.isFinite(value) : !Number.isNaN(value))) return value
    throw new RefusedValue(`not a finite number: ${value}`)
  }

  text(): string {
    const length = this.nat()
    this.demand(length)
    this.position += length
    decoder ??= new TextDecoder()
    return decoder.decode(this.bytes.subarray(this.position - length, this.position))
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
