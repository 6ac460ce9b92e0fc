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
import {
  type Circle,
  cameRound,
  largestOf,
  linkTo,
  lives,
  livingFrom,
  skipped,
  successor,
} from './circle.ts'

/* An election is known by who began it (`by`) and how many that one had begun before (`turn`). */
const ELECTION = message({ by: uid, turn: nat, ids: list(uid) })
const COORDINATOR = message({ by: uid, turn: nat, leader: uid })

const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['n', 'direction', 'peers', 'liveness'],
} as const
const state = {
  /** How many elections this node has begun. */
  turn: stable(nat),
  /** By initiator: the last election signed here, */
  signed: map(uid, nat),
  /** the last one whose outcome was heard, with the leader, */
  outcome: map(uid, pair(nat, uid)),
  /** and the link over which the last message went; null where nobody else lived. */
  via: map(uid, maybe(nat)),
  /** Another leader that lives was named, before this one or after. */
  rival: flag,
  /** Another was named that cannot be it, as far as this node knows. */
  doubt: flag,
}

type Self = My<typeof needs, typeof state>

/**
 * The ring algorithm of text 004, after Le Lann 1977. A list goes round the live nodes and each
 * signs; who finds its own id in it sends the largest round. 2n messages per initiator. Everybody
 * answers for what it has sent on: if the next node is then reported dead, the one after it gets
 * it; if the leader is, the node before it begins anew.
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

  start: begin,

  on: {
    ELECTION(my, { by, turn, ids }, net) {
      if (heard(my, by) >= turn) return
      const known = signed(my, by) >= turn
      if (ids.includes(my.id) || (known && cameRound(my.id, by, net)))
        return learn(my, by, turn, largestOf(my.id, ids, net), net)
      // What was sent again and had got through is on its way already.
      if (known) return
      my.signed.set(by, turn)
      passList(my, by, turn, [...ids, my.id], net)
    },
    COORDINATOR(my, { by, turn, leader }, net) {
      if (heard(my, by) < turn || credible(my, leader, net)) learn(my, by, turn, leader, net)
      else weigh(my, leader, net)
    },
  },

  down(my, link, net) {
    const leaderless = net.peer(link) === my.leader
    if (leaderless) net.withdraw()
    for (const [by, went] of my.via) if (went === link) sendAgain(my, by, net)
    if (my.status !== 'unknown') return
    if (my.rival || my.doubt || (skipped(link, net) && (leaderless || idle(my)))) beginAnew(my, net)
  },

  /** A node that was out of reach may have missed something, or be larger than the leader. */
  up(my, link, net) {
    if (successor(net) === link) for (const by of my.via.keys()) sendAgain(my, by, net)
    if (my.doubt || (my.status === 'unknown' && idle(my))) beginAnew(my, net)
  },

  theory: {
    authors: 'after Le Lann 1977',
    texts: ['004'],
    idea: 'A list goes round the live nodes in the order of their positions, and each adds its id. Who finds its own id in it sends round COORDINATOR with the largest. Dead nodes are skipped; a message that was sent to one is sent again to the next.',
    because:
      'A list that has come round was signed by every node that was alive all the time, so each election finds the largest of them, whoever began it. Every node keeps what it has sent on in mind, so a list or an outcome is lost only with all who have seen it. A leader that died is noticed by the live node before it.',
    breaks:
      'A detector that says nothing: a message to a dead node is gone, and the election with it. One that is wrong: a live node is skipped, and leads beside another until it is trusted again.',
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
  my.rival = my.doubt = false
  my.signed.set(my.id, my.turn)
  passList(my, my.id, my.turn, [my.id], net)
}

function beginAnew(my: Self, net: Circle): void {
  if (!runs(my, my.id)) begin(my, net)
}

/** An outcome is read or written here. */
function learn(my: Self, by: number, turn: number, leader: number, net: Circle): void {
  my.outcome.set(by, [Math.max(turn, heard(my, by)), leader])
  weigh(my, leader, net)
  passOutcome(my, by, net)
  if (leader !== my.leader && answers(my, leader, net)) beginAnew(my, net)
}

/** A leader is named: follows it, or keeps in mind that the last word may not be spoken. */
function weigh(my: Self, leader: number, net: Circle): void {
  if (leader === my.leader) return
  if (credible(my, leader, net)) {
    my.rival ||= my.doubt || (my.leader !== null && lives(my.id, my.leader, net))
    my.doubt = false
    if (leader === my.id) net.lead()
    else net.follow(leader)
  } else if (leader !== my.id && lives(my.id, leader, net)) my.rival = true
  else my.doubt = true
}

/** Whether a leader is news that can be true: it lives, and no larger one is known to. */
function credible(my: Self, leader: number, net: Circle): boolean {
  if (my.leader !== null && my.leader >= leader && lives(my.id, my.leader, net)) return false
  if (leader === my.id) return !net.links.some((link) => net.up(link) && net.peer(link) > my.id)
  return leader > my.id && lives(my.id, leader, net)
}

/** Whether it falls to this node to begin anew: it is larger, or the last one before the dead. */
function answers(my: Self, leader: number, net: Circle): boolean {
  if (leader <= my.id) return leader < my.id
  const seat = linkTo(leader, net)
  return seat === null || (!net.up(seat) && skipped(seat, net))
}

function passList(my: Self, by: number, turn: number, ids: number[], net: Circle): void {
  const next = route(my, by, net)
  if (next !== null) net.send(next, ELECTION, { by, turn, ids })
}

function passOutcome(my: Self, by: number, net: Circle): void {
  const next = route(my, by, net)
  const [turn, leader] = my.outcome.get(by)!
  if (next !== null) net.send(next, COORDINATOR, { by, turn, leader })
}

/** Where the messages of an election go from here. Who is alone elects itself, for later. */
function route(my: Self, by: number, net: Circle): Link | null {
  const next = successor(net)
  my.via.set(by, next)
  if (next === null) {
    my.turn++
    my.outcome.set(my.id, [my.turn, my.id])
    my.via.set(my.id, null)
    net.lead()
  }
  return next
}

/** What was sent last in an election may be lost: once more, to the node that is next now. */
function sendAgain(my: Self, by: number, net: Circle): void {
  if (runs(my, by)) passList(my, by, signed(my, by), [...livingFrom(by, net), my.id], net)
  else passOutcome(my, by, net)
}

/** Whether this node has signed an election and not heard its outcome. */
function runs(my: Self, by: number): boolean {
  return signed(my, by) > heard(my, by)
}

function idle(my: Self): boolean {
  return ![...my.signed.keys()].some((by) => runs(my, by))
}

function signed(my: Self, by: number): number {
  return my.signed.get(by) ?? 0
}

function heard(my: Self, by: number): number {
  return my.outcome.get(by)?.[0] ?? 0
}
