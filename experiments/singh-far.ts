import { type ExperimentDocument, grows } from 'conclave/experiment'

export default {
  title: "Singh's election beyond Liu, Li and Huang",
  discussion:
    'Liu, Li and Huang stopped at 100 nodes, 10 repeats and one delay. Up to 8192 nodes, 100 repeats, constant and random delays: messages stay linear for all practical sizes (proven is n log log n). Time is logarithmic with unit delays; with random delays a small term in (log2 n)^2 appears.',
  base: { algorithm: 'singh', wake: 'rate:0.8' },
  sweep: { delay: 'unit,uniform:1:10', n: '2^3..2^13' },
  repeat: 100,
  measures: ['messages', 'messages/n', 'time'],
  fits: ['messages ~ auto', 'time ~ auto'],
  log: ['x'],
  quick: { sweep: { delay: 'unit,uniform:1:10', n: '2^3..2^8' }, repeat: 10 },
  claims: [grows('time grows like log n with unit delays', 'time', 'log2 n', 'delay unit')],
} satisfies ExperimentDocument
