import { type At, atMost, type ExperimentDocument } from 'conclave/engines'

export default {
  title: 'Quantiles: never further than the precision',
  discussion:
    'The 0.9-quantile of 1,000 uniform values from 1 to 2, by halving an interval with averages. The answer of the worst node is at most the precision above the quantile, and the quantile is above 1, so the relative error is below the precision.',
  base: {
    algorithm: 'quantile',
    timing: 'cycles',
    topology: 'complete:1000',
    values: 'uniform:1:2',
    set: { phi: 0.9 },
  },
  sweep: { 'set.precision': [0.1, 0.01, 0.001, 0.0001, 0.00001] },
  x: 'set.precision',
  repeat: 10,
  measure: ['error'],
  log: ['x', 'y'],
  quick: { sweep: { 'set.precision': [0.1, 0.001] }, repeat: 3 },
  claims: [
    atMost('the error is at most the precision', 'error', (at: At) => Number(at['set.precision'])),
  ],
} satisfies ExperimentDocument
