/*
 * QR codes (ISO/IEC 18004) of texts as bytes, with the error correction of level L. `version` is
 * the size from 1 to 40; a code of version v has 17 + 4v modules on each side.
 */

/** Codewords of error correction in each block, and the number of blocks, by version. */
const CORRECTION = [
  7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26,
  28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
]
const BLOCKS = [
  1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15,
  16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
]
const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

type Modules = boolean[][]

/** The modules of a code, row by row, true for dark; null for a text that is too long. */
export function qrModules(text: string): Modules | null {
  const bytes = new TextEncoder().encode(text)
  const version =
    BLOCKS.findIndex((_, i) => bytes.length + headBytes(i + 1) <= dataBytes(i + 1)) + 1
  if (version === 0) return null
  const code = new QrGrid(version)
  code.placeBits(withCorrection(dataWords(bytes, version), version))
  return code.masked()
}

/** The number of codewords of a version. */
function allBytes(version: number): number {
  let modules = (16 * version + 128) * version + 64
  if (version >= 2) {
    const aligned = Math.floor(version / 7) + 2
    modules -= (25 * aligned - 10) * aligned - 55
    if (version >= 7) modules -= 36
  }
  return Math.floor(modules / 8)
}

function dataBytes(version: number): number {
  return allBytes(version) - CORRECTION[version - 1] * BLOCKS[version - 1]
}

/** The bytes of mode and length, rounded up. */
function headBytes(version: number): number {
  return version < 10 ? 2 : 3
}

function dataWords(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = []
  const add = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1)
  }
  const capacity = 8 * dataBytes(version)
  add(0b0100, 4)
  add(bytes.length, version < 10 ? 8 : 16)
  for (const byte of bytes) add(byte, 8)
  add(0, Math.min(4, capacity - bits.length))
  add(0, -bits.length & 7)
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) add(pad, 8)
  return Array.from({ length: bits.length / 8 }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((word, bit) => (word << 1) | bit, 0),
  )
}

/** Splits words into blocks, adds the correction of each, and interleaves all. */
function withCorrection(words: readonly number[], version: number): number[] {
  const [blocks, extra] = [BLOCKS[version - 1], CORRECTION[version - 1]]
  const short = blocks - (words.length % blocks)
  const length = Math.floor(words.length / blocks)
  const divisor = generator(extra)
  const start = (i: number) => i * length + Math.max(0, i - short)
  const parts = Array.from({ length: blocks }, (_, i) => {
    const data = words.slice(start(i), start(i + 1))
    return { data, correction: remainder(data, divisor) }
  })
  const column = (pick: 'data' | 'correction', i: number) =>
    parts.flatMap((part) => (i < part[pick].length ? [part[pick][i]] : []))
  return [
    ...Array.from({ length: length + 1 }, (_, i) => column('data', i)),
    ...Array.from({ length: extra }, (_, i) => column('correction', i)),
  ].flat()
}

/** The product in the field of 256 elements with the polynomial 0x11d. */
function product(a: number, b: number): number {
  let result = 0
  for (let i = 7; i >= 0; i--) {
    result = (result << 1) ^ ((result >> 7) * 0x11d)
    result ^= ((b >> i) & 1) * a
  }
  return result
}

/** The product of (x - 2^i) for all i below a degree, without its first coefficient. */
function generator(degree: number): number[] {
  const result = [...Array<number>(degree - 1).fill(0), 1]
  for (let i = 0, root = 1; i < degree; i++, root = product(root, 2))
    for (let j = 0; j < degree; j++)
      result[j] = product(result[j], root) ^ (j + 1 < degree ? result[j + 1] : 0)
  return result
}

/** The remainder of a division by the generator: the words of the error correction. */
function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const result = divisor.map(() => 0)
  for (const word of data) {
    const factor = word ^ result.shift()!
    result.push(0)
    divisor.forEach((coefficient, i) => {
      result[i] ^= product(coefficient, factor)
    })
  }
  return result
}

class QrGrid {
  readonly size: number
  private readonly dark: Modules
  /** Modules that carry no data. */
  private readonly fixed: Modules

  constructor(private readonly version: number) {
    this.size = 17 + 4 * version
    const empty = () =>
      Array.from({ length: this.size }, () => Array<boolean>(this.size).fill(false))
    this.dark = empty()
    this.fixed = empty()
    for (let i = 0; i < this.size; i++) {
      this.fix(6, i, i % 2 === 0)
      this.fix(i, 6, i % 2 === 0)
    }
    for (const [x, y] of [
      [3, 3],
      [this.size - 4, 3],
      [3, this.size - 4],
    ])
      this.square(x, y, 4)
    const places = alignments(version, this.size)
    const last = places.at(-1)
    for (const x of places)
      for (const y of places)
        if (![x, y].includes(6) || (x !== y && ![x, y].includes(last!))) this.square(x, y, 2)
    this.drawFormat(0)
    this.drawVersion()
  }

  /** Places the bits in columns of two, upwards and downwards by turns, from the right. */
  placeBits(words: readonly number[]): void {
    let i = 0
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5
      for (let step = 0; step < this.size; step++) {
        const y = ((right + 1) & 2) === 0 ? this.size - 1 - step : step
        for (const x of [right, right - 1]) {
          if (this.fixed[y][x] || i >= 8 * words.length) continue
          this.dark[y][x] = ((words[i >> 3] >> (7 - (i & 7))) & 1) === 1
          i++
        }
      }
    }
  }

  /** The code with the mask that leaves the fewest patterns that mislead a reader. */
  masked(): Modules {
    const codes = MASKS.map((mask, i) => {
      this.drawFormat(i)
      return this.dark.map((row, y) =>
        row.map((dark, x) => dark !== (!this.fixed[y][x] && mask(x, y))),
      )
    })
    const penalties = codes.map(penalty)
    return codes[penalties.indexOf(Math.min(...penalties))]
  }

  private fix(x: number, y: number, dark: boolean): void {
    this.dark[y][x] = dark
    this.fixed[y][x] = true
  }

  /** Squares in each other around a centre: a finder with its margin, or an alignment. */
  private square(cx: number, cy: number, radius: 2 | 4): void {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++) {
        const [x, y] = [cx + dx, cy + dy]
        const far = Math.max(Math.abs(dx), Math.abs(dy))
        if (x < 0 || y < 0 || x >= this.size || y >= this.size) continue
        this.fix(x, y, radius === 4 ? far !== 2 && far !== 4 : far !== 1)
      }
  }

  private drawFormat(mask: number): void {
    const data = (0b01 << 3) | mask
    const bits = ((data << 10) | checkBits(data, 10, 0x537)) ^ 0x5412
    const bit = (i: number) => ((bits >> i) & 1) === 1
    for (let i = 0; i < 15; i++) {
      const near = i < 6 ? i : i < 8 ? i + 1 : this.size - 15 + i
      this.fix(8, near, bit(i))
      const along = i < 8 ? this.size - 1 - i : i === 8 ? 7 : 14 - i
      this.fix(along, 8, bit(i))
    }
    this.fix(8, this.size - 8, true)
  }

  private drawVersion(): void {
    if (this.version < 7) return
    const bits = (this.version << 12) | checkBits(this.version, 12, 0x1f25)
    for (let i = 0; i < 18; i++) {
      const [a, b] = [this.size - 11 + (i % 3), Math.floor(i / 3)]
      this.fix(a, b, ((bits >> i) & 1) === 1)
      this.fix(b, a, ((bits >> i) & 1) === 1)
    }
  }
}

function checkBits(data: number, degree: number, divisor: number): number {
  let rest = data
  for (let i = 0; i < degree; i++) rest = (rest << 1) ^ ((rest >> (degree - 1)) * divisor)
  return rest
}

/** The coordinates of the centres of alignment patterns. */
function alignments(version: number, size: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = version === 32 ? 26 : 2 * Math.ceil((4 * version + 4) / (2 * count - 2))
  return [6, ...Array.from({ length: count - 1 }, (_, i) => size - 7 - step * (count - 2 - i))]
}

/** Long runs, blocks, patterns like a finder, and a share of dark modules far from a half. */
function penalty(code: Modules): number {
  const lines = [...code, ...code.map((_, x) => code.map((row) => row[x]))].map((line) =>
    line.map(Number).join(''),
  )
  let sum = 0
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2
    sum += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length
  }
  let dark = 0
  code.forEach((row, y) => {
    row.forEach((module, x) => {
      if (module) dark++
      const [right, below] = [row[x + 1], code[y + 1]]
      if (right === module && below?.[x] === module && below[x + 1] === module) sum += 3
    })
  })
  return sum + 10 * Math.floor(Math.abs((dark / code.length ** 2) * 20 - 10))
}
