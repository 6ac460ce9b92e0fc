import { type At, type ExperimentDocument, nearly } from 'conclave/engines'

const at = (beta: number) => ({ where: (point: At) => point.beta === beta, within: 0.01 })

export default {
  title: 'Averaging on small worlds: the effect of shortcuts',
  discussion:
    'Watts-Strogatz networks of degree 20. A ring lattice mixes slowly; rewiring a quarter of its edges is enough to halve the distance to the complete graph.',
  base: {
    algorithm: 'gossip-average',
    timing: 'cycles',
    topology: 'small-world:{n}:20:{beta}',
    until: '20',
  },
  sweep: { n: [100000], beta: '0..1:0.25' },
  x: 'beta',
  repeat: 3,
  measure: ['factor'],
  quick: { sweep: { n: [20000], beta: '0..1:0.25' }, repeat: 2 },
  claims: [
    nearly('no edge rewired: 0.796', 'factor', 0.796, at(0)),
    nearly('a quarter: 0.535', 'factor', 0.535, at(0.25)),
    nearly('half: 0.379', 'factor', 0.379, at(0.5)),
    nearly('three quarters: 0.339', 'factor', 0.339, at(0.75)),
    nearly('all: 0.338', 'factor', 0.338, at(1)),
  ],
} satisfies ExperimentDocument
