import { type At, type ExperimentDocument, nearly } from 'conclave/engines'

/** The mean size of an error that is about normal, for its standard deviation. */
const MEAN_SIZE = Math.sqrt(2 / Math.PI)

export default {
  title: 'Extrema propagation: the error of K minima',
  discussion:
    'Every node draws K exponential numbers, and all keep the least of each place. (K - 1) over the sum of the minima estimates the number of nodes with relative standard deviation 1/sqrt(K - 2); the mean size of such an error is sqrt(2/pi) of that. All nodes have the same estimate after the diameter of the grid, 11 rounds, so the worst is that of any.',
  base: { algorithm: 'extrema', timing: 'cycles', topology: 'grid:5x8', until: '11' },
  sweep: { 'set.K': [10, 20, 50, 100, 200, 500] },
  x: 'set.K',
  repeat: 400,
  measure: ['error'],
  log: ['x', 'y'],
  quick: { sweep: { 'set.K': [20, 100] }, repeat: 200 },
  claims: [
    nearly(
      'the mean size of the error is sqrt(2/pi)/sqrt(K - 2)',
      'error',
      (at: At) => MEAN_SIZE / Math.sqrt(Number(at['set.K']) - 2),
      { share: 0.2 },
    ),
  ],
} satisfies ExperimentDocument
