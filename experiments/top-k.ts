import { type ExperimentDocument, grows } from 'conclave/engines'

export default {
  title: 'Top-k: nearly as fast as the maximum',
  discussion:
    'Lists of the k largest values are joined by exchanges between random nodes. A value spreads as a rumor does, so that all lists are right after a number of cycles that grows like log n; the k-th value takes hardly longer than the first one. k = 1 is the maximum with its owner.',
  base: { algorithm: 'top-k', timing: 'cycles', set: { tolerance: 0.000001 }, until: '40' },
  sweep: { 'set.k': [1, 3, 10], n: '2^4..2^12' },
  repeat: 20,
  measure: ['reached'],
  fit: ['reached ~ auto'],
  log: ['x'],
  quick: { sweep: { 'set.k': [1, 3], n: '2^4..2^11' }, repeat: 8 },
  claims: [grows('cycles grow like log n', 'reached', 'log2 n')],
} satisfies ExperimentDocument
