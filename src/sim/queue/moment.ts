/** Parts of a time unit that a moment is rounded to, as far as that is finer than a float64. */
const GRID = 1e9
const LARGEST = 1e6

/**
 * The float64 that stands for a moment, however it was summed up: 0.07 + 2 and 0.07 + 1 + 1 are the
 * same moment, though not the same sum. Never before the moment in which it is asked for.
 */
export function momentAt(time: number, now: number): number {
  if (Number.isInteger(time) || time > LARGEST) return time
  return Math.max(now, Math.round(time * GRID) / GRID)
}
