import { claimedBy, type ExperimentDocument, fitted, grows } from 'conclave/engines'

export default {
  title: "Singh's election in the set-up of Liu, Li and Huang",
  discussion:
    'The set-up of Liu, Li and Huang: n = 2..100, every node wakes with probability 0.8, all delays are the same, 10 repeats. They claim O(n) messages and O(log n) time, and both hold. The numbers here are totals over all nodes, and time in delays. Their own lines, 0.613 n + 7.3 and 1.397 log2 n - 1.971, are other quantities: see below, as they may have measured it.',
  base: { algorithm: 'singh', wake: 'rate:0.8' },
  sweep: { n: '2..100' },
  repeat: 10,
  measure: ['messages', 'time'],
  fit: ['messages ~ n', 'time ~ log2(n)', 'time ~ log2(n) + n', 'messages ~ auto', 'time ~ auto'],
  quick: { sweep: { n: '2..100:7' } },
  claims: [
    claimedBy(
      'Liu, Li and Huang',
      fitted('messages are linear in n, R² at least 0.97', 'messages ~ n + 1', { r2: 0.97 }),
    ),
    claimedBy('Liu, Li and Huang', grows('time grows like log n', 'time', 'log2 n')),
    fitted('all messages are near 5.96 n - 15', 'messages ~ n + 1', {
      near: { n: [5.96, 0.3], 1: [-15, 8] },
    }),
    fitted('time is near 3.35 log2 n delays', 'time ~ log2 n + 1', {
      near: { 'log2 n': [3.35, 0.3] },
      r2: 0.95,
    }),
    fitted('a term in n adds almost nothing to time', 'time ~ log2 n + n + 1', {
      near: { n: [0, 0.03] },
    }),
  ],
} satisfies ExperimentDocument
