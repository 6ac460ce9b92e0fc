import { type At, atMost, type ExperimentDocument } from 'conclave/engines'

/** The diameter of a network of this form. */
function diameter({ topology }: At): number {
  const [kind, sizes] = String(topology).split(':')
  const [rows, columns = 1] = sizes.split('x').map(Number)
  if (kind === 'torus') return Math.floor(rows / 2) + Math.floor(columns / 2)
  if (kind === 'hypercube') return rows
  return rows + columns - 2
}

export default {
  title: 'Top-k: exact within the diameter',
  discussion:
    'Where nodes tell all neighbours what is new to them, every list is right after at most as many rounds as the diameter. Random exchanges go on meanwhile, and make it earlier.',
  base: { algorithm: 'top-k', timing: 'cycles', set: { tolerance: 0.000001, how: 'flood', k: 5 } },
  sweep: { topology: ['path:20', 'grid:6x9', 'grid:20x20', 'torus:16x16', 'hypercube:10'] },
  repeat: 20,
  measure: ['reached', 'within', 'messages/n'],
  quick: { sweep: { topology: ['path:20', 'torus:16x16'] }, repeat: 5 },
  claims: [atMost('at most as many rounds as the diameter', 'reached', diameter)],
} satisfies ExperimentDocument
