import { type CycleResult, type ExperimentDocument, exactly, nearly } from 'conclave/engines'

const equal = (bins: number) =>
  Array.from({ length: bins + 1 }, (_, i) => String(i / bins)).join(':')

export default {
  title: 'Histogram: as fast as one average, whatever the number of bins',
  discussion:
    'Every bin is an average of zeros and ones, and all are exchanged in one message. So the variance shrinks by 1/(2 sqrt(e)) = 0.303 per cycle, as for a single average, with two bins as with eight. The shares of a node sum to 1 at all times, and in the end they are the true ones.',
  base: { algorithm: 'histogram', timing: 'cycles', topology: 'complete:10000', until: '20' },
  sweep: { 'set.edges': [2, 4, 8].map(equal) },
  repeat: 5,
  ownMeasures: {
    sum: ({ found }: CycleResult) =>
      (found as { shares: number[] }).shares.reduce((sum, share) => sum + share, 0),
  },
  measure: ['factor', 'sum', 'error'],
  quick: { sweep: { 'set.edges': [2, 8].map(equal) }, repeat: 2 },
  claims: [
    nearly('factor 1/(2 sqrt(e)) = 0.303', 'factor', 1 / (2 * Math.sqrt(Math.E)), {
      within: 0.01,
    }),
    exactly('the shares sum to 1', 'sum', 1),
  ],
} satisfies ExperimentDocument
