import {
  algorithm,
  flag,
  type Link,
  list,
  type My,
  map,
  maybe,
  message,
  nat,
  pair,
  stable,
  uid,
} from '../../core/index.ts'
import { type Circle, cameRound, largest, livingFrom, successor } from './circle.ts'

/* An election is known by who began it (`by`) and how many that one had begun before (`turn`). */
const ELECTION = message({ by: uid, turn: nat, ids: list(uid) })
const COORDINATOR = message({ by: uid, turn: nat, leader: uid })

const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['n', 'direction', 'peers', 'liveness'],
} as const
const state = {
  /** The last election begun here; 1 at least for who has signed one. */
  turn: stable(nat),
  /** Back, and perhaps nobody knows it yet: what arrives may be meant for the earlier life. */
  unseen: flag,
  /** By initiator: the last election signed here, */
  signed: map(uid, nat),
  /** the last one whose outcome was heard, with all whom it is said to have found, */
  outcome: map(uid, pair(nat, list(uid))),
  /** and the link over which the last message went; null where nobody else lived. */
  via: map(uid, maybe(nat)),
}

type Self = My<typeof needs, typeof state>

/**
 * The ring algorithm of text 004, after Le Lann 1977. A list goes round the live nodes and each
 * signs; who finds its own id in it sends the largest round. 2n messages per initiator. Everybody
 * answers for what it has sent on: if the next node is then reported dead, the one after it gets
 * it. Nobody holds to another than the largest that lives, and that one begins anew if need be.
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
        return learn(my, by, turn, largest(my.id, net, new Set(ids)), net)
      // What was sent again and had got through is on its way already.
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

  /** A node that was out of reach may have missed something. */
  up(my, link, net) {
    if (successor(net) === link) for (const by of my.via.keys()) sendAgain(my, by, net)
    settle(my, net)
  },

  theory: {
    authors: 'after Le Lann 1977',
    texts: ['004'],
    idea: 'A list goes round the live nodes in the order of their positions, and each adds its id. Who finds its own id in it sends round COORDINATOR with the largest. Dead nodes are skipped; a message that was sent to one is sent again to the next.',
    because:
      'A list that has come round was signed by every node that was alive all the time, so each election finds the largest of them, whoever began it. Every node keeps what it has sent on in mind, so a list or an outcome is lost only with all who have seen it. Nobody leads who has been told that a larger node lives, and nobody follows another than the largest of whom it has been told. That one leads, or waits for the outcome of an election, or begins one. Who is back takes no office before a list of its own has come round or the outcome is heard: others know of it then.',
    breaks:
      'A detector that says nothing: a message to a dead node is gone, and the election with it. One that is wrong: a live node is skipped, and leads beside another until it is trusted again. One that is slow: a node that is back before its death was reported is taken for dead while it leads, and of several that come back within its delay when all others are dead each is alone as far as it knows. Both last until the detector has spoken.',
    example: 'conclave run ring-list --ids 0,1,2,3,4,5,6,7 --crash 7 --wake 2,5',
    cost: '2n messages per initiator',
    bounds: [
      {
        of: 'messages',
        kind: 'worst',
        formula: 'kn (k nodes start)',
        value: ({ n, starters }) => n * starters,
        where: 'where everybody lives: one trip round for each that starts',
      },
      {
        of: 'time',
        kind: 'worst',
        formula: '2n-1',
        value: ({ n }) => 2 * n - 1,
        where: 'where everybody lives',
      },
    ],
  },
})

function begin(my: Self, net: Circle): void {
  my.turn++
  my.signed.set(my.id, my.turn)
  passList(my, my.id, my.turn, [my.id], net)
}

/** An outcome is read or written here. A leader whom it overlooks adds its own name. */
function learn(my: Self, by: number, turn: number, leader: number, net: Circle): void {
  const others = heard(my, by) === turn ? outcome(my, by)[1] : []
  my.outcome.set(by, [turn, [...others, leader]])
  if (by === my.id && turn === my.turn) my.unseen = false
  // One that has forgotten what it began in an earlier life begins nothing under the same turn.
  if (by === my.id) my.turn = Math.max(my.turn, turn)
  if (leader === my.id && !my.unseen && largest(my.id, net) === my.id) net.lead()
  if (leader !== my.leader) settle(my, net)
  passOutcome(my, by, leader, net)
  const overlooked = my.status === 'leader' && !outcome(my, by)[1].includes(my.id)
  if (overlooked) learn(my, by, turn, my.id, net)
}

/**
 * Nobody holds to another than the largest that lives. That one is followed if an election has
 * found it, and sees to it that one does.
 */
function settle(my: Self, net: Circle): void {
  const best = largest(my.id, net)
  if (my.leader === best || my.status === 'asleep') return
  if (best !== my.id && [...my.outcome.values()].some(([, leaders]) => leaders.includes(best)))
    net.follow(best)
  else net.withdraw()
  if (best === my.id && ![...my.signed.keys()].some((by) => runs(my, by))) begin(my, net)
}

function passList(my: Self, by: number, turn: number, ids: number[], net: Circle): void {
  const next = route(my, by, net)
  if (next !== null) net.send(next, ELECTION, { by, turn, ids })
}

function passOutcome(my: Self, by: number, leader: number, net: Circle): void {
  const next = route(my, by, net)
  if (next !== null) net.send(next, COORDINATOR, { by, turn: heard(my, by), leader })
}

/** Where the messages of an election go from here. Who is alone elects itself, for later. */
function route(my: Self, by: number, net: Circle): Link | null {
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

/** What was sent last in an election may be lost: once more, to the node that is next now. */
function sendAgain(my: Self, by: number, net: Circle): void {
  if (runs(my, by)) passList(my, by, signed(my, by), [...livingFrom(by, net), my.id], net)
  else for (const leader of outcome(my, by)[1]) passOutcome(my, by, leader, net)
}

/** Whether this node has signed an election and not heard its outcome. */
function runs(my: Self, by: number): boolean {
  return signed(my, by) > heard(my, by)
}

function signed(my: Self, by: number): number {
  return my.signed.get(by) ?? 0
}

function heard(my: Self, by: number): number {
  return outcome(my, by)[0]
}

function outcome(my: Self, by: number): [turn: number, leaders: number[]] {
  return my.outcome.get(by) ?? [0, []]
}
