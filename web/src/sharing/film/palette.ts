import type { FilmFrame } from './gif.ts'

/** The colours of a GIF, but for one that is transparent. */
export const COLOURS = 255
/** Bits of each of red, green and blue by which colours are told apart. */
const BITS = 5
const SHIFT = 8 - BITS
const BINS = 1 << (3 * BITS)

/** Colours that are nearly the same: how many pixels have them, and the sums of their parts. */
interface ColourBin {
  readonly bin: number
  readonly count: number
  readonly sums: readonly number[]
}

/** At most 255 colours for the pixels of some pictures, by median cut. */
export class Palette {
  /** Three bytes for each of 256 colours. */
  readonly table = new Uint8Array(3 * (COLOURS + 1))
  private readonly nearest = new Int16Array(BINS).fill(-1)
  private readonly size: number

  constructor(samples: readonly FilmFrame[]) {
    const boxes = divided(binsOf(samples))
    this.size = Math.max(1, boxes.length)
    for (const [i, box] of boxes.entries()) {
      const count = box.reduce((sum, bin) => sum + bin.count, 0)
      for (let part = 0; part < 3; part++)
        this.table[3 * i + part] = Math.round(
          box.reduce((sum, { sums }) => sum + sums[part], 0) / count,
        )
    }
  }

  /** For each pixel the number of the nearest colour. */
  indicesOf(data: Uint8ClampedArray): Uint8Array {
    const indices = new Uint8Array(data.length / 4)
    for (let i = 0; i < indices.length; i++) {
      const bin = binOf(data[4 * i], data[4 * i + 1], data[4 * i + 2])
      if (this.nearest[bin] < 0)
        this.nearest[bin] = this.nearestTo(data[4 * i], data[4 * i + 1], data[4 * i + 2])
      indices[i] = this.nearest[bin]
    }
    return indices
  }

  private nearestTo(...colour: readonly [number, number, number]): number {
    let [best, least] = [0, Number.POSITIVE_INFINITY]
    for (let i = 0; i < this.size; i++) {
      let distance = 0
      for (let part = 0; part < 3; part++)
        distance += (this.table[3 * i + part] - colour[part]) ** 2
      if (distance < least) [best, least] = [i, distance]
    }
    return best
  }
}

function binOf(red: number, green: number, blue: number): number {
  return ((red >> SHIFT) << (2 * BITS)) | ((green >> SHIFT) << BITS) | (blue >> SHIFT)
}

function binsOf(samples: readonly FilmFrame[]): ColourBin[] {
  const counts = new Float64Array(BINS)
  const sums = [0, 1, 2].map(() => new Float64Array(BINS))
  for (const { data } of samples)
    for (let at = 0; at < data.length; at += 4) {
      const bin = binOf(data[at], data[at + 1], data[at + 2])
      counts[bin]++
      for (let part = 0; part < 3; part++) sums[part][bin] += data[at + part]
    }
  const bins: ColourBin[] = []
  for (let bin = 0; bin < BINS; bin++)
    if (counts[bin] > 0) bins.push({ bin, count: counts[bin], sums: sums.map((all) => all[bin]) })
  return bins
}

/** Divides bins into boxes: the box that spreads most pixels most widely is cut at its median. */
function divided(bins: readonly ColourBin[]): ColourBin[][] {
  const boxes = [[...bins]].filter(({ length }) => length > 0)
  while (boxes.length < COLOURS) {
    const widths = boxes.map(widest)
    const [at] = boxes
      .map((box, i) => [i, box.length < 2 ? -1 : widths[i].spread] as const)
      .reduce((most, one) => (one[1] > most[1] ? one : most), [-1, 0] as const)
    if (at < 0) break
    boxes.push(cut(boxes[at], widths[at].part))
  }
  return boxes
}

/** The part of the colours, red, green or blue, in which a box is widest. */
function widest(box: readonly ColourBin[]): { part: number; spread: number } {
  const total = box.reduce((sum, { count }) => sum + count, 0)
  const spreads = [0, 1, 2].map((part) => {
    const values = box.map(({ count, sums }) => sums[part] / count)
    return (Math.max(...values) - Math.min(...values)) * Math.log1p(total)
  })
  const spread = Math.max(...spreads)
  return { part: spreads.indexOf(spread), spread }
}

/** Takes the upper half of its pixels out of a box; both keep at least one bin. */
function cut(box: ColourBin[], part: number): ColourBin[] {
  box.sort((a, b) => a.sums[part] / a.count - b.sums[part] / b.count)
  const half = box.reduce((sum, { count }) => sum + count, 0) / 2
  let [kept, sum] = [0, 0]
  while (kept < box.length - 1 && (kept === 0 || sum < half)) sum += box[kept++].count
  return box.splice(kept)
}
