import { atMost, claimedBy, type ExperimentDocument, exactly } from 'conclave/engines'

export default {
  title: 'Flooding of the largest id',
  discussion:
    'FloodMax sends 2 E D messages on every network; if nodes send only news, fewer. Random graphs with edge probability 2 ln n / n.',
  base: { algorithm: 'flood-max' },
  sweep: { set: ['send=always', 'send=changes'], n: '2^3..2^10' },
  repeat: 20,
  measure: ['cost', 'bound.messages', 'cost/bound.messages', 'time'],
  fit: ['cost/bound.messages ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { set: ['send=always', 'send=changes'], n: '2^3..2^7' }, repeat: 5 },
  claims: [
    claimedBy(
      'Lynch (1996)',
      exactly('exactly 2 E D messages if all send always', 'cost/bound.messages', 1, {
        where: ({ set }) => set === 'send=always',
      }),
    ),
    claimedBy(
      'Lynch (1996)',
      atMost('never more with send=changes', 'cost/bound.messages', 1, {
        where: ({ set }) => set === 'send=changes',
      }),
    ),
  ],
} satisfies ExperimentDocument
