import { algorithm, larger, type My, message, type Net, type Uid, uid } from '../../core/index.ts'
import { timeTogether, worstMessages } from '../bounds.ts'
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
const VALUE = message({ best: uid })
const LEADER = message({ id: uid })

const needs = { topology: 'tree', ids: 'unique' } as const
const state = { ...saturationState, best: uid }
type TreeNode = My<typeof needs, typeof state>

/**
 * Saturation of a tree (Santoro 2007; the tree algorithm of Tel 2000 with wake-up). A node that has
 * heard from all neighbours but one sends the largest id so far to that one; the leaves begin. The
 * values meet at two neighbours: these know the largest id, and announce it away from each other.
 * n + k - 2 WAKE for k starters, n VALUE, n - 2 LEADER: 3n + k - 4 messages in every run. Links
 * need not be FIFO, since any first message makes a node join.
 */
export const tree = algorithm({
  name: 'tree',
  needs,
  messages: { WAKE, VALUE, LEADER },
  announcement: 'LEADER',
  state,
  wakes: false,

  start(my, net) {
    enter(my, net)
    if (net.degree === 0) conclude(my, my.id, net)
  },

  on: {
    WAKE(my, _, net) {
      if (!hasJoined(my)) enter(my, net)
    },
    VALUE(my, { best }, net) {
      if (!hasJoined(my)) enter(my, net)
      my.best = larger(my.best, best)
      if (net.from === my.parent) return conclude(my, my.best, net)
      my.waiting.delete(net.from)
      sendUp(my, net)
    },
    LEADER(my, { id }, net) {
      conclude(my, id, net)
    },
  },

  display: {
    ...saturationDisplay,
    active: ({ status, best, id }) => status === 'asleep' || best === id,
    badge: {
      name: 'largest id so far',
      of: (my, name) => (hasJoined(my) ? name(my.best) : null),
    },
    decides: { VALUE: 'best', LEADER: 'id' },
    seen: { VALUE: saturation },
  },

  reasons: {
    WAKE: wakeReason,
    VALUE(my, { best }, name, around) {
      const largest = hasJoined(my) ? larger(my.best, best) : best
      return valueReason(my, around, `${name(largest)} is the largest id`)
    },
    LEADER: (my, { id }, name) =>
      id === my.id ? 'becomes leader: its id is the largest' : `follows ${name(id)}`,
  },

  theory: {
    title: 'Saturation of a tree',
    also: ['tree algorithm', 'full saturation'],
    authors: 'Santoro 2007, Tel 2000',
    texts: [],
    idea: 'Starters wake the whole tree. Every node waits for the values of its neighbours. When only one neighbour is left, that one becomes the parent, and the node sends it the largest id that it knows; a leaf does so at once. A node that then gets the value of its parent, too, is saturated: it knows the largest id of the whole tree, and tells it to all other neighbours, which pass it on.',
    because:
      'A value says what the largest id is in the part of the tree behind its link. Every node sends one, over the link to its parent, and there is one link fewer than nodes: exactly one link carries two, and its ends are saturated. No other node ever gets the value of its parent. The two parts behind that link are the whole tree, and each of the two nodes tells its part.',
    breaks:
      'A cycle: no node on it ever has only one neighbour left, and no node leads. A crash or a lost message: the neighbours wait for ever.',
    example: 'conclave run tree --topology tree:15:2 --wake 3',
    cost: '3n+k-4 messages with k starters, in every run',
    bounds: [
      {
        ...worstMessages('2n+k-2 (k the number of starters)', saturationMessages),
        when: ({ n, links }) => n > 1 && links === n - 1,
        where: 'for n >= 2',
      },
      {
        of: 'messages',
        kind: 'best',
        formula: '2n+k-2',
        value: saturationMessages,
        when: startsCount,
        where: 'for n >= 2, when all nodes start together or one alone',
      },
      timeTogether('n-1', ({ n }) => n - 1),
      {
        of: 'time',
        kind: 'worst',
        formula: '2n-2',
        value: ({ n }) => 2 * n - 2,
        when: ({ together }) => !together,
        where: 'when not all start together',
      },
    ],
  },
})

/** Joins, and wakes its other neighbours. A leaf waits for one only, and sends its id at once. */
function enter(my: TreeNode, net: Net): void {
  my.best = my.id
  my.waiting = new Set(net.links)
  net.sendOthers(WAKE, {})
  sendUp(my, net)
}

function sendUp(my: TreeNode, net: Net): void {
  const parent = newParent(my)
  if (parent !== null) net.send(parent, VALUE, { best: my.best })
}

/** The largest id is known: tells it to all neighbours but the one that it comes from. */
function conclude(my: TreeNode, id: Uid, net: Net): void {
  if (id === my.id) net.lead()
  else net.follow(id)
  net.sendOthers(LEADER, { id })
  net.stop()
}
