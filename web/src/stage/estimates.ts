import type { RunFrame } from '../recording/frame.ts'

/** The least and the greatest estimate; null where no node has one. */
export function estimateRange({ estimate }: RunFrame): readonly [number, number] | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of estimate) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? null : [low, high]
}

const BLUE = [103, 169, 207]
const WHITE = [245, 245, 240]
const ORANGE = [239, 138, 98]
const STEPS = 32

/** From blue over white to orange, light enough for dark digits; the last is for no estimate. */
export const SHADES: readonly string[] = [
  ...Array.from({ length: STEPS + 1 }, (_, step) => {
    const [from, to] = step < STEPS / 2 ? [BLUE, WHITE] : [WHITE, ORANGE]
    const part = (step % (STEPS / 2)) / (STEPS / 2) + (step === STEPS ? 1 : 0)
    return `rgb(${from.map((base, i) => Math.round(base + (to[i] - base) * part)).join()})`
  }),
  '#bbb',
]

/** All shades in their order, as a background. */
export function shadeSample(): string {
  return `linear-gradient(to right, ${SHADES.slice(0, -1).join()})`
}

/** The number of the shade for an estimate. */
export function shadeOf(value: number, [low, high]: readonly [number, number]): number {
  if (!Number.isFinite(value)) return STEPS + 1
  return Math.round(STEPS * (high > low ? (value - low) / (high - low) : 0.5))
}

export function shortNumber(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : 'none'
}
