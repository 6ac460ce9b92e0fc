import { atMost, claimedBy, type ExperimentDocument, exactly } from 'conclave/engines'

export default {
  title: 'Slow-fast: at most 5n messages, however the nodes wake',
  discussion:
    'The MPS lecture: tokens of small ids travel fast, those of large ids slowly, and the smallest overtakes them all. Messages stay below 5 n; time grows with 2 to the smallest id that woke, and idle rounds cost the simulator nothing.',
  base: { algorithm: 'slow-fast', wake: 'rate:{rate}' },
  sweep: { rate: '0.1,0.5,1', n: '4..40:4' },
  repeat: 50,
  measure: ['cost', 'messages.fast', 'messages.slow', 'time'],
  quick: { sweep: { rate: '0.1,0.5,1', n: '4..20:8' }, repeat: 10 },
  claims: [
    claimedBy(
      'the MPS lecture',
      atMost('fast and slow messages are at most 5 n', 'cost', ({ n }) => 5 * n),
    ),
    exactly('exactly n fast messages', 'messages.fast', ({ n }) => n),
  ],
} satisfies ExperimentDocument
