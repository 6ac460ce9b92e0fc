import { type ExperimentDocument, exactly } from 'conclave/engines'

export default {
  title: 'Ring with a list: two trips for each initiator',
  discussion:
    'Zambonelli (2023): every initiator sends a list round and then its outcome, 2 n messages each; several at once end with the same leader.',
  base: { algorithm: 'ring-list' },
  sweep: { wake: ['0', '0,1', '0,1,2,3'], n: '2^2..2^9' },
  repeat: 5,
  measure: ['messages', 'time'],
  log: ['x', 'y'],
  quick: { sweep: { wake: ['0', '0,1', '0,1,2,3'], n: '2^2..2^6' } },
  claims: [
    exactly(
      '2 n messages for each initiator',
      'messages',
      ({ n, wake }) => 2 * n * String(wake).split(',').length,
    ),
  ],
} satisfies ExperimentDocument
