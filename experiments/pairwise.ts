import { claimedBy, type ExperimentDocument, grows, inInterval } from 'conclave/engines'

export default {
  title: 'Leader elimination by meetings',
  discussion:
    'All nodes of a complete network start as leaders, and of two leaders that meet one stops. With k leaders a meeting removes one with probability k(k-1)/(n(n-1)): the expected waiting times add up to (n-1)^2 interactions, which is parallel time n.',
  base: { algorithm: 'pairwise', topology: 'complete:{n}', set: { walk: 'off' } },
  sweep: { n: '2^2..2^9' },
  repeat: 100,
  measure: ['interactions', 'bound.interactions', 'parallel/n'],
  fit: ['interactions ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { n: '2^2..2^6' }, repeat: 40 },
  claims: [
    claimedBy(
      'Angluin, Aspnes, Diamadi, Fischer and Peralta (2006)',
      inInterval('(n-1)^2 interactions on average', 'interactions', ({ n }) => (n - 1) ** 2),
    ),
    grows('the number of interactions is quadratic', 'interactions', 'n^2'),
  ],
} satisfies ExperimentDocument
