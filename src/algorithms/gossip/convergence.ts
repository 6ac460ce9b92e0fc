/** The conditions on which the convergence of averages depends. */
export interface ConvergenceSetting {
  readonly n: number
  readonly complete: boolean
  readonly order: string
  /** The probability that an exchange fails as a whole. */
  readonly loss: number
}

/**
 * The factor by which the expected variance of averages shrinks per cycle, for this n. Every order
 * but a fixed one treats all nodes alike. So the expected sum of the squared deviations after a
 * cycle is a multiple of the one before, whatever the values are. The limits for many nodes are
 * those of Jelasity, Montresor and Babaoglu (2005), for example 1/(2 sqrt e) for fresh orders. Null
 * if theory has no result.
 */
export function convergenceFactor(setting: ConvergenceSetting): number | null {
  const { n, complete, order, loss } = setting
  if (!complete || n < 2) return null
  const success = 1 - loss
  const others = n - 1
  if (order === 'fresh') return inTurn(n, success)
  // An exchange between two random nodes takes away 1 / (n - 1) of the squares on average.
  if (order === 'pairs') return (1 - success / others) ** n
  // Twice n/2 pairs. The second time no node has a partner whose number it has had.
  if (order === 'matchings') return 1 - (success * n * (4 - success)) / (4 * others)
  // All exchange what they had before: n random changes, of which any two are independent.
  if (order === 'together')
    return 1 - (success * n) / others + (success ** 2 * n * (3 * n - 2)) / (4 * others ** 2)
  return null
}

/**
 * The nodes begin their exchanges one after another, each with a random other node. The deviations
 * sum to 0. Of those who have begun theirs and of the others, the expected sum of the squares is
 * known after each exchange, and so is that of the square of both sums, which differ in their sign.
 */
function inTurn(n: number, success: number): number {
  let [begun, waiting, square] = [0, 1, 0]
  for (let place = 0; place < n; place++) {
    const left = n - place
    const own = waiting / left
    // The partner has begun its exchange already, or not yet; the mean takes the place of both.
    const old = place === 0 ? 0 : begun / place
    const both = place === 0 ? 0 : (own + old - (2 * square) / (left * place)) / 2
    const product = left === 1 ? 0 : (square - waiting) / (left * (left - 1))
    const mean = (own + product) / 2
    const [toOld, toNew] = [(success * place) / (n - 1), (success * (left - 1)) / (n - 1)]
    const moved = -(2 * square) / left
    begun += toOld * (both - old) + toNew * mean + (1 - success) * own
    waiting += toNew * (mean - own) - own
    square += moved + toNew * mean + (1 - toNew) * own
  }
  return Math.max(0, begun)
}
