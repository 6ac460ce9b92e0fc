import type { Row } from '../../core/index.ts'
import { ROUNDING } from '../../core/numbers.ts'
import { rowAggregation } from './row-aggregation.ts'
import { averagedRows } from './row-rules.ts'

/**
 * The distribution of the values as one vector of averages. A node starts with 1 in the bin of its
 * value and 0 in all others; an exchange takes the mean of every bin. Each bin behaves as
 * gossip-average, and the shares of a node sum to 1 at all times. The estimate is the mean that the
 * shares say, with every value in the middle of its bin.
 */
export const histogram = rowAggregation(
  'histogram',
  {
    edges: {
      says: 'the edges of the bins, with colons between: a value belongs to the bin whose left edge is the last one up to it',
      otherwise: '0:0.25:0.5:0.75:1',
      needed: 'at least 2 increasing numbers with colons between, such as 0:0.5:1',
      words: ['0:0.25:0.5:0.75:1', '0:0.5:1'],
      accepts: (text: string) => edgesIn(text) !== null,
    },
  },
  {
    title: 'Histogram',
    authors: 'after Jelasity, Montresor, Babaoglu 2005',
    idea: 'A node starts with 1 in the bin of its value and 0 in all others; in every cycle each node exchanges its shares with a random neighbour, and both take the mean of every bin. Mean, variance and quantiles follow from the shares.',
    because:
      'Every bin is an average of zeros and ones: the fraction of the values in it. An exchange keeps the sum of each bin over all nodes, and the sum of all bins at each node, which is 1.',
    breaks:
      'As for gossip-average: a node that crashes takes its shares along, and a lost answer does, too. The shares of every node still sum to 1.',
    example: 'conclave run histogram -n 1000 --set edges=0:0.1:0.5:1 --until 20',
    cost: '2n messages of one number per bin and cycle; variance factor 0.303 per cycle',
    bounds: [],
  },
  (settings) => {
    const edges = edgesIn(settings.edges)!
    const length = edges.length - 1
    const first = edges[0]
    const last = edges[length]
    const middles = Array.from({ length }, (_, i) => (edges[i] + edges[i + 1]) / 2)
    /** A value that has drifted out of the edges counts in the first or last bin. */
    const binOf = (value: number) => {
      let bin = length - 1
      while (bin > 0 && edges[bin] > value) bin--
      return bin
    }
    const meanIn = (shares: ArrayLike<number>, at = 0) =>
      middles.reduce((sum, middle, i) => sum + shares[at + i] * middle, 0)
    return {
      parts: [],
      chosen: 0,
      row: {
        length,
        bytes: false,
        rule: averagedRows(length),
        start(row, at, { value }) {
          row.fill(0, at, at + length)
          row[at + binOf(value)] = 1
        },
        invariant: {
          name: 'the shares of every node sum to 1',
          broken: (row, at) => sumProblem(row, at, length),
        },
      },
      accepts: (value) => value >= first && value < last,
      domain: `values from ${first} up to but not including ${last}, the edges`,
      remedy: 'Change the edges, such as edges=0:10:100.',
      estimate: meanIn,
      truth(values) {
        const shares = new Float64Array(length)
        for (const value of values) shares[binOf(value)]++
        return meanIn(shares.map((count) => count / values.length))
      },
      found: (shares, at = 0) => ({
        shares: Array.from({ length }, (_, i) => shares[at + i]),
      }),
    }
  },
)

function sumProblem(row: Row, at: number, length: number): string | null {
  let sum = 0
  for (let i = 0; i < length; i++) sum += row[at + i]
  return Math.abs(sum - 1) <= ROUNDING ? null : `the shares sum to ${sum}`
}

/** The edges in a text; null where they are not increasing numbers. */
function edgesIn(text: number | string): number[] | null {
  const edges = String(text)
    .split(':')
    .map((word) => (word.trim() === '' ? Number.NaN : Number(word)))
  const increasing = edges.every(
    (edge, i) => Number.isFinite(edge) && (i === 0 || edge > edges[i - 1]),
  )
  return edges.length >= 2 && increasing ? edges : null
}
