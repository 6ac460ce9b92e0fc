import { type At, atMost, type ExperimentDocument } from 'conclave/engines'

export default {
  title: 'Counting when half of the nodes crash',
  discussion:
    'One node holds 1, all others 0, and the average is 1/n. A node that crashes takes its share with it. At the beginning the shares differ widely and the count is off by a factor; after twenty cycles all nodes hold nearly the same, and half of them may crash without a visible effect.',
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
  // If the whole 1 is lost, no node has an estimate: that is the finding.
  mayFail: true,
  measure: ['massError'],
  log: ['y'],
  quick: { sweep: { n: [10000], cycle: [2, 10, 20] }, repeat: 3 },
  claims: [
    atMost('crashes at cycle 10 cost below 10 %', 'massError', 0.1, {
      where: ({ cycle }: At) => cycle === 10,
    }),
    atMost('crashes at cycle 20 cost below 0.1 %', 'massError', 0.001, {
      where: ({ cycle }: At) => cycle === 20,
    }),
  ],
} satisfies ExperimentDocument
