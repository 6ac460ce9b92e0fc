import { atMost, claimedBy, type ExperimentDocument } from 'conclave/engines'

export default {
  title: 'Yo-yo within its bound',
  discussion:
    'Two messages per link and iteration, and as many before the first: with T iterations at most 2E (T + 1) messages. T grows at most like 1.44 log2 of the number of local maxima; on random graphs it hardly grows at all. Edge probability 2 ln n / n.',
  base: { algorithm: 'yo-yo', delay: 'uniform:1:10' },
  sweep: { n: '2^3..2^10' },
  repeat: 20,
  measure: ['cost', 'bound.messages', 'cost/bound.messages', 'cost/links', 'time'],
  fit: ['cost/links ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { n: '2^3..2^7' }, repeat: 5 },
  claims: [
    claimedBy(
      'Santoro (2006)',
      atMost('never more than 2E (T + 1) messages', 'cost/bound.messages', 1),
    ),
    atMost('at most eight messages per link on random graphs', 'cost/links', 8),
  ],
} satisfies ExperimentDocument
