import { atMost, claimedBy, type ExperimentDocument, grows } from 'conclave/engines'

export default {
  title: 'The ring algorithms on the same random rings',
  discussion:
    'Messages without the announcement. Every asynchronous algorithm for rings of any size needs a constant times n log n at worst; on random rings LCR, with its quadratic worst case, is among the cheapest. The same ids at the same size for all of them.',
  base: { ids: 'random' },
  sweep: {
    algorithm:
      'lcr,chang-roberts,hirschberg-sinclair,hirschberg-sinclair-one-way,peterson,franklin',
    n: [10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000],
  },
  repeat: 5,
  measure: ['cost', 'time', 'bound.messages', 'bound.lower'],
  fit: ['cost ~ auto'],
  log: ['x', 'y'],
  quick: {
    sweep: { algorithm: 'lcr,peterson,franklin', n: [10, 30, 100, 300, 1000] },
    repeat: 3,
  },
  claims: [
    claimedBy(
      'Peterson (1982)',
      atMost(
        "Peterson's stays within 2 n floor(log2 n) + n",
        'cost',
        ({ n }) => 2 * n * Math.floor(Math.log2(n)) + n,
        {
          where: ({ algorithm }) => algorithm === 'peterson',
        },
      ),
    ),
    claimedBy('the MPS lecture', grows('LCR is n log n on average', 'cost', 'n log2 n', 'lcr')),
  ],
} satisfies ExperimentDocument
