import {
  algorithm,
  flag,
  type Link,
  link,
  list,
  type My,
  map,
  maybe,
  message,
  nat,
  pair,
  stable,
  type Uid,
  uid,
} from '../../core/index.ts'
import { type Circle, cameRound, largestLiveId, livingFrom, successor } from './circle.ts'

/*
 * What is added to ring-list-textbook.ts, and why:
 *
 * - `via`, `sendAgain`: a node is responsible for the messages that it has forwarded. If the next
 *   node is reported as crashed, it sends them to the one after; else they would be lost.
 * - `turn`, `signed`, `outcome`: what is sent again may have arrived. Elections are numbered, so
 *   that a node tells a message that it knows from a new one.
 * - `settle`: the leader of an outcome may have crashed, or a larger node may have recovered. Nodes
 *   follow only the largest live node, which begins a new election if necessary.
 * - `unseen`: a recovered node does not lead before other nodes know of it.
 */

/* An election is identified by its initiator (`by`) and the initiator's counter (`turn`). */
const ELECTION = message({ by: uid, turn: nat, ids: list(uid) })
const COORDINATOR = message({ by: uid, turn: nat, leader: uid })

const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['n', 'direction', 'peers', 'liveness'],
} as const
const state = {
  /** The last election begun here; at least 1 for a node that has taken part in one. */
  turn: stable(nat),
  /** Recovered, and perhaps unknown to the others: messages may be meant for its former life. */
  unseen: flag,
  /** By initiator: the last election that this node has taken part in, */
  signed: map(uid, nat),
  /** the last one whose outcome has arrived, with all leaders that it names, */
  outcome: map(uid, pair(nat, list(uid))),
  /** and the link of the last message; null where no other node was alive. */
  via: map(uid, maybe(link)),
}

type Self = My<typeof needs, typeof state>

/**
 * The ring algorithm of Zambonelli (2023), after Le Lann 1977: the algorithm of
 * ring-list-textbook.ts, and what it needs where nodes crash during an election, or recover. A list
 * circulates, each node adds its id, and the largest is announced. 2n messages per initiator: where
 * nothing fails, the same as in ring-list-textbook.ts.
 */
export const ringList = algorithm({
  name: 'ring-list',
  needs,
  messages: { ELECTION, COORDINATOR },
  announcement: 'COORDINATOR',
  starters: 'first',
  lasting: true,
  handover: ({ n, largestDelay }) => n * largestDelay,
  state,
  wakes: false,

  start(my, net) {
    my.unseen = my.turn > 0
    begin(my, net)
  },

  on: {
    ELECTION(my, { by, turn, ids }, net) {
      if (heard(my, by) >= turn) return
      const known = signed(my, by) >= turn
      if (ids.includes(my.id) || (known && cameRound(by, net)))
        return learn(my, by, turn, largestLiveId(my.id, net, new Set(ids)), net)
      // A message that was sent again, although it had arrived, is forwarded already.
      if (known) return
      my.signed.set(by, turn)
      my.turn ||= 1
      passList(my, by, turn, [...ids, my.id], net)
    },
    COORDINATOR(my, { by, turn, leader }, net) {
      const [last, leaders] = outcome(my, by)
      if (last < turn || (last === turn && !leaders.includes(leader)))
        learn(my, by, turn, leader, net)
    },
  },

  down(my, link, net) {
    for (const [by, went] of my.via) if (went === link) sendAgain(my, by, net)
    settle(my, net)
  },

  /** A node that was out of reach may have missed messages. */
  up(my, link, net) {
    if (successor(net) === link) for (const by of my.via.keys()) sendAgain(my, by, net)
    settle(my, net)
  },

  display: {
    badge: { name: 'ids in the list', of: (_, __, { listed }) => Number(listed ?? 0) || null },
    decides: { ELECTION: 'ids', COORDINATOR: 'leader' },
    seen: {
      ELECTION: (my, { by, turn, ids }) =>
        heard(my, by) >= turn || ids.includes(my.id) ? null : { listed: ids.length + 1 },
      COORDINATOR: () => ({ listed: undefined }),
    },
  },

  reasons: {
    ELECTION(my, { by, turn, ids }, name) {
      if (heard(my, by) >= turn) return `ignores it: that election of ${name(by)} is over`
      if (ids.includes(my.id)) return 'finds its own id in the list: announces the largest'
      if (signed(my, by) < turn) return `adds its id to the list of ${name(by)} and passes it on`
      return `has added its id already: the list of ${name(by)} came once more`
    },
    COORDINATOR(my, { by, turn, leader }, name) {
      const [last, leaders] = outcome(my, by)
      if (last > turn || (last === turn && leaders.includes(leader)))
        return `knows that ${name(leader)} leads: stops the message`
      return `learns that ${name(leader)} leads, and passes it on`
    },
  },

  theory: {
    title: 'Ring with lists of ids',
    authors: 'after Le Lann 1977',
    texts: ['004'],
    idea: 'A list circulates among the live nodes in the order of their positions, and each adds its id. A node that finds its own id in the list circulates COORDINATOR with the largest id. Crashed nodes are skipped; a message that was sent to one is sent again to the next node.',
    because:
      'A list that has come round has the ids of all nodes that were alive all the time, so each election finds the largest of them, whichever node began it. Every node remembers what it has forwarded, so a list or an outcome is lost only if all nodes that have seen it crash. No node leads that knows of a larger live node, and no node follows another than the largest live node that it knows of. That node leads, or waits for the outcome of an election, or begins one. A recovered node does not lead before its own list has come round or it has received an outcome: other nodes know of it then.',
    breaks:
      'No detector: a message to a crashed node is lost, and the election with it. False suspicions: a live node is skipped, and leads beside another until it is trusted again. A slow detector: a node that recovers before its crash is reported is taken for crashed while it leads; if several nodes recover within the detection delay and all others have crashed, each believes to be alone. Both last until the detector reports.',
    example: 'conclave run ring-list --ids 0,1,2,3,4,5,6,7 --crash 7 --wake 2,5',
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

function begin(my: Self, net: Circle): void {
  my.turn++
  my.signed.set(my.id, my.turn)
  passList(my, my.id, my.turn, [my.id], net)
}

/** Processes an outcome. A leader that is missing in it adds its own id. */
function learn(my: Self, by: Uid, turn: number, leader: Uid, net: Circle): void {
  const others = heard(my, by) === turn ? outcome(my, by)[1] : []
  my.outcome.set(by, [turn, [...others, leader]])
  if (by === my.id && turn === my.turn) my.unseen = false
  // After a crash the node must not reuse the counter of a forgotten election.
  if (by === my.id) my.turn = Math.max(my.turn, turn)
  if (leader === my.id && !my.unseen && largestLiveId(my.id, net) === my.id) net.lead()
  if (leader !== my.leader) settle(my, net)
  passOutcome(my, by, leader, net)
  const overlooked = my.status === 'leader' && !outcome(my, by)[1].includes(my.id)
  if (overlooked) learn(my, by, turn, my.id, net)
}

/**
 * A node follows only the largest live node, and only if an election has found it. The largest live
 * node makes sure that there is an election.
 */
function settle(my: Self, net: Circle): void {
  const best = largestLiveId(my.id, net)
  if (my.leader === best || my.status === 'asleep') return
  if (best !== my.id && [...my.outcome.values()].some(([, leaders]) => leaders.includes(best)))
    net.follow(best)
  else net.withdraw()
  if (best === my.id && ![...my.signed.keys()].some((by) => runs(my, by))) begin(my, net)
}

function passList(my: Self, by: Uid, turn: number, ids: Uid[], net: Circle): void {
  const next = route(my, by, net)
  if (next !== null) net.send(next, ELECTION, { by, turn, ids })
}

function passOutcome(my: Self, by: Uid, leader: Uid, net: Circle): void {
  const next = route(my, by, net)
  if (next !== null) net.send(next, COORDINATOR, { by, turn: heard(my, by), leader })
}

/** The next hop for the messages of an election. A node that is alone elects itself. */
function route(my: Self, by: Uid, net: Circle): Link | null {
  const next = successor(net)
  my.via.set(by, next)
  if (next === null) {
    my.turn++
    my.outcome.set(my.id, [my.turn, [my.id]])
    my.via.set(my.id, null)
    net.lead()
  }
  return next
}

/** The last message of an election may be lost: sends it again, to the current next node. */
function sendAgain(my: Self, by: Uid, net: Circle): void {
  if (runs(my, by)) passList(my, by, signed(my, by), [...livingFrom(by, net), my.id], net)
  else for (const leader of outcome(my, by)[1]) passOutcome(my, by, leader, net)
}

/** Whether this node has taken part in an election and not received its outcome. */
function runs(my: Self, by: Uid): boolean {
  return signed(my, by) > heard(my, by)
}

function signed(my: Self, by: Uid): number {
  return my.signed.get(by) ?? 0
}

function heard(my: Self, by: Uid): number {
  return outcome(my, by)[0]
}

function outcome(my: Self, by: Uid): [turn: number, leaders: Uid[]] {
  return my.outcome.get(by) ?? [0, []]
}
