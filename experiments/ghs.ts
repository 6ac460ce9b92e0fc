import { atMost, claimedBy, type ExperimentDocument } from 'conclave/engines'

export default {
  title: 'GHS within its bound',
  discussion:
    'A leader by way of a minimum spanning tree: at most 2E + 5 N log2 N messages on any connected graph. Random graphs with edge probability 2 ln n / n.',
  base: { algorithm: 'ghs', delay: 'uniform:1:10' },
  sweep: { n: '2^3..2^10' },
  repeat: 20,
  measure: ['cost', 'bound.messages', 'cost/bound.messages', 'time'],
  fit: ['cost ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { n: '2^3..2^7' }, repeat: 5 },
  claims: [
    claimedBy(
      'Gallager, Humblet and Spira (1983)',
      atMost('never more than the bound', 'cost/bound.messages', 1),
    ),
  ],
} satisfies ExperimentDocument
