import { grouped } from '../../core/text-format.ts'

/** The domain of an axis, its ticks and their format. */

export interface Scale {
  readonly log: boolean
  readonly domain: readonly [number, number]
  readonly ticks: readonly number[]
  write(tick: number): string
}

/** Arithmetic on an axis is exact only within these limits. */
const [LEAST, MOST] = [1e-290, 1e290]

/** A logarithmic axis shows only positive values. */
export function isDrawable(value: number, log: boolean): boolean {
  return Math.abs(value) <= MOST && (!log || value >= LEAST)
}

/** The length of the axis in pixels, and the space that a tick label takes. */
export interface PlotRoom {
  readonly length: number
  extent(text: string): number
}

/** An axis over these values with as many ticks as fit; linear axes begin at 0. */
export function scaleFor(values: readonly number[], log: boolean, room: PlotRoom): Scale {
  const shown = values.filter((value) => isDrawable(value, log))
  const low = shown.reduce((a, b) => Math.min(a, b), shown[0] ?? (log ? 1 : 0))
  const high = shown.reduce((a, b) => Math.max(a, b), low)
  const scales = log ? logarithmic(low, high, shown) : linear(low, high)
  let coarsest: Scale | undefined
  for (const scale of scales) {
    if (hasRoom(scale, room)) return scale
    coarsest = scale
  }
  return coarsest!
}

function hasRoom({ log, domain, ticks, write }: Scale, { length, extent }: PlotRoom): boolean {
  const at = (value: number) => (log ? Math.log(value) : value)
  const pixels = length / (at(domain[1]) - at(domain[0]))
  return ticks.every((tick, i) => {
    if (i === 0) return true
    const needed = (extent(write(tick)) + extent(write(ticks[i - 1]))) / 2
    return (at(tick) - at(ticks[i - 1])) * pixels >= needed
  })
}

const [FEWEST_TICKS, MOST_TICKS] = [2, 10]

/** From fine to coarse; begins at 0 unless that wastes more than half of the axis. */
function* linear(lowest: number, highest: number): Generator<Scale> {
  const alike = lowest === highest
  const [low, high] = alike ? [Math.min(lowest, 0), Math.max(highest, 0)] : [lowest, highest]
  const from = low >= 0 && low <= high / 2 ? 0 : low
  const finest = 1e-9 * Math.max(Math.abs(low), Math.abs(high))
  const span = Math.max(high - from, finest)
  const reach = span >= 1e-9 * LEAST ? span : 1
  for (let power = 10 ** Math.floor(Math.log10(reach / MOST_TICKS)); power <= reach; power *= 10)
    for (const step of [power, 2 * power, 5 * power]) {
      const first = Math.floor(from / step + 1e-9)
      const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
      if (last - first > MOST_TICKS) continue
      const ticks = Array.from({ length: last - first + 1 }, (_, i) => rounded((first + i) * step))
      yield {
        log: false,
        domain: [ticks[0], ticks.at(-1)!],
        ticks,
        write: writerFor(ticks, step, finely(ticks, step)),
      }
    }
}

/**
 * From fine to coarse. Sizes are often powers of two; everything else has ticks at 1, 2 and 5, at
 * powers of ten, or at every second of them and so on. A narrow range has the ticks of a linear
 * axis, since a single tick is no scale.
 */
function* logarithmic(low: number, high: number, values: readonly number[]): Generator<Scale> {
  const margin = high <= low * ALIKE ? 2 : Math.max((high / low) ** 0.02, 1 + 1e-8)
  const domain = [low / margin, high * margin] as const
  const powersOf = (base: number, every = 1) => {
    const step = Math.log(base) * every
    const first = Math.floor(Math.log(domain[0]) / step)
    const last = Math.ceil(Math.log(domain[1]) / step)
    return Array.from({ length: last - first + 1 }, (_, i) => base ** ((first + i) * every))
  }
  const scaled = (all: readonly number[]): Scale => {
    const ticks = all.map(rounded).filter((tick) => tick >= domain[0] && tick <= domain[1])
    return { log: true, domain, ticks, write: writerFor(ticks, ticks[0] ?? 1) }
  }
  const base = values.every((value) => Number.isInteger(Math.log2(value))) ? 2 : 10
  const detailed = powersOf(10).flatMap((power) => [power, 2 * power, 5 * power])
  const scales = [
    ...(base === 10 ? [scaled(detailed)].filter(({ ticks }) => ticks.length <= MOST_TICKS) : []),
    ...Array.from({ length: 64 }, (_, i) => scaled(powersOf(base, i + 1))),
  ].filter(({ ticks }) => ticks.length >= FEWEST_TICKS)
  yield* scales
  if (scales.length > 0) return
  for (const { ticks, write } of linear(...domain)) {
    const scale = { ...scaled(ticks), write }
    if (scale.ticks.length >= FEWEST_TICKS) yield scale
  }
}

/** Values within a smaller ratio differ by rounding, as a constant and its fit do. */
const ALIKE = 1 + 1e-12

/** Removes the noise of binary fractions. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}

const HIGH = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** So many digits that neighbouring ticks of a linear axis differ. */
function finely(ticks: readonly number[], step: number): number {
  return Math.ceil(Math.log10(Math.max(...ticks.map(Math.abs)) / step))
}

/** With more digits than this a power of ten is harder to read than the number. */
const POWER_DIGITS_MAX = 4

/** One format for the whole axis; powers of ten only for very large and small numbers. */
function writerFor(ticks: readonly number[], step: number, digits = 0) {
  const [least, most] = [Math.abs(step), Math.max(...ticks.map(Math.abs))]
  const close = digits > POWER_DIGITS_MAX && least >= 1 && most < 1e15
  if ((most >= 1e6 && !close) || least < 1e-3)
    return (tick: number) => powerOfTen(tick, Math.max(2, digits))
  const decimals = Math.max(0, -Math.floor(Math.log10(least) + 1e-9))
  return (tick: number) => {
    const [whole, fraction] = String(Number(tick.toFixed(Math.max(decimals, 3)))).split('.')
    const text = grouped(Math.abs(Number(whole)))
    return `${tick < 0 ? '-' : ''}${text}${fraction === undefined ? '' : `.${fraction}`}`
  }
}

function powerOfTen(tick: number, digits: number): string {
  if (tick === 0) return '0'
  const [front, exponent] = tick.toExponential(digits).split('e')
  const factor = String(Number(front))
  const high = exponent
    .replace('+', '')
    .replace('-', '⁻')
    .replace(/\d/g, (digit) => HIGH[+digit])
  const power = exponent === '+0' ? '' : exponent === '+1' ? '10' : `10${high}`
  if (power === '') return factor
  return factor === '1' ? power : `${factor}·${power}`
}
