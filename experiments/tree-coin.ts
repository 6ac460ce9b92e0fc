import { type ExperimentDocument, exactly, inInterval } from 'conclave/engines'

export default {
  title: 'Two candidates and a coin',
  discussion:
    'On a tree without ids two neighbours are left, and toss until their coins differ: two coins with probability 1/2, four with 1/4 and so on, four on average, whatever the size of the tree is. All else is as with ids: 3n + k - 4 messages with k starters.',
  base: { algorithm: 'tree-coin', delay: 'uniform:1:10' },
  sweep: { n: '2^1..2^10' },
  repeat: 200,
  measure: ['messages.coin', 'messages.wake', 'messages.value'],
  log: ['x'],
  quick: { sweep: { n: '2^1..2^6' }, repeat: 100 },
  claims: [
    inInterval('four coins on average', 'messages.coin', 4),
    exactly('2n - 2 messages wake all if all start', 'messages.wake', ({ n }) => 2 * n - 2),
    exactly('each node sends one value', 'messages.value', ({ n }) => n),
  ],
} satisfies ExperimentDocument
