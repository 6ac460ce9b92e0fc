import type { CycleEntry } from '../../../src/sim/index.ts'

/**
 * The colour scale of estimates, fixed for a whole run: a network that has converged takes one
 * colour, that of the truth if it has converged to it.
 */
export interface EstimateScale {
  readonly low: number
  /** The exact result for the values at the start: the middle of the scale. */
  readonly truth: number
  readonly high: number
}

/**
 * The range of the estimates at the start, where the truth lies within it. Counts and sums start
 * outside, mostly without an estimate: their scale is the truth, give or take all of it.
 */
export function scaleOf(entries: readonly CycleEntry[]): EstimateScale | null {
  if (entries.length === 0) return null
  const { min, max, truth } = entries[0]
  if (min !== null && max !== null && min < max && min <= truth && truth <= max)
    return { low: min, truth, high: max }
  const spread = Math.abs(truth) || 1
  return { low: truth - spread, truth, high: truth + spread }
}

/** The exact result in a cycle: it changes with the values of the live nodes. */
export function truthAt(entries: readonly CycleEntry[], cycle: number): number {
  return entries[Math.min(Math.max(0, Math.floor(cycle)), entries.length - 1)]?.truth ?? Number.NaN
}

const BLUE = [72, 145, 196]
const WHITE = [250, 248, 240]
const ORANGE = [236, 124, 78]
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
export const NO_ESTIMATE = STEPS + 1

/** Where a value stands on the scale, from 0 to 1; the truth is in the middle. */
export function placeOn({ low, truth, high }: EstimateScale, value: number): number {
  if (value === truth) return 0.5
  const half = value < truth ? (value - low) / (truth - low) : 1 + (value - truth) / (high - truth)
  return Math.min(1, Math.max(0, half / 2))
}

/** The number of the shade for an estimate; those beyond the scale have the shade of its end. */
export function shadeOf(value: number, scale: EstimateScale): number {
  return Number.isFinite(value) ? Math.round(STEPS * placeOn(scale, value)) : NO_ESTIMATE
}

/** Whether an estimate lies beyond the scale, and on which side: -1, 0 or 1. */
export function beyond(value: number, { low, high }: EstimateScale): number {
  if (!Number.isFinite(value)) return 0
  return value < low ? -1 : value > high ? 1 : 0
}

export function estimateText(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : 'none'
}
