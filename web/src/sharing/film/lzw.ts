/** Codes of GIF: colours, then two that are not colours, then sequences as they appear. */
const CLEAR = 256
const END = 257
const MOST_CODES = 4096
/** A prime that is larger than the number of codes, so that few sequences collide. */
const PLACES = 5003

/** The pixels of a picture as the LZW codes of GIF, of nine to twelve bits. */
export function compress(pixels: Uint8Array): Uint8Array {
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
