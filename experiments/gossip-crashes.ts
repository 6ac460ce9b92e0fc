import { type At, atMost, type ExperimentDocument } from 'conclave/experiment'

export default {
  title: 'Counting when half of the nodes die',
  discussion:
    'One node holds 1, all others 0, and the average is 1/n. Who dies takes its share along. At the beginning the shares differ wildly and the count is off by a factor; after twenty cycles everybody holds nearly the same, and half of the nodes may die without anybody noticing.',
  base: {
    algorithm: 'gossip-count',
    timing: 'cycles',
    topology: 'complete:{n}',
    crash: '0.5@{cycle}',
    until: '30',
  },
  sweep: { n: [100000], cycle: [2, 5, 10, 15, 20] },
  x: 'cycle',
  repeat: 5,
  // Where all of the 1 has died nobody has an estimate: that is the finding.
  mayFail: true,
  measures: ['massError'],
  log: ['y'],
  quick: { sweep: { n: [10000], cycle: [2, 10, 20] }, repeat: 3 },
  claims: [
    atMost('dying at cycle 10 costs below 10 %', 'massError', 0.1, {
      where: ({ cycle }: At) => cycle === 10,
    }),
    atMost('dying at cycle 20 costs below 0.1 %', 'massError', 0.001, {
      where: ({ cycle }: At) => cycle === 20,
    }),
  ],
} satisfies ExperimentDocument
