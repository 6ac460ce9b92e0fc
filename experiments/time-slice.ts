import { claimedBy, type ExperimentDocument, exactly, grows } from 'conclave/engines'

export default {
  title: 'Time-slice: n messages, paid for in rounds',
  discussion:
    'The MPS lecture: a node with id v may start a token in the v-th slice of n rounds, if none came before. One token goes round: n messages, and the smallest id m is elected m n rounds after the start.',
  base: { algorithm: 'time-slice' },
  sweep: { n: '2^1..2^10' },
  repeat: 10,
  measure: ['messages', 'time'],
  fit: ['messages ~ auto', 'time ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { n: '2^1..2^7' } },
  claims: [
    claimedBy(
      'the MPS lecture',
      exactly('exactly n messages', 'messages', ({ n }) => n),
    ),
    claimedBy(
      'the MPS lecture',
      exactly('with smallest id 1, elected after n rounds', 'time', ({ n }) => n),
    ),
    claimedBy('the MPS lecture', grows('messages grow like n', 'messages', 'n')),
  ],
} satisfies ExperimentDocument
