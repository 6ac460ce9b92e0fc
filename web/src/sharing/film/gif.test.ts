import { describe, expect, it } from 'vitest'
import { GifWriter } from './gif.ts'

/** A picture of random pixels in a few colours; `seed` makes another one. */
function picture(width: number, height: number, colours: number, seed: number) {
  const data = new Uint8ClampedArray(4 * width * height)
  let state = seed
  for (let at = 0; at < data.length; at += 4) {
    state = (state * 1103515245 + 12345) % 2 ** 31
    // Long runs of one colour, and noise.
    const colour = (at >> 2) % 37 < 20 ? seed % colours : Math.floor(state / 65536) % colours
    data.set([(colour % 8) * 32, (Math.floor(colour / 8) % 8) * 32, 64, 255], at)
  }
  return { data, width, height }
}

/** Decodes what a GIF shows after each frame: a second implementation, by the specification. */
function decoded(bytes: Uint8Array): number[][] {
  let at = 6
  const word = () => bytes[at++] | (bytes[at++] << 8)
  const [width, height] = [word(), word()]
  const size = 2 << (bytes[at] & 7)
  at += 3
  const table = bytes.slice(at, at + 3 * size)
  at += 3 * size
  const shown = new Array<number>(width * height).fill(-1)
  const frames: number[][] = []
  const data = () => {
    const all: number[] = []
    for (let n = bytes[at++]; n > 0; n = bytes[at++]) for (; n > 0; n--) all.push(bytes[at++])
    return all
  }
  let transparent = -1
  for (let kind = bytes[at++]; kind !== 0x3b; kind = bytes[at++]) {
    if (kind === 0x21) {
      const label = bytes[at++]
      const block = data()
      if (label === 0xf9) transparent = block[0] & 1 ? block[3] : -1
      continue
    }
    const [left, top, columns] = [word(), word(), word()]
    word()
    at++
    const pixels = unpacked(bytes[at++], data())
    for (const [i, index] of pixels.entries()) {
      if (index === transparent) continue
      const place = (top + Math.floor(i / columns)) * width + left + (i % columns)
      shown[place] = (table[3 * index] << 16) | (table[3 * index + 1] << 8) | table[3 * index + 2]
    }
    frames.push([...shown])
  }
  return frames
}

function unpacked(least: number, data: readonly number[]): number[] {
  const clear = 1 << least
  const pixels: number[] = []
  let [words, width, bit] = [[] as number[][], least + 1, 0]
  let before: number[] | null = null
  for (;;) {
    let code = 0
    for (let i = 0; i < width; i++, bit++) code |= ((data[bit >> 3] >> (bit & 7)) & 1) << i
    if (code === clear + 1) return pixels
    if (code === clear) {
      words = Array.from({ length: clear + 2 }, (_, i) => [i])
      width = least + 1
      before = null
      continue
    }
    const word: number[] = words[code] ?? [...before!, before![0]]
    if (before !== null && words.length < 4096) words.push([...before, word[0]])
    if (words.length === 1 << width && width < 12) width++
    pixels.push(...word)
    before = word
  }
}

describe('a GIF', () => {
  it.each([
    [9, 7, 2],
    [150, 120, 60],
    [301, 200, 64],
  ])('of %i by %i pixels in %i colours is decoded to what was painted', async (...size) => {
    const frames = [1, 2, 3, 3].map((seed) => picture(...size, seed))
    const writer = new GifWriter(size[0], size[1], frames, 8)
    for (const frame of frames) writer.add(frame)
    const shown = decoded(new Uint8Array(await writer.finish().arrayBuffer()))
    const painted = frames.map(({ data }) =>
      Array.from(
        { length: data.length / 4 },
        (_, i) => (data[4 * i] << 16) | (data[4 * i + 1] << 8) | data[4 * i + 2],
      ),
    )
    expect(shown.length).toBe(4)
    for (const [i, frame] of shown.entries()) expect(frame.join()).toBe(painted[i].join())
  })

  it('has colours near those that were painted where there are too many', async () => {
    const data = new Uint8ClampedArray(4 * 64 * 64)
    for (let i = 0; i < 64 * 64; i++) data.set([(i % 64) * 4, (i >> 6) * 4, 128, 255], 4 * i)
    const frame = { data, width: 64, height: 64 }
    const writer = new GifWriter(64, 64, [frame], 8)
    writer.add(frame)
    const [shown] = decoded(new Uint8Array(await writer.finish().arrayBuffer()))
    for (const [i, colour] of shown.entries()) {
      expect(Math.abs((colour >> 16) - data[4 * i])).toBeLessThan(24)
      expect(Math.abs(((colour >> 8) & 255) - data[4 * i + 1])).toBeLessThan(24)
    }
  })
})
