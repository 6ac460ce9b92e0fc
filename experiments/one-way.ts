import { type ExperimentDocument, exactly, grows } from 'conclave/engines'

export default {
  title: 'Hirschberg-Sinclair in one direction',
  discussion:
    'The homework of the MPS lecture: probes that go left only learn too little. On falling ids every probe but one meets smaller ids all the way, and the cost is quadratic; in both directions it is n log n at worst.',
  base: { ids: 'decreasing' },
  sweep: { algorithm: 'hirschberg-sinclair,hirschberg-sinclair-one-way', n: '2^2..2^10' },
  measure: ['cost'],
  fit: ['cost ~ auto'],
  log: ['x', 'y'],
  quick: {
    sweep: { algorithm: 'hirschberg-sinclair,hirschberg-sinclair-one-way', n: '2^2..2^8' },
  },
  claims: [
    exactly('8 nodes cost 106 messages in one direction', 'cost', 106, {
      where: ({ algorithm, n }) => n === 8 && String(algorithm).endsWith('one-way'),
    }),
    exactly('16 nodes cost 446', 'cost', 446, {
      where: ({ algorithm, n }) => n === 16 && String(algorithm).endsWith('one-way'),
    }),
    grows('one direction is quadratic', 'cost', 'n^2', 'hirschberg-sinclair-one-way'),
  ],
} satisfies ExperimentDocument
