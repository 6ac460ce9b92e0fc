import {
  algorithm,
  flag,
  floorLog2,
  list,
  type My,
  message,
  type NetOf,
  nat,
  uid,
} from '../../core/index.ts'
import { timeTogether, worstMessages } from '../bounds.ts'
import { followReason } from '../reasons.ts'

/** `back`: in which coordinates the holder differs from the duellist; `dest`: those to cross. */
const DUEL = message({ id: uid, stage: nat, back: list(nat), dest: list(nat) })
const LEADER = message({ id: uid })

const needs = { topology: 'hypercube', ids: 'unique', knows: ['direction'] } as const
const state = { stage: nat, beaten: flag, path: list(nat) }

/**
 * HyperElect (Santoro 2007), on an oriented hypercube of n = 2^d nodes. In stage s the winners of
 * two neighbouring subcubes of dimension s duel: each sends its id across coordinate s, and beaten
 * nodes pass it on to the one that has beaten them. The larger id goes to the next stage. 2n-2 to
 * 6n - d^2 - 3d - 6 DUEL, and n - 1 LEADER. The others do not stop, since duels may still cross
 * them; none ever crosses the leader.
 */
export const hyperElect = algorithm({
  name: 'hyper-elect',
  needs,
  messages: { DUEL, LEADER },
  announcement: 'LEADER',
  defers: true,
  state,
  wakes: true,

  start: duel,

  on: {
    DUEL(my, { id, stage, back, dest }, net) {
      const way = dest.length === 0 && my.beaten ? my.path : dest
      if (way.length > 0) {
        const [next, ...rest] = way
        return net.send(next, DUEL, { id, stage, back: toggled(back, next), dest: rest })
      }
      if (stage !== my.stage) return net.defer()
      if (id > my.id) {
        my.beaten = true
        my.path = [...back]
      } else {
        my.stage++
        duel(my, net)
      }
    },
    LEADER(_, { id }, net) {
      net.follow(id)
      for (let lower = 0; lower < net.from; lower++) net.send(lower, LEADER, { id })
    },
  },

  display: {
    active: (my) => !my.beaten,
    badge: { name: 'stage', of: (my) => (my.status === 'asleep' || my.beaten ? null : my.stage) },
    pointer: { name: 'way to the node that has beaten it', of: ({ path }) => path[0] ?? null },
    decides: { DUEL: 'id', LEADER: 'id' },
  },

  reasons: {
    DUEL(my, { id, stage, dest }, name, { node }) {
      if (dest.length > 0) return `passes the duel of ${name(id)} on to ${node(dest[0])}`
      if (my.beaten)
        return `is beaten, and passes the duel of ${name(id)} on to ${node(my.path[0])}`
      if (stage !== my.stage)
        return `lets the duel of ${name(id)} wait: it is of stage ${stage}, not ${my.stage}`
      return id > my.id
        ? `is beaten in stage ${stage}, since ${name.order(my.id, id)}`
        : `wins stage ${stage}, since ${name.order(my.id, id)}`
    },
    LEADER: followReason,
  },

  theory: {
    title: 'HyperElect',
    authors: 'Santoro 2007',
    texts: [],
    idea: 'Link b leads across coordinate b. In stage 0 each node duels with its neighbour across coordinate 0; the larger id wins. In stage s the winners of two neighbouring subcubes of dimension s duel: each sends its id across coordinate s to a node of the other subcube. A beaten node knows the shortest way to the one that has beaten it, and passes the duel on. A duel of a later stage waits at a node that has not finished the earlier ones. The winner of the last stage leads, and LEADER goes over each coordinate from higher to lower ones.',
    because:
      'The largest id of a subcube is never beaten by a node of it, so one duellist of each subcube is left after each stage. The ways of beaten nodes lead to larger ids, and end at that duellist. Only half as many nodes duel in each next stage, while a duel of stage s travels at most 1 + s(s+1)/2 links: the sum is linear in n.',
    breaks:
      'Link numbers without meaning, as in a list of links: a duel goes astray, and mostly no node leads (--allow-weaker shows it). A crash or a lost message: the opponent waits for ever.',
    example: 'conclave run hyper-elect --ids 1,2,4,3,8,5,6,7',
    cost: '2n-2 to 6n - (log n)^2 - 3 log n - 6 messages',
    bounds: [
      worstMessages('6n - d^2 - 3d - 6, n = 2^d', ({ n }) => {
        const d = floorLog2(n)
        return 6 * n - d * d - 3 * d - 6
      }),
      { of: 'messages', kind: 'best', formula: '2n-2', value: ({ n }) => 2 * n - 2 },
      timeTogether('d + d(d^2-1)/6', ({ n }) => {
        const d = floorLog2(n)
        return d + (d * (d * d - 1)) / 6
      }),
    ],
  },
})

/** Duels in its stage; the winner of all stages leads. */
function duel(my: My<typeof needs, typeof state>, net: NetOf<typeof needs>): void {
  const { id, stage } = my
  if (stage < net.degree) {
    net.send(stage, DUEL, { id, stage, back: [stage], dest: [] })
  } else {
    net.lead()
    net.sendAll(LEADER, { id })
    net.stop()
  }
}

/** The set of coordinates with this one added, or without it. */
function toggled(coordinates: readonly number[], one: number): number[] {
  return coordinates.includes(one)
    ? coordinates.filter((other) => other !== one)
    : [...coordinates, one].sort((a, b) => a - b)
}
