import { type ExperimentDocument, fitted, grows } from 'conclave/experiment'

export default {
  title: "Singh's election as text 003 measured it",
  discussion:
    "Text 003's set-up: n = 2..100, every node wakes with probability 0.8, unit delays, 10 repeats. Total messages with ELECTED come out near 5.96 n - 15 and time near 3.35 log2 n, as its figures 1 and 2 ask. The term in n that it adds for its figure 3 stands for computing, which takes no time here, and explains next to nothing. Its line 0.613 n + 7.3 cannot be a total: n - 1 ELECTED messages alone are more; it is near what the leader by itself sends in the two-sided variant.",
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
    fitted('a term in n adds next to nothing to time', 'time ~ log2 n + n + 1', {
      near: { n: [0, 0.03] },
    }),
    grows('time grows like log n', 'time', 'log2 n'),
  ],
} satisfies ExperimentDocument
