import {
  type At,
  claimedBy,
  type ExperimentDocument,
  exactly,
  grows,
  inInterval,
} from 'conclave/engines'

const on = (ids: string) => ({ where: (at: At) => at.ids === ids })
const harmonic = (n: number) =>
  Array.from({ length: n }, (_, i) => 1 / (i + 1)).reduce((a, b) => a + b)

export default {
  title: 'LCR: worst, best and average ring',
  discussion:
    'The MPS lecture and Burman: ids that fall in the direction of travel are the worst ring, rising ones the best, and on a random ring LCR needs n H_n messages on average. The announcement is left out.',
  base: { algorithm: 'lcr' },
  sweep: { ids: 'decreasing,random,increasing', n: '2^2..2^10' },
  repeat: 40,
  measure: ['cost', 'time'],
  fit: ['cost ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { ids: 'decreasing,random,increasing', n: '2^2..2^7' } },
  claims: [
    claimedBy(
      'Burman',
      exactly(
        'the worst ring costs n(n+1)/2',
        'cost',
        ({ n }) => (n * (n + 1)) / 2,
        on('decreasing'),
      ),
    ),
    claimedBy(
      'Burman',
      exactly('the best ring costs 2n-1', 'cost', ({ n }) => 2 * n - 1, on('increasing')),
    ),
    claimedBy(
      'the MPS lecture',
      inInterval('a random ring costs n H_n', 'cost', ({ n }) => n * harmonic(n), on('random')),
    ),
    exactly('elected after n hops on every ring', 'time', ({ n }) => n),
    claimedBy(
      'the MPS lecture',
      grows('the worst case is quadratic', 'cost', 'n^2', 'ids decreasing'),
    ),
    claimedBy('the MPS lecture', grows('the average is n log n', 'cost', 'n log2 n', 'ids random')),
  ],
} satisfies ExperimentDocument
