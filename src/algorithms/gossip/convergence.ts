/** The conditions on which the convergence of averages depends. */
export interface ConvergenceSetting {
  readonly complete: boolean
  readonly order: string
  /** The probability that an exchange fails as a whole. */
  readonly loss: number
}

/**
 * The expected factor of the variance per cycle (Jelasity, Montresor and Babaoglu 2005): the mean
 * of 2^-(exchanges of a node), since an exchange halves the contribution of two nodes. A node has
 * one exchange of its own and a Poisson number with mean 1 of others; two for matchings; a Poisson
 * number with mean 2 for random pairs. Where all exchange together what they had before, k of them
 * leave (1 - k/2)^2 of the own contribution and add k/4 of that of others. Null where theory has no
 * result.
 */
export function convergenceFactor({ complete, order, loss }: ConvergenceSetting): number | null {
  if (!complete) return null
  const success = 1 - loss
  if (order === 'fresh') return (1 - success / 2) * Math.exp(-success / 2)
  if (order === 'pairs') return Math.exp(-success)
  if (order === 'together') return 1 - success + (3 / 4) * success ** 2
  return order === 'matchings' ? (1 - success / 2) ** 2 : null
}
