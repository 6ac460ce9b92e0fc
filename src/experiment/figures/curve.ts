import type { Fit } from '../statistics/fit.ts'
import type { Curve } from './figure.ts'

/** Enough that no corner is seen. */
const STEPS = 120

/** A fit from the smallest to the largest of these, as a smooth curve with its formula. */
export function curveOf({ formula, at }: Fit, xs: readonly number[]): Curve {
  const from = xs.reduce((a, b) => Math.min(a, b))
  const to = xs.reduce((a, b) => Math.max(a, b))
  const points = Array.from({ length: STEPS + 1 }, (_, i) => {
    const share = i / STEPS
    const between = from > 0 ? from * (to / from) ** share : from + (to - from) * share
    const x = i === STEPS ? to : between
    return { x, y: at(x) }
  })
  return { label: `fit: ${formula}`, points }
}
