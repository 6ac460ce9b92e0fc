import { atMost, type ExperimentDocument } from 'conclave/engines'

export default {
  title: 'Self-stabilization: rounds from any state',
  discussion:
    'On a path, from states and messages that are drawn at random, with the bound N = n. An id that does not exist is believed for at most N rounds, and the largest id then spreads by one link per round: all name it from round N + D = 2n - 1 on.',
  base: { algorithm: 'stabilizing', topology: 'path:{n}', timing: 'sync', corrupt: 1, until: 160 },
  sweep: { n: '2^1..2^6' },
  repeat: 60,
  measure: ['time.stable'],
  fit: ['time.stable ~ n'],
  quick: { repeat: 10, sweep: { n: '2^1..2^5' } },
  claims: [atMost('stable from round N + D on', 'time.stable', ({ n }) => n + (n - 1) - 1)],
} satisfies ExperimentDocument
