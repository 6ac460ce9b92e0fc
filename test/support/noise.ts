import type { Random } from '../../src/core/index.ts'

/** A number of mean 0 and deviation 1, near enough to the normal distribution to count cases. */
export function normal(random: Random): number {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += random.unit()
  return sum
}
