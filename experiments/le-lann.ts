import { claimedBy, type ExperimentDocument, exactly, grows } from 'conclave/engines'

const starters = (wake: unknown, n: number) => (wake === 'all' ? n : 1)

export default {
  title: 'Le Lann: every starter sends its token round the ring',
  discussion:
    'No token is ever swallowed, so k starters take k n messages in every run, whatever the ids, delays and their order on the ring are: n^2 if all start, where Chang and Roberts take n H_n on average.',
  base: { algorithm: 'le-lann', delay: 'uniform:1:10' },
  sweep: { wake: 'all,0', n: '2^1..2^9' },
  repeat: 5,
  measure: ['cost', 'time'],
  fit: ['cost ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { wake: 'all,0', n: '2^1..2^6' }, repeat: 2 },
  claims: [
    claimedBy(
      'Le Lann (1977)',
      exactly('k n tokens in every run', 'cost', ({ n, wake }) => starters(wake, n) * n),
    ),
    grows('quadratic if all start', 'cost', 'n^2', 'wake all'),
  ],
} satisfies ExperimentDocument
