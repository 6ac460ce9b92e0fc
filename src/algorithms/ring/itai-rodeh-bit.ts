import { algorithm, flag, left, type My, message, type NetOf, nat } from '../../core/index.ts'
import {
  drawnIds,
  expectedInRounds,
  idCount,
  isFeasible,
  LEADER,
  leaderReason,
  onLeader,
  refuseOneId,
  win,
} from './anonymous-ring.ts'

const TOKEN = message({ id: nat, hop: nat, unique: flag })

const needs = { topology: 'ring', knows: ['n'], order: 'fifo', coins: true } as const
const state = { passive: flag, drawn: nat }

function draw(my: My<typeof needs, typeof state, typeof drawnIds>, net: NetOf<typeof needs>): void {
  my.drawn = 1 + net.choose(my.ids)
  net.send(left, TOKEN, { id: my.drawn, hop: 1, unique: true })
}

/**
 * Fokkink and Pang 2006, their algorithm A: Itai-Rodeh without numbers of rounds. On FIFO links a
 * token meets only nodes of its own round, so the bit that marks equal ids is enough. States are
 * finite, so that every run can be checked; as many tokens as itai-rodeh, 7 expected for n = 2.
 */
export const itaiRodehBit = algorithm({
  name: 'itai-rodeh-bit',
  needs,
  messages: { TOKEN, LEADER },
  announcement: 'LEADER',
  params: drawnIds,
  state,
  wakes: true,
  elects: 'another',

  start: draw,

  on: {
    TOKEN(my, { id, hop, unique }, net) {
      if (!my.passive) {
        if (hop === net.n) return unique ? win(net) : draw(my, net)
        if (id < my.drawn) return
        if (id > my.drawn) my.passive = true
      }
      const twin = id === my.drawn && !my.passive
      net.send(left, TOKEN, { id, hop: hop + 1, unique: unique && !twin })
    },
    LEADER: onLeader,
  },

  beyond: refuseOneId,

  display: {
    active: (my) => !my.passive,
    badge: {
      name: 'number drawn',
      of: (my) => (my.drawn === 0 || my.passive ? null : my.drawn),
    },
    decides: { TOKEN: 'id' },
  },

  reasons: {
    TOKEN(my, { id, hop, unique }, _, { n }) {
      if (my.passive) return `passes on ${id}: it is passive itself`
      if (hop === n && unique) return `becomes leader: nobody else has drawn ${id}`
      if (hop === n) return `draws again: another node has drawn ${id}, too`
      if (id < my.drawn) return `swallows ${id}, since ${id} < ${my.drawn}`
      return id > my.drawn
        ? `becomes passive, since ${id} > ${my.drawn}`
        : `marks ${id} as not unique: it has drawn ${id}, too`
    },
    LEADER: leaderReason,
  },

  theory: {
    title: 'Itai-Rodeh with a bit',
    also: ['Fokkink-Pang A'],
    authors: 'Fokkink and Pang 2006, after Itai and Rodeh 1981',
    texts: [],
    idea: 'Like itai-rodeh, but tokens have no number of their round. Every active node draws an id and sends a token with it round the ring. A node with a larger id discards the token, a node with a smaller id becomes passive, and a node with an equal id marks the token. After n hops the token is back: if it is unmarked, its owner becomes leader; otherwise its owner draws again.',
    because:
      'On FIFO links a token of one round never overtakes one of another, so an active node compares ids of its own round only. The tokens with the largest id of a round return, so at least one node continues; an unmarked one has made all other nodes passive. From every state some random choices lead to a leader, so the election terminates with probability 1.',
    breaks:
      'Links that are not FIFO: ids of different rounds are compared, and it may happen that nobody leads. An unknown n: nodes cannot tell when a token has returned. A single id to draw: nothing ever tells the nodes apart. An undetected crash: no message passes the crashed node.',
    example: 'conclave run itai-rodeh-bit -n 6 --seed 3',
    cost: 'n H_n + O(n) messages expected',
    bounds: [
      {
        of: 'messages',
        kind: 'average',
        formula: 'n H_n + O(n) for k = n; 7 if n = 2',
        value: (facts) => expectedInRounds(facts.n, idCount(facts)),
        when: (facts) => isFeasible(facts.n, idCount(facts)),
        where: 'over the random choices, for any schedule',
      },
    ],
  },
})
