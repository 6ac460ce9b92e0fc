import { algorithm, flag, left, type My, message, type NetOf, nat } from '../../core/index.ts'
import {
  drawnIds,
  expectedBare,
  idCount,
  isEnumerable,
  LEADER,
  leaderReason,
  onLeader,
  refuseOneId,
  win,
} from './anonymous-ring.ts'

const TOKEN = message({ id: nat, hop: nat })

const needs = { topology: 'ring', knows: ['n'], order: 'fifo', coins: true } as const
const state = { passive: flag, drawn: nat }

function draw(my: My<typeof needs, typeof state, typeof drawnIds>, net: NetOf<typeof needs>): void {
  my.drawn = 1 + net.choose(my.ids)
  net.send(left, TOKEN, { id: my.drawn, hop: 1 })
}

/**
 * Fokkink and Pang 2006, their algorithm B: itai-rodeh-bit without the bit. Whoever receives the id
 * that it has drawn itself swallows the token and draws again at once, so that a token that has
 * made n hops was alone with its id. Fewer tokens: 5 expected for n = 2.
 */
export const itaiRodehBare = algorithm({
  name: 'itai-rodeh-bare',
  needs,
  messages: { TOKEN, LEADER },
  announcement: 'LEADER',
  params: drawnIds,
  state,
  wakes: true,
  elects: 'another',

  start: draw,

  on: {
    TOKEN(my, { id, hop }, net) {
      if (!my.passive) {
        if (hop === net.n) return win(net)
        if (id === my.drawn) return draw(my, net)
        if (id < my.drawn) return
        my.passive = true
      }
      net.send(left, TOKEN, { id, hop: hop + 1 })
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
    TOKEN(my, { id, hop }, _, { n }) {
      if (my.passive) return `passes on ${id}: it is passive itself`
      if (hop === n) return `becomes leader: nobody else has drawn ${id}`
      if (id === my.drawn) return `swallows ${id} and draws again: it has drawn ${id}, too`
      return id < my.drawn
        ? `swallows ${id}, since ${id} < ${my.drawn}`
        : `becomes passive, since ${id} > ${my.drawn}`
    },
    LEADER: leaderReason,
  },

  theory: {
    title: 'Itai-Rodeh without a bit',
    also: ['Fokkink-Pang B'],
    authors: 'Fokkink and Pang 2006, after Itai and Rodeh 1981',
    texts: [],
    idea: 'Like itai-rodeh-bit, but a node does not mark a token with its own id: it discards it and draws again at once. So only a token that has met no equal id makes n hops, and its owner becomes leader.',
    because:
      'A token that makes n hops has met neither an equal nor a larger id, so it has made all other nodes passive. On FIFO links some token is always under way until then (Fokkink and Pang prove it). From every state some random choices lead to a leader, so the election terminates with probability 1.',
    breaks:
      'Links that are not FIFO: a token may overtake another, and it may happen that nobody leads. An unknown n: nodes cannot tell when a token has returned. A single id to draw: nothing ever tells the nodes apart. An undetected crash: no message passes the crashed node.',
    example: 'conclave run itai-rodeh-bare -n 6 --seed 3',
    cost: '(3k-1)/(k-1) messages expected for n = 2 and k ids',
    bounds: [
      {
        of: 'messages',
        kind: 'average',
        formula: '(3k-1)/(k-1) for n = 2 and k ids',
        value: (facts) => expectedBare(facts.n, idCount(facts)),
        when: (facts) => isEnumerable(facts.n, idCount(facts)),
        where: 'over the random choices, for any schedule; for n > 2 if k^n <= 256',
      },
    ],
  },
})
