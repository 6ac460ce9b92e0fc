import { claimedBy, type ExperimentDocument, grows } from 'conclave/engines'

export default {
  title: "Singh's election beyond Liu, Li and Huang",
  discussion:
    'Liu, Li and Huang stopped at 100 nodes, 10 repeats and one delay. From 512 to 65,536 nodes: with unit delays time is logarithmic. Under random delays it grows faster as long as the slowest of many answers gets slower, since every step waits for twice as many answers as the one before: like (log2 n)^2 for exponential delays, which have no largest one, and up to 65,536 nodes also for uniform delays from 1 to 10. Where the slowest of many answers is as slow as it can be almost at once, as with delays of 1 or 10, time is logarithmic again, as it is proven to be in units of the largest delay. Messages per node rise slowly, from about 6.5 to 8; proven is n log log n, which is not among the forms that are compared here, and n log2 n with a small coefficient comes nearest.',
  base: { algorithm: 'singh', wake: 'rate:0.8' },
  sweep: {
    delay: ['unit', 'empirical:1,10', 'uniform:1:10', 'exponential:5.5'],
    n: '2^9..2^16',
  },
  repeat: 30,
  measure: ['messages', 'messages/n', 'time'],
  fit: ['messages ~ auto', 'time ~ auto'],
  log: ['x'],
  quick: { sweep: { delay: ['unit', 'exponential:5.5'], n: '2^6..2^11' }, repeat: 10 },
  claims: [
    claimedBy(
      'Singh (1997)',
      grows('time grows like log n with unit delays', 'time', 'log2 n', 'delay unit'),
    ),
    grows(
      'time grows like (log n)^2 with exponential delays',
      'time',
      '(log2 n)^2',
      'delay exponential:5.5',
    ),
  ],
} satisfies ExperimentDocument
