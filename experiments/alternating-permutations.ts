import { type Claim, claimedBy, type ExperimentDocument } from 'conclave/engines'

/** The most steps on a ring of n: the largest S with F(S+1) <= n. */
const LONGEST = [0, 1, 2, 3, 3, 4, 4, 4, 5]

const attained: Claim = {
  says: 'the worst ring of n takes n S, F(S+1) <= n',
  judge({ points }) {
    const wrong = points.filter(({ n, measures }) => measures.cost?.max !== n * LONGEST[n])
    const words = wrong.map(({ n, measures }) => `n ${n}: ${measures.cost?.max}`)
    const exact = `exact at all ${points.length} points`
    return { holds: wrong.length === 0, found: words.join(', ') || exact }
  },
}

export default {
  title: 'Alternating steps over every permutation of the ids',
  discussion:
    'The largest count over all n! permutations is exactly the bound. Rings of a Fibonacci number of nodes are the worst: 1,2,7,3,4,8,5,6 has 8, 5, 3, 2 and 1 candidates in its steps.',
  base: { algorithm: 'alternating-steps' },
  sweep: { n: '1..8' },
  repeat: 'all',
  measure: ['cost'],
  quick: { sweep: { n: '1..6' } },
  claims: [claimedBy('Santoro (2007)', attained)],
} satisfies ExperimentDocument
