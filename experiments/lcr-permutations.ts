import { claimedBy, type ExperimentDocument, exactly } from 'conclave/engines'

export default {
  title: 'LCR over every permutation of the ids',
  discussion: 'The average over all n! permutations is exactly n H_n.',
  base: { algorithm: 'lcr' },
  sweep: { n: '1..8' },
  repeat: 'all',
  measure: ['cost'],
  quick: { sweep: { n: '1..6' } },
  claims: [
    claimedBy(
      'the MPS lecture',
      exactly('the mean is n H_n', 'cost', ({ n }) => {
        let sum = 0
        for (let k = n; k >= 1; k--) sum += n / k
        return sum
      }),
    ),
  ],
} satisfies ExperimentDocument
