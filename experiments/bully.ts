import { type At, type ExperimentDocument, exactly, grows } from 'conclave/experiment'

const on = (ids: string) => ({ where: (at: At) => at.ids === ids })

export default {
  title: 'Bully: the initiator decides the cost',
  discussion:
    'Albano (2022) and Zambonelli (2023): the highest id announces itself with n - 1 messages; if the lowest starts, every node above it holds an election too, n^2 - 1 messages in all. Zambonelli writes n (n - 1), which is ELECTION and OK without COORDINATOR. Position 0 starts: it has the lowest id where ids rise, the highest where they fall.',
  base: { algorithm: 'bully', wake: '0', detect: 'off' },
  sweep: { ids: 'increasing,decreasing', n: '2^1..2^9' },
  measures: ['messages', 'cost', 'time'],
  fits: ['messages ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { ids: 'increasing,decreasing', n: '2^1..2^6' } },
  claims: [
    exactly('the lowest starts: n^2 - 1', 'messages', ({ n }) => n * n - 1, on('increasing')),
    exactly('n (n - 1) of them elect', 'cost', ({ n }) => n * (n - 1), on('increasing')),
    exactly('the highest starts: n - 1', 'messages', ({ n }) => n - 1, on('decreasing')),
    grows('the worst case is quadratic', 'messages', 'n^2', 'ids increasing'),
  ],
} satisfies ExperimentDocument
