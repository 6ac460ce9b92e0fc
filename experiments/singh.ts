import { type ExperimentDocument, fitted, grows } from 'conclave/experiment'

export default {
  title: "Singh's election as Liu, Li and Huang measured it",
  discussion:
    'The set-up of Liu, Li and Huang: n = 2..100, every node wakes with probability 0.8, unit delays, 10 repeats. Total messages with ELECTED come out near 5.96 n - 15 and time near 3.35 log2 n, the forms that their figures 1 and 2 use. The term in n that they add for figure 3 stands for computing, which takes no time here, and explains next to nothing. Their line 0.613 n + 7.3 cannot be a total, since the n - 1 ELECTED messages alone are more.',
  base: { algorithm: 'singh', wake: 'rate:0.8' },
  sweep: { n: '2..100' },
  repeat: 10,
  measures: ['messages', 'time'],
  fits: ['messages ~ n', 'time ~ log2(n)', 'time ~ log2(n) + n', 'messages ~ auto', 'time ~ auto'],
  quick: { sweep: { n: '2..100:7' } },
  claims: [
    fitted('messages are near 5.96 n - 15', 'messages ~ n + 1', {
      near: { n: [5.96, 0.3], 1: [-15, 8] },
      r2: 0.97,
    }),
    fitted('time is near 3.35 log2 n', 'time ~ log2 n + 1', {
      near: { 'log2 n': [3.35, 0.3] },
      r2: 0.95,
    }),
    fitted('a term in n adds almost nothing to time', 'time ~ log2 n + n + 1', {
      near: { n: [0, 0.03] },
    }),
    grows('time grows like log n', 'time', 'log2 n'),
  ],
} satisfies ExperimentDocument
