import { claimedBy, type ExperimentDocument, inInterval, type RunResult } from 'conclave/engines'

/** Referees and expected messages, from the description of the algorithm. */
const referees = (n: number) => Math.min(n - 1, Math.ceil(2 * Math.sqrt(n * Math.log(n))))

export default {
  title: 'Fewer messages than nodes',
  discussion:
    'Candidates with random ranks ask random referees: 4 r ln n messages are expected with r = 2 sqrt(n ln n) referees, fewer than n from about 300,000 nodes on. Small networks fail often enough to compare the rate with the stated chance.',
  base: { algorithm: 'sublinear' },
  sweep: { n: '2^1..2^12' },
  repeat: 200,
  measure: ['messages', 'messages/n', 'sent', 'elected', 'chance'],
  // The expectation is over all runs, also those that do not elect.
  ownMeasures: { sent: ({ messages }: RunResult) => messages.total },
  log: ['x', 'y'],
  quick: { sweep: { n: '2^1..2^8' }, repeat: 40 },
  claims: [
    claimedBy(
      'Kutten, Pandurangan, Peleg, Robinson and Trehan (2013)',
      inInterval('2 r n p messages on average', 'sent', ({ n }) => {
        const p = Math.min(1, (2 * Math.log(n)) / n)
        return 2 * referees(n) * n * p
      }),
    ),
  ],
} satisfies ExperimentDocument
