import { type ExperimentDocument, exactly } from 'conclave/experiment'

export default {
  title: 'LCR over every arrangement of the ids',
  discussion: 'The average over all n! arrangements is n H_n, not about but exactly.',
  base: { algorithm: 'lcr' },
  sweep: { n: '1..8' },
  repeat: 'all',
  measures: ['cost'],
  quick: { sweep: { n: '1..6' } },
  claims: [
    exactly('the mean is n H_n', 'cost', ({ n }) => {
      let sum = 0
      for (let k = n; k >= 1; k--) sum += n / k
      return sum
    }),
  ],
} satisfies ExperimentDocument
