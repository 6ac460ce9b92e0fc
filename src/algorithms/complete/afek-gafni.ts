import {
  algorithm,
  flag,
  harmonic,
  link,
  type My,
  maybe,
  message,
  type Net,
  nat,
  type Uid,
  uid,
} from '../../core/index.ts'
import { upperBound, worstMessages } from '../bounds.ts'
import { followReason, rankOrder } from '../reasons.ts'

const CAPTURE = message({ level: nat, id: uid })
const ACCEPT = message({})
const ASK = message({ level: nat, id: uid })
const YIELD = message({})
const KEEP = message({})
const LEADER = message({ id: uid })

const needs = { topology: 'complete', ids: 'unique', knows: ['n'] } as const
/**
 * Level and highest: the highest (level, id) so far; a candidate has its own, and its level is the
 * number of nodes it has captured. Owner and rival: links of a captured node, to its owner and to
 * the candidate that it asks the owner about.
 */
const state = { candidate: flag, level: nat, highest: uid, owner: maybe(link), rival: maybe(link) }
type Me = My<typeof needs, typeof state>

/** A candidate with a majority, itself included, leads; any other captures the next node. */
function advance(my: Me, net: Net<'n'>): void {
  const { id, level } = my
  if (2 * (level + 1) > net.n) {
    net.lead()
    net.sendAll(LEADER, { id })
    net.stop()
  } else net.send(net.links[level], CAPTURE, { level, id })
}

function outranks(my: Me, level: number, id: Uid): boolean {
  return my.level > level || (my.level === level && my.highest > id)
}

/** Yields to a higher candidate; a candidate that has yielded no longer competes. */
function yieldTo(my: Me, level: number, id: Uid): void {
  my.candidate = false
  my.level = level
  my.highest = id
}

/**
 * Afek and Gafni 1985. On a complete network without sense of direction a candidate captures nodes
 * one by one; the higher (level, id) wins. A captured node lets its owner decide, one challenge at
 * a time. A candidate with a majority becomes leader. At most n/(l+1) candidates reach level l, and
 * a capture takes up to four messages: at most 4n H_n in all.
 */
export const afekGafni = algorithm({
  name: 'afek-gafni',
  needs,
  messages: { CAPTURE, ACCEPT, ASK, YIELD, KEEP, LEADER },
  announcement: 'LEADER',
  elects: 'another',
  defers: true,
  state,
  wakes: false,

  start(my, net) {
    my.candidate = true
    my.highest = my.id
    advance(my, net)
  },

  on: {
    CAPTURE(my, { level, id }, net) {
      if (outranks(my, level, id)) return
      if (my.rival !== null) return net.defer()
      yieldTo(my, level, id)
      if (my.owner !== null) {
        my.rival = net.from
        return net.send(my.owner, ASK, { level, id })
      }
      my.owner = net.from
      net.send(net.from, ACCEPT, {})
    },
    ACCEPT(my, _, net) {
      if (!my.candidate) return
      my.level++
      advance(my, net)
    },
    ASK(my, { level, id }, net) {
      if (outranks(my, level, id)) return net.send(net.from, KEEP, {})
      yieldTo(my, level, id)
      net.send(net.from, YIELD, {})
    },
    YIELD(my, _, net) {
      // No challenge is pending when a duplicated answer arrives.
      if (my.rival === null) return
      net.send(my.rival, ACCEPT, {})
      my.owner = my.rival
      my.rival = null
    },
    KEEP(my) {
      my.rival = null
    },
    LEADER(_, { id }, net) {
      net.follow(id)
      net.stop()
    },
  },

  display: {
    active: (my) => my.candidate,
    badge: { name: 'level', of: (my) => (my.candidate ? my.level : null) },
    pointer: { name: 'owner', of: (my) => my.owner },
    decides: { CAPTURE: 'level', ASK: 'level' },
  },

  reasons: {
    CAPTURE(my, { level, id }, name, { node }) {
      const order = () => rankOrder(name, [level, id], [my.level, my.highest])
      if (outranks(my, level, id)) return `swallows the challenge of ${name(id)}, since ${order()}`
      if (my.rival !== null) return `lets ${name(id)} wait: it asks its owner about another`
      if (my.owner !== null) return `asks its owner ${node(my.owner)} about ${name(id)}`
      return my.candidate
        ? `gives up and is captured by ${name(id)}, since ${order()}`
        : `is captured by ${name(id)}`
    },
    ACCEPT(my, _, __, { from, node, n }) {
      if (!my.candidate) return 'does not compete any more'
      const taken = `captures ${node(from)} and has level ${my.level + 1}`
      return 2 * (my.level + 2) > n ? `${taken}: with a majority it becomes leader` : taken
    },
    ASK(my, { level, id }, name, { from, node }) {
      const order = rankOrder(name, [level, id], [my.level, my.highest])
      return outranks(my, level, id)
        ? `keeps ${node(from)}, since ${order}`
        : `${my.candidate ? 'gives up: ' : ''}yields ${node(from)} to ${name(id)}, since ${order}`
    },
    YIELD: (my, _, __, { node }) =>
      my.rival === null ? 'has its answer already' : `is captured by ${node(my.rival)}`,
    KEEP: (my, _, __, { node }) =>
      my.owner === null ? 'has no owner' : `stays with its owner ${node(my.owner)}`,
    LEADER: followReason,
  },

  theory: {
    title: 'Afek-Gafni',
    authors: 'Afek and Gafni 1985',
    also: ['Humblet', 'Korach-Kutten-Moran', 'KKM'],
    texts: [],
    idea: 'A candidate captures nodes one by one; its level is the number of nodes it has captured. A node yields to a (level, id) that is higher than all it has seen. A captured node first asks its owner: an owner that is not higher gives up its candidacy, and the node gets a new owner. Other challenges wait meanwhile. A candidate with more than half of the nodes becomes leader.',
    because:
      'A node gets a new owner only after its owner has given up, so two candidates never both hold a majority. Only a higher (level, id) refuses, so the highest of all is never refused. Candidates that reach level l hold l + 1 nodes each, and no node belongs to two: there are at most n/(l+1) of them. A capture takes four messages, which adds up to 4n H_(n/2).',
    breaks:
      'A leader that still answers ASK: its node gets a new owner, and there are two majorities. Two challenges at a time at one node: the node is counted twice. Crashes: an owner never answers.',
    example: 'conclave run afek-gafni -n 16 --delay uniform:1:10',
    cost: '4n H_n messages',
    bounds: [
      upperBound(worstMessages('4n H_n', ({ n }) => 4 * n * harmonic(n))),
      {
        of: 'messages',
        kind: 'lower',
        formula: 'n log2 n',
        value: ({ n }) => n * Math.log2(n),
        where: 'up to a constant, without sense of direction (Korach, Moran and Zaks 1984)',
      },
      {
        of: 'time',
        kind: 'worst',
        formula: '2 floor(n/2)',
        value: ({ n }) => 2 * Math.floor(n / 2),
        when: ({ starters }) => starters === 1,
        where: 'when one node starts',
      },
    ],
  },
})
