import { claimedBy, type ExperimentDocument, exactly } from 'conclave/engines'

const BEAT = 5
const UNTIL = 100

export default {
  title: 'Omega: one sender in the long run',
  discussion:
    'All nodes trust the largest id at once, and only that node sends: one beat to each smaller id every 5 time units. Up to time 100 that are 21 beats, n - 1 messages each.',
  base: { algorithm: 'omega', until: UNTIL, set: { beat: BEAT, patience: 12 } },
  sweep: { n: '2^1..2^8' },
  repeat: 3,
  measure: ['messages', 'time.stable'],
  fit: ['messages ~ n'],
  log: ['x', 'y'],
  quick: { sweep: { n: '2^1..2^5' }, repeat: 1 },
  claims: [
    claimedBy(
      'Larrea, Fernandez and Arevalo (2000)',
      exactly('n - 1 messages per beat', 'messages', ({ n }) => (UNTIL / BEAT + 1) * (n - 1)),
    ),
    exactly('stable from the start', 'time.stable', 0),
  ],
} satisfies ExperimentDocument
