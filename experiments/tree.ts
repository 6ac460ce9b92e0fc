import { claimedBy, type ExperimentDocument, exactly } from 'conclave/engines'

const starters = (wake: unknown, n: number) => (wake === 'all' ? n : 1)

export default {
  title: 'Saturation of a tree: the same count in every run',
  discussion:
    'Santoro: with k starters an election on a tree takes 3n + k - 4 messages in every run: n + k - 2 to wake all nodes, n values, and n - 2 announcements. Here on binary trees, with messages in any order; a test compares the counts on random trees.',
  base: { algorithm: 'tree', delay: 'uniform:1:10', order: 'any' },
  sweep: { wake: 'all,0', n: '2^1..2^12' },
  repeat: 10,
  measure: ['messages', 'messages.wake', 'messages.value', 'messages.leader'],
  fit: ['messages ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { wake: 'all,0', n: '2^1..2^7' }, repeat: 3 },
  claims: [
    claimedBy(
      'Santoro (2007)',
      exactly(
        '3n + k - 4 messages in every run',
        'messages',
        ({ n, wake }) => 3 * n + starters(wake, n) - 4,
      ),
    ),
    exactly('n + k - 2 to wake all', 'messages.wake', ({ n, wake }) => n + starters(wake, n) - 2),
    exactly('each node sends one value', 'messages.value', ({ n }) => n),
    exactly('n - 2 announcements', 'messages.leader', ({ n }) => n - 2),
  ],
} satisfies ExperimentDocument
