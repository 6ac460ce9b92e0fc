import { type At, atLeast, atMost, type ExperimentDocument } from 'conclave/engines'

export default {
  title: 'Epochs when messages are lost',
  discussion:
    'Averaging in the world of the experiment flow-updating: a value changes at cycle 61. Without epochs the old average stays. With an epoch of 30 cycles the estimates follow the change from the next epoch on, if no message is lost. A lost answer takes a part of the sum along: then every epoch ends with another error, which more cycles do not make smaller; it is large where most of the sum is in one node, as after the change.',
  base: {
    algorithm: 'gossip-average',
    timing: 'async',
    topology: 'k-out:400:4',
    values: 'index;0@61=100000',
    until: '{cycles}',
  },
  sweep: {
    'set.epoch': [0, 30],
    loss: [0, 0.1, 0.3],
    cycles: [5, 10, 20, 29, 35, 40, 50, 59, 62, 70, 80, 89, 100, 119],
  },
  x: 'cycles',
  repeat: 3,
  measure: ['error'],
  log: ['y'],
  quick: { sweep: { 'set.epoch': [0, 30], loss: [0, 0.3], cycles: [59, 119] } },
  claims: [
    atLeast('without epochs the old average stays', 'error', 0.4, {
      where: (at: At) => at['set.epoch'] === 0 && Number(at.cycles) > 61,
    }),
    atMost('with epochs and without loss the new average is known', 'error', 0.005, {
      where: (at: At) => at['set.epoch'] === 30 && at.loss === 0 && at.cycles === 119,
    }),
    atLeast('with loss the last epoch ends with an error of more than 1 %', 'error', 0.01, {
      where: (at: At) => at['set.epoch'] === 30 && at.loss === 0.3 && at.cycles === 119,
    }),
  ],
} satisfies ExperimentDocument
