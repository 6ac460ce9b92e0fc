import { type At, atLeast, atMost, type ExperimentDocument } from 'conclave/engines'

export default {
  title: 'Flow updating: exact in spite of loss and changes',
  discussion:
    'Jesus, Baquero and Almeida (2009): messages say what has flowed over a link, so that lost ones falsify nothing. A value changes at cycle 61, which makes the average more than half as large again. The error falls before and after, at nearly the same rate with a third of the messages lost. The experiment gossip-epochs-loss has averaging with epochs in the same world.',
  base: {
    algorithm: 'flow-updating',
    timing: 'async',
    topology: 'k-out:400:4',
    values: 'index;0@61=100000',
    until: '{cycles}',
  },
  sweep: {
    loss: [0, 0.1, 0.3],
    cycles: [5, 10, 20, 30, 40, 50, 60, 62, 70, 80, 90, 100, 110, 120],
  },
  x: 'cycles',
  repeat: 3,
  measure: ['error'],
  log: ['y'],
  quick: { sweep: { loss: [0, 0.3], cycles: [20, 60, 62, 120] } },
  claims: [
    atMost('before the change the error falls below 1 in 500', 'error', 0.002, {
      where: (at: At) => at.cycles === 60,
    }),
    atLeast('the change makes the estimates wrong', 'error', 0.4, {
      where: (at: At) => at.cycles === 62,
    }),
    atMost('60 cycles later the error is below 1 in 100 again', 'error', 0.01, {
      where: (at: At) => at.cycles === 120,
    }),
  ],
} satisfies ExperimentDocument
