import type { Random } from '../../core/runtime/random.ts'

/** Times are rounded to parts of a time unit, as long as that is finer than a float64. */
const GRID = 1e9
/** A divisor of the grid: sums of random moments are multiples of such parts, and exact. */
const EXACT = 512
const LARGEST = 1e6

/** A span of time has at least this many random moments, and fewer than twice as many. */
const MOMENTS = 512

/**
 * The float64 that stands for a moment, however it was summed up: 0.07 + 2 and 0.07 + 1 + 1 are the
 * same moment, though not the same sum. The result is never before `now`.
 */
export function momentAt(time: number, now: number): number {
  if (Number.isInteger(time * EXACT) || time > LARGEST) return time
  return Math.max(now, Math.round(time * GRID) / GRID)
}

/**
 * Random moments of a span, on a grid whose step is a power of two. Sums of such moments and whole
 * periods are exact, and events of many nodes share moments, which makes them cheaper.
 */
export class RandomMoments {
  /** The span of the last call has `steps` steps of length `step`. */
  private span = 0
  private step = 0
  private steps = 1

  constructor(private readonly random: Random) {}

  within(span: number): number {
    if (span !== this.span) this.divide(span)
    return this.step * this.random.below(this.steps)
  }

  /** Uses comparisons, since a machine's logarithm may differ in the last bit. */
  private divide(span: number): void {
    let step = 1
    while (span / step >= 2 * MOMENTS) step *= 2
    while (span / step < MOMENTS) step /= 2
    this.span = span
    this.step = step
    this.steps = Math.ceil(span / step)
  }
}
