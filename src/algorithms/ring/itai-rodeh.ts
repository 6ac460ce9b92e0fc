import { algorithm, flag, left, type My, message, type Net, nat } from '../../core/index.ts'
import { expectedInRounds, LEADER, leaderReason, onLeader, win } from './anonymous-ring.ts'

const TOKEN = message({ round: nat, id: nat, hop: nat, unique: flag })

const needs = { topology: 'ring', knows: ['n'], order: 'fifo', coins: true } as const
const state = { passive: flag, round: nat, drawn: nat }

/** Takes part in the next round with a random id, which other nodes may draw, too. */
function draw(my: My<typeof needs, typeof state>, net: Net<'ring' | 'n' | 'coins'>): void {
  my.round++
  my.drawn = 1 + net.choose(net.n)
  net.send(left, TOKEN, { round: my.round, id: my.drawn, hop: 1, unique: true })
}

/**
 * Itai and Rodeh 1981. Anonymous nodes that know n draw random ids. The token of the largest id
 * survives its trip round the ring, which ends by its hop count; it is marked if another node has
 * drawn the same id. Nodes that share the largest id draw again; a single one becomes leader. 7
 * tokens are expected for n = 2, n H_n + O(n) in general; no number of tokens is always enough.
 */
export const itaiRodeh = algorithm({
  name: 'itai-rodeh',
  needs,
  messages: { TOKEN, LEADER },
  announcement: 'LEADER',
  state,
  wakes: true,
  elects: 'another',

  start: draw,

  on: {
    TOKEN(my, { round, id, hop, unique }, net) {
      const order = round - my.round || id - my.drawn
      if (!my.passive) {
        if (hop === net.n) return unique ? win(net) : draw(my, net)
        if (order < 0) return
        if (order > 0) my.passive = true
      }
      const twin = order === 0 && !my.passive
      net.send(left, TOKEN, { round, id, hop: hop + 1, unique: unique && !twin })
    },
    LEADER: onLeader,
  },

  display: {
    active: (my) => !my.passive,
    badge: {
      name: 'number drawn, and the round',
      of: (my) => (my.round === 0 || my.passive ? null : `${my.drawn} r${my.round}`),
    },
    decides: { TOKEN: 'id' },
  },

  reasons: {
    TOKEN(my, { round, id, hop, unique }, _, { n }) {
      if (my.passive) return `passes on ${id}: it is passive itself`
      if (hop === n && unique) return `becomes leader: nobody else has drawn ${id}`
      if (hop === n) return `draws again: another node has drawn ${id}, too`
      if (round < my.round) return `swallows ${id}: round ${round} is over`
      if (round > my.round) return `becomes passive: round ${round} has begun without it`
      if (id < my.drawn) return `swallows ${id}, since ${id} < ${my.drawn}`
      return id > my.drawn
        ? `becomes passive, since ${id} > ${my.drawn}`
        : `marks ${id} as not unique: it has drawn ${id}, too`
    },
    LEADER: leaderReason,
  },

  theory: {
    title: 'Itai-Rodeh',
    authors: 'Itai and Rodeh 1981',
    texts: [],
    idea: 'In each round every active node draws an id from 1 to n and sends a token with it round the ring. A node with a larger id discards the token, a node with a smaller id becomes passive, and a node with an equal id marks the token. After n hops the token is back: if it is unmarked, its owner becomes leader; otherwise its owner plays another round.',
    because:
      'The tokens with the largest id of the latest round return, so at least one node continues. An unmarked token has met no equal id and has made all other nodes passive. Each round leaves fewer active nodes with a probability of at least one half, so the election terminates with probability 1.',
    breaks:
      'An unknown n: nodes cannot tell when a token has returned, and no algorithm, not even a randomised one, terminates for certain with one leader. An undetected crash: no message passes the crashed node.',
    example: 'conclave run itai-rodeh -n 6 --seed 3',
    cost: 'n H_n + O(n) messages expected',
    bounds: [
      {
        of: 'messages',
        kind: 'average',
        formula: 'n H_n + O(n), 7 for n = 2',
        value: ({ n }) => expectedInRounds(n),
        where: 'over the random choices, for any schedule',
      },
    ],
  },
})
