/** What is known of how fast averages come together in a world. */
export interface ConvergenceSetting {
  readonly complete: boolean
  readonly order: string
  /** The probability that an exchange fails as a whole. */
  readonly loss: number
}

/**
 * By which factor the variance shrinks in a cycle, where theory tells (Jelasity, Montresor and
 * Babaoglu 2005): an exchange halves what two nodes contribute, and this is the average of
 * 2^-(exchanges of a node). One is its own and the others are Poisson with mean 1; two where pairs
 * are matchings; Poisson with mean 2 where pairs are random. Null where nothing is known.
 */
export function convergenceFactor({ complete, order, loss }: ConvergenceSetting): number | null {
  if (!complete) return null
  const success = 1 - loss
  if (order === 'fresh') return (1 - success / 2) * Math.exp(-success / 2)
  if (order === 'pairs') return Math.exp(-success)
  return order === 'matchings' ? (1 - success / 2) ** 2 : null
}
