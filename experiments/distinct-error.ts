import { type At, type ExperimentDocument, nearly } from 'conclave/engines'

/** The mean size of an error that is about normal, for its standard deviation. */
const MEAN_SIZE = Math.sqrt(2 / Math.PI)

export default {
  title: 'Distinct values: the error of HyperLogLog',
  discussion:
    'All 2,000 nodes have different values, and exchange registers until all have the same. The estimate has relative standard deviation 1.04/sqrt(m) with m registers; the mean size of such an error is sqrt(2/pi) of that. Where there are about as many registers as values, empty ones are counted, which errs less.',
  base: { algorithm: 'distinct', timing: 'cycles', topology: 'complete:2000', until: '16' },
  sweep: { 'set.registers': [16, 32, 64, 128, 256, 512] },
  x: 'set.registers',
  repeat: 120,
  measure: ['error'],
  log: ['x', 'y'],
  quick: { sweep: { 'set.registers': [64, 256] }, repeat: 60 },
  claims: [
    nearly(
      'the mean size of the error is sqrt(2/pi) 1.04/sqrt(m)',
      'error',
      (at: At) => (MEAN_SIZE * 1.04) / Math.sqrt(Number(at['set.registers'])),
      { share: 0.3 },
    ),
  ],
} satisfies ExperimentDocument
