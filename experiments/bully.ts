import { type At, type ExperimentDocument, exactly, grows } from 'conclave/experiment'

const on = (ids: string) => ({ where: (at: At) => at.ids === ids })

export default {
  title: 'Bully: who notices first decides the cost',
  discussion:
    'Texts 001 and 004: the highest id announces itself with n - 1 messages; if the lowest starts, everybody above holds an election of its own, n^2 - 1 messages in all. Text 004 writes n (n - 1), which is ELECTION and OK without COORDINATOR. Position 0 starts: it has the lowest id where ids rise, the highest where they fall.',
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
