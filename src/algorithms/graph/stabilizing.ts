import {
  algorithm,
  link,
  type My,
  map,
  message,
  type NetOf,
  type NetworkFacts,
  nat,
  pair,
  timer,
  uid,
} from '../../core/index.ts'
import { selfStabilization } from '../../problems/index.ts'
import { positiveTimes } from '../positive-times.ts'

const STATE = message({ root: uid, dist: nat })

/** The node tells its neighbours again what it believes. */
const BEAT = timer()

const needs = { topology: 'any', ids: 'unique', knows: ['n'] } as const
const state = {
  /** What each neighbour said last: a root, and its distance from it. */
  table: map(link, pair(uid, nat)),
  root: uid,
  dist: nat,
}
const params = {
  bound: {
    says: 'N: distances from N on are not believed; at least the number of nodes',
    value: ({ n }: { n: number }) => n,
  },
  period: { says: 'time between two beats of a node', value: () => 1 },
}

type Me = My<typeof needs, typeof state, typeof params>
type World = NetOf<typeof needs>

/**
 * A self-stabilizing election (after Arora and Gouda 1994, and Dolev, Israeli and Moran): the
 * largest root with a bounded distance. Every node tells its neighbours again and again which root
 * it believes in and how far away that is, and takes the largest root that it hears of. From any
 * state at all, an id that does not exist is forgotten, since its distance grows with every round,
 * and N is too far. In rounds all agree from round N + D on, D the diameter; 2E messages per round.
 */
export const stabilizing = algorithm({
  name: 'stabilizing',
  needs,
  messages: { STATE },
  timers: { BEAT },
  params,
  variant: positiveTimes('stabilizing', 'bound', 'period'),
  state,
  wakes: true,
  quiet: 'never',
  problem: selfStabilization,
  beyond({ n, settings }) {
    const bound = settings?.bound ?? n
    if (!Number.isInteger(bound)) {
      const problem = `the bound is a number of nodes, not ${bound}.`
      return { problem, hint: 'Use a whole number.', field: 'set' }
    }
    if (Number(bound) >= n) return null
    const problem = `stabilizing needs a bound of at least the number of nodes, ${n}, not ${bound}.`
    return { problem, hint: `Use bound=${n} or more.`, field: 'set', weaker: true }
  },

  // It begins with whatever is in its state.
  start: beat,

  on: {
    STATE(my, { root, dist }, net) {
      my.table.set(net.from, [root, dist])
      compute(my, net)
    },
  },

  timeout: { BEAT: beat },

  display: {
    active: (my) => my.status === 'leader',
    group: { name: 'root', of: (my, name) => name(my.root) },
    badge: { name: 'root, distance', of: (my, name) => `${name(my.root)}:${my.dist}` },
    pointer: { name: 'parent', of: (my) => parentOf(my) },
    edges(my) {
      const parent = parentOf(my)
      return parent === null ? [] : [[parent, 'tree']]
    },
    countdown: { name: 'next beat', of: (): 'BEAT' => 'BEAT' },
    decides: { STATE: 'root' },
  },

  reasons: {
    STATE(my, { root, dist }, name, { from, node }) {
      const what = `hears of root ${name(root)} at distance ${dist} from ${node(from)}`
      return dist + 1 < my.bound ? what : `${what}, which is too far to be believed`
    },
    BEAT: (my, name) => `tells all neighbours: root ${name(my.root)}, distance ${my.dist}`,
  },

  theory: {
    title: 'Self-stabilizing election',
    authors: 'after Arora and Gouda 1994, Dolev, Israeli and Moran 1997',
    idea: 'Every node keeps for each link the root and the distance that the neighbour told last. It believes in the largest root among its own id at distance 0 and those of its neighbours one step farther, as long as that distance is below the bound N. In every period it tells all neighbours what it believes.',
    because:
      'Consider the smallest distance at which anybody believes in an id that does not exist, in a state or in a message: no node has it as its own, so the distance grows in every round, and at N it is believed no more. After N rounds all roots exist. From then on the largest id spreads by one link per round, with the true distances, which are below n and so below N.',
    breaks:
      'No bound, or a very large one: one id that is larger than all lives as long. A bound below the number of nodes: nodes that are far away never hear of the leader. A node that crashes for good: nobody corrects what its neighbours believe of it.',
    example: 'conclave run stabilizing -t grid:3x3 --timing sync --corrupt 5 --until 60',
    cost: '2E messages per round; agreement from round N + D on',
    bounds: [
      {
        of: 'stability',
        kind: 'upper',
        formula: 'N + D',
        value: (facts) => boundOf(facts) + facts.networkDiameter!(),
        when: (facts) => inTime(facts) && facts.rounds === true && facts.settings?.period === 1,
        where: 'in rounds, from any states and messages, N at least n',
      },
      {
        of: 'stability',
        kind: 'upper',
        formula: '(N + D + 1)(P + d)',
        value: (facts) =>
          (boundOf(facts) + facts.networkDiameter!() + 1) *
          (Number(facts.settings!.period) + facts.largestDelay),
        when: (facts) => inTime(facts) && facts.rounds === false,
        where: 'with period P and delays up to d, from any states and messages, N at least n',
      },
    ],
  },
})

function boundOf({ settings }: NetworkFacts): number {
  return Number(settings?.bound)
}

/** What the proofs need: all beat from the beginning, delays are bounded, and N is large enough. */
function inTime(facts: NetworkFacts): boolean {
  const { n, together, largestDelay, networkDiameter } = facts
  const known = networkDiameter !== undefined && Number.isFinite(largestDelay)
  return known && together && boundOf(facts) >= n
}

/** The largest root, and the smallest distance from it, that this node may believe in. */
function compute(my: Me, net: World): void {
  my.root = my.id
  my.dist = 0
  for (const [root, far] of my.table.values()) {
    const dist = far + 1
    if (dist >= my.bound) continue
    if (root > my.root || (root === my.root && dist < my.dist)) {
      my.root = root
      my.dist = dist
    }
  }
  if (my.root === my.id) net.lead()
  else net.follow(my.root)
}

function beat(my: Me, net: World): void {
  compute(my, net)
  net.sendAll(STATE, { root: my.root, dist: my.dist })
  net.after(my.period, BEAT)
}

/** The link over which a node has its root; null where it is the root itself. */
function parentOf(my: Readonly<Me>): number | null {
  for (const [link, [root, dist]] of my.table)
    if (root === my.root && dist + 1 === my.dist) return link
  return null
}
