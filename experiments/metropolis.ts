import {
  type At,
  type CycleResult,
  claimedBy,
  type ExperimentDocument,
  nearly,
} from 'conclave/engines'

/** The second largest size of an eigenvalue of the matrix of weights. */
function eigenvalue({ topology }: At): number {
  const [kind, size] = String(topology).split(':')
  const n = Number(size)
  const turn = kind === 'ring' ? 2 : 1
  if (kind === 'star') return 1 - 1 / n
  if (kind === 'hypercube') return (n - 1) / (n + 1)
  return 1 - (2 - 2 * Math.cos((turn * Math.PI) / n)) / 3
}

export default {
  title: 'Metropolis weights: the rate is an eigenvalue',
  discussion:
    'Xiao and Boyd (2004): without randomness every round multiplies the deviations from the average by the same matrix. After many rounds only the part along its second eigenvector is left, so that the standard deviation shrinks in each round by the second largest eigenvalue: 1 - (2-2cos(2 pi/n))/3 on a ring, 1 - (2-2cos(pi/n))/3 on a path, 1 - 1/n on a star and (d-1)/(d+1) on a hypercube of d dimensions.',
  base: { algorithm: 'metropolis', timing: 'cycles', until: '120' },
  sweep: {
    topology: ['ring:8', 'ring:16', 'ring:24', 'path:5', 'path:10', 'path:16', 'star:10'].concat([
      'star:40',
      'hypercube:6',
      'hypercube:8',
      'hypercube:10',
    ]),
  },
  repeat: 5,
  ownMeasures: {
    /** The factor of the standard deviation in the last round above the limits of rounding. */
    late({ cycles }: CycleResult) {
      const clear = cycles.filter(({ variance }) => variance! > 1e-20)
      const [before, last] = clear.slice(-2)
      return Math.sqrt(last.variance! / before.variance!)
    },
  },
  measure: ['late'],
  quick: { sweep: { topology: ['ring:16', 'path:10', 'star:10', 'hypercube:6'] }, repeat: 2 },
  claims: [
    claimedBy(
      'Xiao and Boyd (2004)',
      nearly('the deviation shrinks by the second eigenvalue', 'late', eigenvalue, {
        share: 0.001,
      }),
    ),
  ],
} satisfies ExperimentDocument
