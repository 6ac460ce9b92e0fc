import { type At, atLeast, atMost, type ExperimentDocument } from 'conclave/engines'

export default {
  title: 'Epochs: exact again after a change',
  discussion:
    'A value changes at cycle 15. Without epochs the estimates keep the old average forever; with an epoch of 40 cycles all nodes start again from their values at cycle 40, and the estimates become exact again during that epoch.',
  base: {
    algorithm: 'gossip-average',
    timing: 'cycles',
    topology: 'complete:1000',
    values: 'index;0@15=100000',
    until: '{cycles}',
  },
  sweep: { 'set.epoch': [0, 40], cycles: [10, 14, 20, 30, 39, 45, 50, 60, 70, 79] },
  x: 'cycles',
  repeat: 3,
  measure: ['error'],
  log: ['y'],
  claims: [
    atLeast('without epochs the error stays above 5 %', 'error', 0.05, {
      where: (at: At) => at['set.epoch'] === 0 && Number(at.cycles) > 15,
    }),
    atMost('at the end of the next epoch it is below one in a million', 'error', 1e-6, {
      where: (at: At) => at['set.epoch'] === 40 && at.cycles === 79,
    }),
  ],
} satisfies ExperimentDocument
