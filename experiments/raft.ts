import { type At, atMost, claimedBy, type ExperimentDocument, nearly } from 'conclave/engines'

const [PATIENCE, CUT] = [10, 50]
/** A node that is cut off stands again after 1.5 patience on average, each time in a new term. */
const climbed = ({ heals }: At) => (Number(heals) - CUT) / (1.5 * PATIENCE)

export default {
  title: 'Raft: the server that returns',
  discussion:
    'One of five servers is cut off from time 50 on. Without pre-votes it stands for election again and again, and its term climbs; when it returns, its term deposes the leader, though nothing was wrong with it. With pre-votes nobody would vote for it, so that its term stays 1 and the leader leads on.',
  base: {
    ...{ algorithm: 'raft', coins: '0:0', until: 500, set: { prevote: '{prevote}' } },
    partition: '2/0,1,3,4@50..{heals}',
  },
  sweep: { n: [5], prevote: 'off,on', heals: '100..400:50' },
  x: 'heals',
  repeat: 60,
  measure: ['term', 'time.stable'],
  quick: { repeat: 20, sweep: { n: [5], prevote: 'off,on', heals: '100..400:150' } },
  claims: [
    claimedBy(
      'Ongaro 2014',
      atMost('with pre-votes there is one term', 'term', 1, {
        where: ({ prevote }) => prevote === 'on',
      }),
    ),
    nearly(
      'without, one term for each 1.5 patience that the server is away',
      'term',
      (at) => 1 + climbed(at) + 1,
      { within: 1.5, where: ({ prevote }) => prevote === 'off' },
    ),
  ],
} satisfies ExperimentDocument
