import { claimedBy, type ExperimentDocument, exactly, grows } from 'conclave/engines'

export default {
  title: 'The ring algorithms on falling ids',
  discussion:
    'The worst ring of LCR and of Hirschberg-Sinclair in one direction separates the quadratic algorithms from the others.',
  base: { ids: 'decreasing' },
  sweep: {
    algorithm: 'lcr,hirschberg-sinclair-one-way,hirschberg-sinclair,peterson,franklin',
    n: [10, 30, 100, 300, 1000, 3000, 10000],
  },
  measure: ['cost', 'bound.messages', 'bound.lower'],
  fit: ['cost ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { algorithm: 'lcr,peterson', n: [10, 30, 100, 300, 1000] } },
  claims: [
    claimedBy(
      'Burman',
      exactly('LCR costs n(n+1)/2', 'cost', ({ n }) => (n * (n + 1)) / 2, {
        where: ({ algorithm }) => algorithm === 'lcr',
      }),
    ),
    claimedBy('the MPS lecture', grows('LCR is quadratic', 'cost', 'n^2', 'lcr')),
  ],
} satisfies ExperimentDocument
