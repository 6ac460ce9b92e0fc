import { type At, type CycleResult, type ExperimentDocument, inInterval } from 'conclave/engines'

/** By how much a round shrinks the expected sum of squares of s - w mean on a complete network. */
const factor = (n: number) => 1 / 2 - (3 * n - 4) / (4 * (n - 1) ** 2)

export default {
  title: 'Push-sum: the exact rate on complete networks',
  discussion:
    'Kempe, Dobra and Gehrke (2003): all nodes keep half of their sum s and weight w and send the other half to a random node. With the mean m of the values, the sum of the squares of s - w m over all nodes is a potential: in expectation it shrinks in every round by exactly 1/2 - (3n-4)/(4(n-1)^2), whatever the values are.',
  base: { algorithm: 'push-sum', timing: 'cycles', until: '{cycles}' },
  sweep: { n: [3, 10, 100], cycles: [1, 2, 4, 6] },
  x: 'cycles',
  repeat: 2000,
  ownMeasures: {
    /** The potential at the end, as a share of that at the start. */
    potential({ nodes = [], truth }: CycleResult) {
      const sum = (of: (node: (typeof nodes)[number]) => number) =>
        nodes.reduce((total, node) => total + of(node) ** 2, 0)
      return sum(({ state }) => state!.s - state!.w * truth) / sum(({ value }) => value - truth)
    },
  },
  measure: ['potential'],
  log: ['y'],
  quick: { sweep: { n: [10, 100], cycles: [1, 3] }, repeat: 300 },
  claims: [
    inInterval(
      'the potential is (1/2 - (3n-4)/(4(n-1)^2))^cycles of the first one',
      'potential',
      ({ n, cycles }: At) => factor(n) ** Number(cycles),
    ),
  ],
} satisfies ExperimentDocument
