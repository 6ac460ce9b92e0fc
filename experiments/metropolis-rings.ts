import { type At, type ExperimentDocument, grows, nearly } from 'conclave/engines'

/** The slowest wave is twice the average at first, and must fall to a hundredth of it. */
const rounds = ({ n }: At) =>
  Math.log(2 / 0.01) / -Math.log(1 - (2 - 2 * Math.cos((2 * Math.PI) / n)) / 3)

export default {
  title: 'Metropolis weights: a ring takes n^2 rounds',
  discussion:
    'On a ring the second largest eigenvalue is 1 - (2-2cos(2 pi/n))/3, about 1 - 13/n^2: the number of rounds until all estimates are within 1 % of the average grows like n^2, since what a node knows diffuses. One node has the whole sum at first.',
  base: {
    algorithm: 'metropolis',
    timing: 'cycles',
    values: 'peak',
    topology: 'ring:{n}',
    until: '3000',
  },
  sweep: { n: [8, 12, 16, 24, 32, 48, 64] },
  measure: ['reached', 'reached/n'],
  fit: ['reached ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { n: [8, 12, 16, 24, 32] } },
  claims: [
    nearly('as many rounds as the eigenvalue says', 'reached', rounds, { within: 1 }),
    grows('rounds grow like n^2', 'reached', 'n^2'),
  ],
} satisfies ExperimentDocument
