import { algorithm, type Outcome } from '../../core/index.ts'

/**
 * Leader election by meetings (Angluin, Aspnes, Diamadi, Fischer and Peralta 2006), one bit per
 * node. All nodes start as leaders; of two leaders that meet one remains. On a complete network
 * that is enough: (n-1)^2 meetings are expected. Elsewhere a leader swaps its role with whom it
 * meets, so that the last ones walk until they meet. No node ever knows that it is the only one.
 */
export const pairwise = algorithm({
  name: 'pairwise',
  needs: { topology: 'any' },
  messages: {},
  elects: 'another',
  params: {
    walk: {
      says: 'whether a leader that meets another node swaps roles with it; only complete networks do without',
      choices: ['on', 'off'],
      value: () => 'on',
    },
  },
  state: {},
  wakes: false,

  start(_, net) {
    net.lead()
  },

  on: {},

  meet(my, other, net) {
    if (leads(my) && leads(other)) {
      if (!net.initiator) net.follow(null)
    } else if (my.walk === 'on') {
      if (leads(my)) net.follow(null)
      else if (leads(other)) net.lead()
    }
  },

  display: { active: leads },

  reasons: {
    meet(my, other) {
      if (leads(my) && leads(other)) return 'both lead: the other one stops leading'
      if (my.walk === 'off' || leads(my) === leads(other)) return null
      return leads(my)
        ? 'hands its leadership over: leaders walk'
        : 'takes the leadership over: leaders walk'
    },
  },

  theory: {
    title: 'Pairwise elimination',
    authors: 'Angluin, Aspnes, Diamadi, Fischer and Peralta 2006',
    texts: [],
    idea: 'All nodes start as leaders. Again and again two neighbours meet, over a uniformly random directed link. If both lead, the one that responds stops leading. With walk=on a leader that meets another node swaps roles with it.',
    because:
      'A meeting never removes the last leader and never adds one. As long as there are two, they meet with probability 1: on a complete network directly, elsewhere because walking leaders reach each other from every state. With k leaders on a complete network a meeting removes one with probability k(k-1)/(n(n-1)); the expected waiting times add up to (n-1)^2.',
    breaks:
      'Without walk on any other network, two leaders that are no neighbours lead forever (path:3). A start without a leader: nothing ever makes one. No node knows when it is over.',
    example: 'conclave run pairwise --topology complete:10',
    cost: '(n-1)^2 meetings expected on complete networks',
    bounds: [
      {
        of: 'interactions',
        kind: 'average',
        formula: '(n-1)^2',
        value: ({ n }) => (n - 1) ** 2,
        deviation: ({ n }) => Math.sqrt(eliminationVariance(n)),
        when: ({ n, links }) => links === (n * (n - 1)) / 2,
        where: 'on complete networks',
      },
    ],
  },
})

function leads({ status }: Outcome<unknown>): boolean {
  return status === 'leader'
}

/** Independent waiting times: with k leaders a meeting removes one with probability p. */
function eliminationVariance(n: number): number {
  let sum = 0
  for (let k = 2; k <= n; k++) {
    const p = (k * (k - 1)) / (n * (n - 1))
    sum += (1 - p) / p ** 2
  }
  return sum
}
