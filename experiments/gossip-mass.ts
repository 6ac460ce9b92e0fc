import { type At, atLeast, atMost, type ExperimentDocument } from 'conclave/engines'

const only = (name: string) => ({ where: ({ algorithm }: At) => algorithm === name })

export default {
  title: 'Averaging with messages in flight: which form preserves the sum',
  discussion:
    "Zambonelli's pseudo-code assumes that the estimate of the other node does not change between request and answer. With real delays exchanges overlap, and the sum drifts. In the other form the passive side computes the difference and both add it: nothing is remembered, and overlapping exchanges preserve the sum exactly. One node holds n, all others 0; a message takes a tenth of the period.",
  base: { values: 'peak', delay: 'unit', until: '20' },
  sweep: { algorithm: 'gossip-average-naive,gossip-average', n: [100, 1000, 10000] },
  repeat: 20,
  measure: ['massError'],
  log: ['x'],
  quick: { sweep: { algorithm: 'gossip-average-naive,gossip-average', n: [1000] }, repeat: 10 },
  claims: [
    atMost('the right form loses nothing', 'massError', 1e-9, only('gossip-average')),
    atLeast('the naive form loses something in every run', 'massError', 1e-6, {
      where: ({ algorithm, n }: At) => algorithm === 'gossip-average-naive' && n >= 1000,
    }),
  ],
} satisfies ExperimentDocument
