import {
  algorithm,
  flag,
  leaderPerTerm,
  type My,
  maybe,
  message,
  type NetOf,
  nat,
  set,
  stable,
  timer,
  uid,
} from 'conclave'

const VOTE = message({ term: nat, id: uid })
const VOTED = message({ term: nat })
const HEARTBEAT = message({ term: nat, id: uid })

/** No leader was heard of for a while. */
const ELECTION = timer()
/** A leader sends its next heartbeat. */
const BEAT = timer()

const needs = { topology: 'complete', ids: 'unique', knows: ['n'], coins: true } as const
const state = {
  // These two survive a crash: a node votes at most once in a term.
  term: stable(nat),
  voted: stable(maybe(uid)),
  candidate: flag,
  /** The links over which votes came in this term. */
  votes: set(nat),
}
const params = {
  patience: {
    says: 'a node waits for a leader between this time and twice as long',
    value: () => 10,
  },
  beat: {
    says: 'time between two heartbeats; with two delays it must be below patience',
    value: () => 3,
  },
}

type Me = My<typeof needs, typeof state, typeof params>
type World = NetOf<typeof needs>

/** The election of Raft (Ongaro and Ousterhout 2014), without its log. */
export default algorithm({
  name: 'raft',
  needs,
  messages: { VOTE, VOTED, HEARTBEAT },
  timers: { ELECTION, BEAT },
  params,
  state,
  wakes: true,
  quiet: 'never',
  problem: leaderPerTerm,
  elects: 'another',

  // A node that recovers from a crash does the same.
  start: wait,

  on: {
    VOTE(my, { term, id }, net) {
      if (isOld(my, term, net)) return
      if (my.voted !== null && my.voted !== id) return
      my.voted = id
      net.send(net.from, VOTED, { term })
      wait(my, net)
    },
    VOTED(my, { term }, net) {
      if (!my.candidate || term !== my.term) return
      my.votes.add(net.from)
      count(my, net)
    },
    HEARTBEAT(my, { term, id }, net) {
      if (isOld(my, term, net)) return
      my.candidate = false
      net.follow(id)
      wait(my, net)
    },
  },

  timeout: {
    ELECTION(my, net) {
      my.term++
      my.voted = my.id
      my.candidate = true
      my.votes = new Set()
      net.withdraw()
      wait(my, net)
      net.sendAll(VOTE, { term: my.term, id: my.id })
      count(my, net)
    },
    BEAT: beat,
  },

  display: {
    active: (my) => my.candidate,
    badge: { name: 'term', of: (my) => my.term },
    countdown: { name: 'patience', of: (my) => (my.status === 'leader' ? 'BEAT' : 'ELECTION') },
    decides: { VOTE: 'term', VOTED: 'term', HEARTBEAT: 'term' },
  },

  reasons: {
    VOTE(my, { term, id }, name) {
      if (term < my.term) return `ignores ${name(id)}, since term ${term} < ${my.term}`
      if (term === my.term && my.voted !== null && my.voted !== id)
        return `has voted for ${name(my.voted)} in term ${term}`
      return `votes for ${name(id)} in term ${term}`
    },
    VOTED: (my, { term }, _, { from, node }) =>
      my.candidate && term === my.term
        ? `has the vote of ${node(from)}`
        : 'does not stand in that term',
    HEARTBEAT: (my, { term, id }, name) =>
      term < my.term
        ? `ignores ${name(id)}, since term ${term} < ${my.term}`
        : `follows ${name(id)}, the leader of term ${term}`,
    ELECTION: (my) => `stands for election in term ${my.term + 1}: it has heard of no leader`,
    BEAT: () => 'shows that it still leads',
  },
})

/** Waits for a leader, for a random time: two nodes seldom stand for election at once. */
function wait(my: Me, net: World): void {
  net.after({ from: my.patience, to: 2 * my.patience }, ELECTION)
}

/** Whether a message is old. In a newer term this node has not voted yet, and leads no more. */
function isOld(my: Me, term: number, net: World): boolean {
  if (term > my.term) {
    my.term = term
    my.voted = null
    my.candidate = false
    net.cancel(BEAT)
    if (my.status === 'leader') wait(my, net)
    net.withdraw()
  }
  return term < my.term
}

/** More than half of all nodes, itself included, have voted for this node: it leads. */
function count(my: Me, net: World): void {
  if (my.votes.size + 1 <= net.n / 2) return
  my.candidate = false
  net.lead({ term: my.term })
  net.cancel(ELECTION)
  beat(my, net)
}

function beat(my: Me, net: World): void {
  net.sendAll(HEARTBEAT, { term: my.term, id: my.id })
  net.after(my.beat, BEAT)
}
