import { type At, claimedBy, type ExperimentDocument, exactly, grows } from 'conclave/engines'

const on = (ids: string) => ({ where: (at: At) => at.ids === ids })

export default {
  title: 'Bully: the initiator decides the cost',
  discussion:
    'Zambonelli (2023): the highest id announces itself with n - 1 messages; if the lowest starts, every node above it holds an election too, with n (n - 1) messages. These are ELECTION and OK; with COORDINATOR we count n^2 - 1 in all. Albano (2022): O(n^2) at worst. Position 0 starts: it has the lowest id where ids rise, the highest where they fall.',
  base: { algorithm: 'bully', wake: '0', detect: 'off' },
  sweep: { ids: 'increasing,decreasing', n: '2^1..2^9' },
  measure: ['messages', 'cost', 'time'],
  fit: ['messages ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { ids: 'increasing,decreasing', n: '2^1..2^6' } },
  claims: [
    exactly('the lowest starts: n^2 - 1', 'messages', ({ n }) => n * n - 1, on('increasing')),
    claimedBy(
      'Zambonelli (2023)',
      exactly('n (n - 1) of them elect', 'cost', ({ n }) => n * (n - 1), on('increasing')),
    ),
    claimedBy(
      'Zambonelli (2023)',
      exactly('the highest starts: n - 1', 'messages', ({ n }) => n - 1, on('decreasing')),
    ),
    claimedBy(
      'Albano (2022)',
      grows('the worst case is quadratic', 'messages', 'n^2', 'ids increasing'),
    ),
  ],
} satisfies ExperimentDocument
