import { COLOURS, Palette } from './palette.ts'

/** The picture of one moment: four bytes for each pixel. */
export interface FilmFrame {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

/** Pixels of this index stay as they were in the frame before. */
const UNCHANGED = COLOURS

/** Writes an animated GIF that repeats, frame by frame, with one palette for all. */
export class GifWriter {
  private readonly parts: Uint8Array[] = []
  private before: Uint8Array | null = null

  /** Colours are chosen from `samples`; `delay` is in hundredths of a second. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    samples: readonly FilmFrame[],
    private readonly delay: number,
    private readonly palette = new Palette(samples),
  ) {
    this.parts.push(ascii('GIF89a'), words(width, height), Uint8Array.of(0xf7, 0, 0))
    this.parts.push(palette.table)
    this.parts.push(
      Uint8Array.of(0x21, 0xff, 11),
      ascii('NETSCAPE2.0'),
      Uint8Array.of(3, 1, 0, 0, 0),
    )
  }

  /** Only the part that has changed is written. */
  add({ data }: FilmFrame): void {
    const indices = this.palette.indicesOf(data)
    const box = this.before === null ? this.whole() : this.changed(indices, this.before)
    const pixels = new Uint8Array(box.width * box.height)
    for (let y = 0; y < box.height; y++)
      for (let x = 0; x < box.width; x++) {
        const at = (box.y + y) * this.width + box.x + x
        const same = this.before !== null && this.before[at] === indices[at]
        pixels[y * box.width + x] = same ? UNCHANGED : indices[at]
      }
    this.before = indices
    // Nothing is disposed of; the last colour is transparent.
    this.parts.push(Uint8Array.of(0x21, 0xf9, 4, 0x05), words(this.delay))
    this.parts.push(Uint8Array.of(UNCHANGED, 0, 0x2c), words(box.x, box.y, box.width, box.height))
    this.parts.push(Uint8Array.of(0, 8), ...blocks(compress(pixels)))
  }

  finish(): Blob {
    return new Blob([...this.parts, Uint8Array.of(0x3b)] as BlobPart[], { type: 'image/gif' })
  }

  private whole() {
    return { x: 0, y: 0, width: this.width, height: this.height }
  }

  /** The smallest rectangle with all changes; one pixel where there is none. */
  private changed(now: Uint8Array, before: Uint8Array) {
    let [left, top, right, bottom] = [this.width, this.height, 0, 0]
    for (let at = 0; at < now.length; at++) {
      if (now[at] === before[at]) continue
      const x = at % this.width
      const y = (at - x) / this.width
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
    if (left > right) return { x: 0, y: 0, width: 1, height: 1 }
    return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  }
}

/** Data of any length as blocks of at most 255 bytes, each after its length. */
function blocks(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let from = 0; from < bytes.length; from += 255) {
    const block = bytes.subarray(from, from + 255)
    parts.push(Uint8Array.of(block.length), block)
  }
  return [...parts, Uint8Array.of(0)]
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

/** Numbers of sixteen bits, the low byte first. */
function words(...numbers: number[]): Uint8Array {
  return Uint8Array.from(numbers.flatMap((number) => [number & 0xff, number >> 8]))
}

/** Codes of GIF: colours, then two that are not colours, then sequences as they appear. */
const CLEAR = 256
const END = 257
const MOST_CODES = 4096
/** A prime that is larger than the number of codes, so that few sequences collide. */
const PLACES = 5003

/** The pixels of a picture as the LZW codes of GIF, of nine to twelve bits. */
function compress(pixels: Uint8Array): Uint8Array {
  const bits = new BitWriter(pixels.length)
  const sequences = new Int32Array(PLACES)
  const codes = new Uint16Array(PLACES)
  let next = END + 1
  let width = 9
  bits.write(CLEAR, width)
  if (pixels.length === 0) {
    bits.write(END, width)
    return bits.finish()
  }
  let code: number = pixels[0]
  for (let i = 1; i < pixels.length; i++) {
    // The code of a sequence and its next pixel; never 0, which marks free places.
    const sequence = ((code << 8) | pixels[i]) + 1
    let place = sequence % PLACES
    while (sequences[place] !== 0 && sequences[place] !== sequence) place = (place + 1) % PLACES
    if (sequences[place] === sequence) {
      code = codes[place]
      continue
    }
    bits.write(code, width)
    code = pixels[i]
    if (next < MOST_CODES) {
      if (next === 1 << width) width++
      sequences[place] = sequence
      codes[place] = next++
    } else {
      bits.write(CLEAR, width)
      sequences.fill(0)
      next = END + 1
      width = 9
    }
  }
  bits.write(code, width)
  if (next === 1 << width && width < 12) width++
  bits.write(END, width)
  return bits.finish()
}

/** Numbers of a few bits, the low bits first. */
class BitWriter {
  private bytes: Uint8Array
  private length = 0
  private rest = 0
  private held = 0

  constructor(expected: number) {
    this.bytes = new Uint8Array(Math.max(64, expected >> 2))
  }

  write(value: number, width: number): void {
    this.rest |= value << this.held
    this.held += width
    for (; this.held >= 8; this.held -= 8) {
      this.push(this.rest & 0xff)
      this.rest >>= 8
    }
  }

  finish(): Uint8Array {
    if (this.held > 0) this.push(this.rest & 0xff)
    return this.bytes.subarray(0, this.length)
  }

  private push(byte: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(2 * this.length)
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.bytes[this.length++] = byte
  }
}
