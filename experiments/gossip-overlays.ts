import { type At, claimedBy, type ExperimentDocument, nearly } from 'conclave/engines'

const on = (overlay: string) => ({
  where: ({ topology }: At) => String(topology).startsWith(overlay),
  within: 0.01,
})

export default {
  title: 'Averaging by overlay',
  discussion:
    'Which nodes may be picked matters little as long as the overlay is random: 20 random neighbours come near the complete graph; a scale-free network is somewhat slower, since its hubs are picked again and again.',
  base: { algorithm: 'gossip-average', timing: 'cycles', until: '20' },
  sweep: {
    topology: ['complete:100000', 'k-out:100000:20', 'scale-free:100000:10'],
  },
  repeat: 3,
  measure: ['factor'],
  quick: { sweep: { topology: ['complete:20000', 'k-out:20000:20', 'scale-free:20000:10'] } },
  claims: [
    claimedBy(
      'Jelasity, Montresor and Babaoglu (2005)',
      nearly('complete: 0.303', 'factor', 0.303, on('complete')),
    ),
    nearly('20-out: 0.316', 'factor', 0.316, on('k-out')),
    nearly('scale-free: 0.365', 'factor', 0.365, on('scale-free')),
  ],
} satisfies ExperimentDocument
