import { algorithm, larger, list, type My, message, type Uid, uid } from '../../core/index.ts'
import { type Circle, cameRound, successor } from './circle.ts'

const ELECTION = message({ ids: list(uid) })
const COORDINATOR = message({ by: uid, leader: uid })

const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['n', 'direction', 'peers', 'liveness'],
} as const

type Self = My<typeof needs>

function begin(my: Self, net: Circle): void {
  if (successor(net) === null) net.lead()
  else passList([my.id], net)
}

function accept(my: Self, leader: Uid, net: Circle): void {
  if (leader === my.id) net.lead()
  else net.follow(leader)
}

/** Messages go to the nearest live node along the ring. */
function passList(ids: Uid[], net: Circle): void {
  const next = successor(net)
  if (next !== null) net.send(next, ELECTION, { ids })
}

function passOutcome(by: Uid, leader: Uid, net: Circle): void {
  const next = successor(net)
  if (next !== null) net.send(next, COORDINATOR, { by, leader })
}

/**
 * The ring algorithm of Zambonelli (2023), after Le Lann 1977, as lectures show it. A list
 * circulates among the live nodes, and each adds its id; a node that finds its own id in the list
 * circulates the largest. 2n messages per initiator. `ring-list` is the same with what crashes
 * during an election and recoveries need.
 */
export const ringListTextbook = algorithm({
  name: 'ring-list-textbook',
  needs,
  messages: { ELECTION, COORDINATOR },
  announcement: 'COORDINATOR',
  starters: 'first',
  lasting: true,
  handover: ({ n, largestDelay }) => n * largestDelay,
  state: {},
  wakes: false,

  start: begin,

  on: {
    ELECTION(my, { ids }, net) {
      if (!ids.includes(my.id)) return passList([...ids, my.id], net)
      const leader = ids.reduce((best, id) => larger(best, id))
      accept(my, leader, net)
      passOutcome(my.id, leader, net)
    },
    COORDINATOR(my, { by, leader }, net) {
      if (cameRound(by, net)) return
      accept(my, leader, net)
      passOutcome(by, leader, net)
    },
  },

  down(my, link, net) {
    if (net.peer(link) !== my.leader) return
    net.withdraw()
    begin(my, net)
  },

  display: {
    badge: { name: 'ids in the list', of: (_, __, { listed }) => Number(listed ?? 0) || null },
    decides: { ELECTION: 'ids', COORDINATOR: 'leader' },
    seen: {
      ELECTION: (my, { ids }) => (ids.includes(my.id) ? null : { listed: ids.length + 1 }),
      COORDINATOR: () => ({ listed: undefined }),
    },
  },

  reasons: {
    ELECTION: (my, { ids }) =>
      ids.includes(my.id)
        ? 'finds its own id in the list: announces the largest'
        : 'adds its id to the list and passes it on',
    COORDINATOR: (my, { by, leader }, name) =>
      by === my.id
        ? 'stops its announcement, which has come round'
        : `learns that ${name(leader)} leads, and passes it on`,
  },

  theory: {
    title: 'Ring with lists of ids, as in lectures',
    authors: 'after Le Lann 1977',
    texts: ['004'],
    idea: 'A list circulates among the live nodes in the order of their positions, and each adds its id. A node that finds its own id in the list circulates COORDINATOR with the largest id. Crashed nodes are skipped. A node that notices that the leader has crashed, or that recovers, sends a list.',
    because:
      'A list that has come round has the ids of all live nodes, so all elections find the same leader, whichever node began them. The announcement makes the same round trip.',
    breaks:
      'A crash during an election: the list or the announcement that the crashed node held is lost, and so is the leader if it is the one that crashed. No detector: a message to a crashed node is lost. A false suspicion: a live node is skipped, and its own list finds another leader. ring-list sends lost messages again, and makes up for a suspicion when it ends.',
    example: 'conclave run ring-list-textbook --ids 0,1,2,3,4,5,6,7 --crash 7 --wake 2,5',
    cost: '2n messages per initiator',
    bounds: [
      {
        of: 'messages',
        kind: 'worst',
        formula: 'kn (k nodes start)',
        value: ({ n, starters }) => n * starters,
        where: 'if all nodes are alive: one round trip per initiator',
      },
      {
        of: 'time',
        kind: 'worst',
        formula: '2n-1',
        value: ({ n }) => 2 * n - 1,
        where: 'if all nodes are alive',
      },
    ],
  },
})
