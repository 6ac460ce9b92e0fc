import { type At, claimedBy, type ExperimentDocument, nearly } from 'conclave/engines'

const by = (order: string) => ({ where: (at: At) => at['set.order'] === order, within: 0.01 })

export default {
  title: 'Averaging on the complete graph, by how pairs are found',
  discussion:
    'Zambonelli (2023): every exchange diminishes the variance. Jelasity, Montresor and Babaoglu (2005) prove by how much: if in a cycle every node exchanges once with a random other node, in a fresh order, by 1/(2 sqrt e) = 0.3033; with n random pairs by 1/e; with two perfect matchings by 1/4. The same order in each cycle is a little better than a fresh one, as we measure.',
  base: { algorithm: 'gossip-average', timing: 'cycles', topology: 'complete:{n}', until: '20' },
  sweep: { 'set.order': 'fresh,fixed,pairs,matchings', n: [1000, 10000, 100000] },
  repeat: 5,
  measure: ['factor'],
  log: ['x'],
  quick: { sweep: { 'set.order': 'fresh,fixed,pairs,matchings', n: [1000, 100000] }, repeat: 4 },
  claims: [
    claimedBy(
      'Jelasity, Montresor and Babaoglu (2005)',
      nearly('a fresh order each cycle: 1/(2 sqrt e)', 'factor', 0.3033, by('fresh')),
    ),
    nearly('the same order each cycle: 0.294', 'factor', 0.294, by('fixed')),
    claimedBy(
      'Jelasity, Montresor and Babaoglu (2005)',
      nearly('random pairs: 1/e', 'factor', 1 / Math.E, {
        where: (at: At) => at['set.order'] === 'pairs' && at.n >= 100_000,
        within: 0.01,
      }),
    ),
    claimedBy(
      'Jelasity, Montresor and Babaoglu (2005)',
      nearly('perfect matchings: 1/4', 'factor', 0.25, by('matchings')),
    ),
  ],
} satisfies ExperimentDocument
