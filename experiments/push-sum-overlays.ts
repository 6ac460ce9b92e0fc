import { type At, type ExperimentDocument, nearly } from 'conclave/engines'

const on = (overlay: string) => ({
  where: ({ topology }: At) => String(topology).startsWith(overlay),
  within: 0.02,
})

export default {
  title: 'Push-sum by overlay',
  discussion:
    'By what factor the squared error of the estimates shrinks in a round of push-sum, over 30 rounds. A round has n messages where averaging by exchanges has 2n, and is slower: a half on complete networks, where an exchange of all leaves 0.303. Twenty random neighbours are nearly as good as all; where information has a long way, on a torus, little is gained in a round.',
  base: { algorithm: 'push-sum', timing: 'cycles', until: '30' },
  sweep: {
    topology: ['complete:10000', 'k-out:10000:20', 'hypercube:10', 'torus:32x32'],
  },
  repeat: 10,
  measure: ['factor', 'reached'],
  quick: { repeat: 3 },
  claims: [
    nearly('complete: 0.515', 'factor', 0.515, on('complete')),
    nearly('20 neighbours of its own choice: 0.55', 'factor', 0.55, on('k-out')),
    nearly('hypercube of 10 dimensions: 0.712', 'factor', 0.712, on('hypercube')),
    nearly('torus of 32 x 32: 0.864', 'factor', 0.864, on('torus')),
    nearly('complete: 1 % everywhere after 21 to 23 rounds', 'reached', 22, {
      ...on('complete'),
      within: 1,
    }),
  ],
} satisfies ExperimentDocument
