import { ln } from '../../core/numbers.ts'
import { how, rowAggregation } from './row-aggregation.ts'
import { smallestOfRows } from './row-rules.ts'

/**
 * Extrema propagation (Baquero, Almeida and Menezes 2009). Every node draws K exponential numbers
 * whose rate is its value (1 for a count) and all keep the least of each place: the minimum of
 * exponentials is exponential with the sum of the rates. (K - 1) over the sum of the minima is an
 * unbiased estimate with relative standard deviation 1/sqrt(K - 2). All nodes have the same numbers
 * after at most as many rounds of flooding as the diameter; losses and repeats do no harm.
 */
export const extrema = rowAggregation(
  'extrema',
  {
    K: {
      says: 'how many numbers each node draws: the relative error is about 1/sqrt(K - 2)',
      otherwise: 100,
      needed: 'a whole number from 3 to 10000',
      accepts: (k: number) => Number.isInteger(k) && k >= 3 && k <= 10_000,
    },
    of: {
      says: 'what is estimated: count (of the nodes) or sum (of their values, all above 0)',
      otherwise: 'count',
      words: ['count', 'sum'],
    },
    how,
  },
  {
    title: 'Extrema propagation',
    authors: 'Baquero, Almeida, Menezes 2009',
    idea: 'Every node draws K exponential numbers with its value as rate, and all keep the least of each place. The minima have the sum of all values as rate: (K - 1) over their sum is the estimate.',
    because:
      'The minimum of independent exponential numbers is exponential, and its rate is the sum of theirs. A minimum does not depend on the order or the number of times in which numbers are taken in, so that all nodes end with the same row. Its sum has the gamma distribution with shape K, by which (K - 1)/sum is unbiased with relative variance 1/(K - 2).',
    breaks:
      'A node that leaves stays counted: only epochs (epoch=30), which draw new numbers, forget it. Values of 0 or below are no rates. Small K: at K=10 the estimate is off by a third.',
    example: 'conclave run extrema -t grid:5x8 --set K=100 --until 11',
    cost: '2n messages of K numbers per cycle; all nodes have the same numbers after 6 cycles at n = 100, 7.9 at 1,000, 9.3 at 10,000 (measured on complete networks), or after diameter rounds of flooding',
    bounds: [],
  },
  (settings) => {
    const length = Number(settings.K)
    const sums = settings.of === 'sum'
    return {
      parts: [],
      chosen: 0,
      row: {
        length,
        bytes: false,
        rule: smallestOfRows(length),
        message: 'MINIMA',
        drawn: true,
        floods: settings.how === 'flood',
        start(row, at, { value }, random) {
          const rate = sums ? value : 1
          for (let i = at; i < at + length; i++) row[i] = random()
          for (let i = at; i < at + length; i++) row[i] = -ln(1 - row[i]) / rate
        },
      },
      ...(sums && { accepts: (value: number) => value > 0, domain: 'values above 0' }),
      estimate(minima, at = 0) {
        let sum = 0
        for (let i = 0; i < length; i++) sum += minima[at + i]
        return (length - 1) / sum
      },
      truth: (values) => (sums ? values.reduce((sum, value) => sum + value, 0) : values.length),
    }
  },
)
