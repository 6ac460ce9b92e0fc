import { algorithm, type My, maybe, message, type NetOf, nat } from '../../core/index.ts'
import {
  hasJoined,
  newParent,
  saturation,
  saturationDisplay,
  saturationMessages,
  saturationState,
  startsCount,
  valueReason,
  wakeReason,
} from './saturation.ts'

const WAKE = message({})
const VALUE = message({})
const COIN = message({ bit: nat })
const LEADER = message({})

const needs = { topology: 'tree', order: 'fifo', coins: true } as const
const state = { ...saturationState, bit: maybe(nat) }
type TreeNode = My<typeof needs, typeof state>
type TreeNet = NetOf<typeof needs>

/**
 * Saturation of a tree without ids (after Santoro 2007). The tree itself leaves two candidates, the
 * saturated neighbours. They toss coins until these differ: the one with 1 leads. n + k - 2 WAKE
 * for k starters, n VALUE, n - 2 LEADER, and 2j COIN with probability 2^-j: 4 expected. Needs FIFO:
 * a coin that overtakes VALUE reaches a node that has not tossed.
 */
export const treeCoin = algorithm({
  name: 'tree-coin',
  needs,
  messages: { WAKE, VALUE, COIN, LEADER },
  announcement: 'LEADER',
  elects: 'another',
  state,
  wakes: false,

  start(my, net) {
    enter(my, net)
    if (net.degree > 0) return
    net.lead()
    net.stop()
  },

  on: {
    WAKE(my, _, net) {
      if (!hasJoined(my)) enter(my, net)
    },
    VALUE(my, _, net) {
      if (!hasJoined(my)) enter(my, net)
      if (net.from === my.parent) return toss(my, net)
      my.waiting.delete(net.from)
      sendUp(my, net)
    },
    COIN(my, { bit }, net) {
      if (bit === my.bit) return toss(my, net)
      conclude(my.bit === 1, net)
    },
    LEADER(_, __, net) {
      conclude(false, net)
    },
  },

  display: {
    ...saturationDisplay,
    active: ({ parent, bit }) => parent === null || bit !== null,
    badge: { name: 'coin', of: ({ bit }) => bit },
    decides: { COIN: 'bit' },
    seen: { VALUE: saturation },
  },

  reasons: {
    WAKE: wakeReason,
    VALUE: (my, _, __, around) => valueReason(my, around, 'tosses a coin'),
    COIN(my, { bit }) {
      if (my.bit === null) return 'loses: a coin has overtaken the value'
      if (bit === my.bit) return `tosses again: both have ${bit}`
      return my.bit === 1 ? 'becomes leader: it has 1, and the other one 0' : 'loses: it has 0'
    },
    LEADER: () => 'has lost, and passes it on',
  },

  theory: {
    title: 'Saturation of an anonymous tree',
    authors: 'after Santoro 2007',
    texts: [],
    idea: 'As in the election on a tree with ids, every node waits for its neighbours and sends a value, here without content, to the last one that is left. Two neighbours get the value of their parent: only these two are candidates. Each tosses a coin and sends it to the other. If the coins are equal, both toss again; otherwise the one with 1 leads. Both announce it away from each other.',
    because:
      'Exactly two nodes get the value of their parent, and these are neighbours. Links are FIFO, so each compares its j-th coin with the j-th coin of the other: both see the same pair, and decide at the same coin. Coins are equal with probability one half, so the election terminates with probability 1, after 2 pairs of coins on average.',
    breaks:
      'Links that are not FIFO: a coin overtakes the value, and no node leads. Without coins no algorithm exists: the two nodes of a path of 2 remain equal for ever. A cycle, a crash or a lost message: the neighbours wait for ever.',
    example: 'conclave run tree-coin --topology path:5 --seed 3',
    cost: '3n+k-4 messages with k starters, and 4 coins expected',
    bounds: [
      {
        of: 'messages',
        kind: 'average',
        formula: '2n+k+2 (k the number of starters)',
        value: (facts) => saturationMessages(facts) + 4,
        when: startsCount,
        where: 'over the random choices, for n >= 2, when all nodes start together or one alone',
      },
      {
        of: 'messages',
        kind: 'best',
        formula: '2n+k',
        value: (facts) => saturationMessages(facts) + 2,
        when: startsCount,
        where: 'for n >= 2, when all nodes start together or one alone',
      },
    ],
  },
})

/** Joins, and wakes its other neighbours. A leaf waits for one only, and sends VALUE at once. */
function enter(my: TreeNode, net: TreeNet): void {
  my.waiting = new Set(net.links)
  net.sendOthers(WAKE, {})
  sendUp(my, net)
}

function sendUp(my: TreeNode, net: TreeNet): void {
  const parent = newParent(my)
  if (parent !== null) net.send(parent, VALUE, {})
}

/** The two saturated nodes are each other's parent: this one comes from the other. */
function toss(my: TreeNode, net: TreeNet): void {
  my.bit = net.choose(2)
  net.send(net.from, COIN, { bit: my.bit })
}

function conclude(wins: boolean, net: TreeNet): void {
  if (wins) net.lead()
  else net.follow(null)
  net.sendOthers(LEADER, {})
  net.stop()
}
