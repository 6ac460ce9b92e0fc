import { type At, type ExperimentDocument, nearly } from 'conclave/engines'

export default {
  title: 'Evaporation: how fast an old sum is forgotten',
  discussion:
    'All values jump at cycle 1. In every cycle an estimate first moves towards its own value by a share e. The distance between the mean of the estimates and the new mean shrinks by exactly (1 - e) per cycle, so after k cycles (1 - e)^k of the error is left. The price is that the estimates never agree completely.',
  base: {
    algorithm: 'gossip-average',
    timing: 'cycles',
    topology: 'complete:1000',
    values: 'index;0@1=1000500',
    set: { evaporation: '{e}' },
  },
  sweep: { e: [0.05, 0.1, 0.2], until: [11, 21, 31] },
  x: 'until',
  repeat: 1,
  measure: ['bias', 'error'],
  log: ['y'],
  claims: [
    nearly(
      'the error of the mean is (1 - e)^cycles of what it was',
      'bias',
      // The mean of 0..999 is 499.5, and that of the new values 1500.
      ({ e, until }: At) => (1000.5 / 1500) * (1 - Number(e)) ** Number(until),
      { share: 1e-9 },
    ),
  ],
} satisfies ExperimentDocument
