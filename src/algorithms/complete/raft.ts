import {
  algorithm,
  flag,
  link,
  type My,
  maybe,
  message,
  type NetOf,
  nat,
  oneOf,
  real,
  set,
  stable,
  timer,
  UsageError,
  uid,
} from '../../core/index.ts'
import { leaderPerTerm } from '../../problems/index.ts'

const PREVOTE = message({ term: nat, log: real })
const PREVOTED = message({ term: nat, granted: flag })
const VOTE = message({ term: nat, log: real })
const VOTED = message({ term: nat, granted: flag })
const HEARTBEAT = message({ term: nat })
const HEARD = message({ term: nat })

/** No leader was heard of for a while. */
const ELECTION = timer()
/** A leader sends its next heartbeat. */
const BEAT = timer()
/** The last heartbeat is as old as the shortest patience. */
const OLD = timer()

// `my.value` is how much of the log a node has.
const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['peers', 'voters', 'inputs'],
  coins: true,
} as const
const state = {
  // These two survive a crash: a node votes at most once in a term.
  term: stable(nat),
  voted: stable(maybe(uid)),
  role: oneOf('follower', 'asking', 'candidate', 'leader'),
  /** The links over which votes or pre-votes came. */
  votes: set(link),
  /** Whether a leader was heard of less than `patience` ago; only with pre-votes. */
  heard: flag,
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
  prevote: {
    says: 'on: a node stands only if a majority would vote for it',
    choices: ['off', 'on'],
    value: () => 'off',
  },
} as const

type Me = My<typeof needs, typeof state, typeof params>
type World = NetOf<typeof needs>

/**
 * The election of Raft (Ongaro and Ousterhout 2014), with the pre-vote of Ongaro's thesis (9.6). A
 * node that hears of no leader for a random time stands in a new term and asks all others for their
 * votes; each votes once in a term, and a majority makes a leader, which sends heartbeats. If one
 * node stands at time a, it leads at a + 2 after 2(n-1) messages (a + 4 and 4(n-1) with pre-votes);
 * then there are 2(n-1) messages per beat.
 */
export const raft = algorithm({
  name: 'raft',
  needs,
  messages: { PREVOTE, PREVOTED, VOTE, VOTED, HEARTBEAT, HEARD },
  timers: { ELECTION, BEAT, OLD },
  params,
  variant: refuseIdleTimes,
  state,
  wakes: true,
  quiet: 'never',
  problem: leaderPerTerm,
  elects: 'another',

  // A node that recovers from a crash does the same.
  start: wait,

  timeout: {
    ELECTION(my, net) {
      net.withdraw()
      if (my.prevote === 'off') return stand(my, net)
      my.role = 'asking'
      my.votes = new Set()
      wait(my, net)
      net.sendAll(PREVOTE, { term: my.term + 1, log: my.value })
      count(my, net)
    },
    BEAT: beat,
    OLD(my) {
      my.heard = false
    },
  },

  on: {
    PREVOTE(my, { term, log }, net) {
      const granted = wouldVote(my, term, log)
      net.send(net.from, PREVOTED, { term: granted ? term : my.term, granted })
    },
    PREVOTED(my, { term, granted }, net) {
      if (!granted) return catchUp(my, term, net)
      if (my.role !== 'asking' || term !== my.term + 1) return
      my.votes.add(net.from)
      count(my, net)
    },
    VOTE(my, { term, log }, net) {
      catchUp(my, term, net)
      const candidate = net.peer(net.from)
      const free = my.voted === null || my.voted === candidate
      const granted = term === my.term && free && log >= my.value
      if (granted) {
        my.voted = candidate
        wait(my, net)
      }
      net.send(net.from, VOTED, { term: my.term, granted })
    },
    VOTED(my, { term, granted }, net) {
      catchUp(my, term, net)
      if (!granted || my.role !== 'candidate' || term !== my.term) return
      my.votes.add(net.from)
      count(my, net)
    },
    HEARTBEAT(my, { term }, net) {
      catchUp(my, term, net)
      if (term === my.term) {
        become(my, 'follower')
        net.follow(net.peer(net.from))
        remember(my, net)
        wait(my, net)
      }
      net.send(net.from, HEARD, { term: my.term })
    },
    HEARD(my, { term }, net) {
      catchUp(my, term, net)
    },
  },

  display: {
    active: (my) => my.role !== 'follower',
    badge: {
      name: 'term, votes',
      of(my) {
        const counts = my.role === 'asking' || my.role === 'candidate'
        return counts ? `${my.term}: ${my.votes.size + 1}` : my.term
      },
    },
    pointer: {
      name: 'has voted for',
      of: (my, _, { candidate }) =>
        my.voted === null || my.voted === my.id || candidate === undefined
          ? null
          : Number(candidate),
    },
    countdown: { name: 'patience', of: (my) => (my.role === 'leader' ? 'BEAT' : 'ELECTION') },
    decides: {
      ...{ PREVOTE: 'term', PREVOTED: 'granted', VOTE: 'term', VOTED: 'granted' },
      ...{ HEARTBEAT: 'term', HEARD: 'term' },
    },
    seen: {
      VOTE: (my, body, _, { from, peer }) =>
        refusal(my, body, peer(from)) === null ? { candidate: from } : null,
    },
  },

  reasons: {
    PREVOTE(my, { term, log }, _, { from, node }) {
      const who = node(from)
      if (wouldVote(my, term, log)) return `would vote for ${who} in term ${term}`
      if (my.role === 'leader') return `refuses ${who}: it leads itself`
      if (my.heard) return `refuses ${who}: it has heard of a leader`
      return log < my.value
        ? `refuses ${who}: it has more of the log`
        : `refuses ${who}, since term ${term} <= ${my.term}`
    },
    PREVOTED(my, { term, granted }, _, { from, node }) {
      if (!granted) return term > my.term ? newTerm(term) : `is refused by ${node(from)}`
      return my.role === 'asking' && term === my.term + 1
        ? `would have the vote of ${node(from)}`
        : 'does not ask any more'
    },
    VOTE(my, body, name, { from, node, peer }) {
      const reason = refusal(my, body, peer(from))
      if (reason === null) return `votes for ${node(from)} in term ${body.term}`
      if (reason === 'voted') return `has voted for ${name(my.voted!)} in term ${body.term}`
      return reason === 'log'
        ? `refuses ${node(from)}: it has more of the log`
        : `refuses ${node(from)}, since term ${body.term} < ${my.term}`
    },
    VOTED(my, { term, granted }, _, { from, node }) {
      if (term > my.term) return newTerm(term)
      if (my.role !== 'candidate' || term !== my.term) return 'does not stand in that term'
      return granted ? `has the vote of ${node(from)}` : `is refused by ${node(from)}`
    },
    HEARTBEAT: (my, { term }, _, { from, node }) =>
      term < my.term
        ? `ignores ${node(from)}, since term ${term} < ${my.term}`
        : `follows ${node(from)}, the leader of term ${term}`,
    HEARD: (my, { term }, _, { from, node }) =>
      term > my.term ? newTerm(term) : `is heard by ${node(from)}`,
    ELECTION: (my) =>
      my.prevote === 'on'
        ? `asks who would vote for it in term ${my.term + 1}: it has heard of no leader`
        : `stands for election in term ${my.term + 1}: it has heard of no leader`,
    BEAT: () => 'shows that it still leads',
    OLD: () => 'would vote again: the last heartbeat is old',
  },

  theory: {
    title: 'Raft',
    authors: 'Ongaro and Ousterhout 2014, pre-vote Ongaro 2014',
    idea: 'Time is divided into terms. A node that hears of no leader for a random time begins the next term, votes for itself and asks all others. Each node votes once in a term, for the first candidate whose log is not shorter than its own. A majority of votes makes a leader, which sends heartbeats. A message of a later term makes anybody a follower in that term. With prevote=on a node first asks who would vote for it, and stands only if a majority says so; nobody does who has heard of a leader lately.',
    because:
      'Two majorities share a node, and a node votes once in a term, even if it crashes in between: terms and votes are on disk. So no term has two leaders, whatever is lost, repeated or late. Random timeouts make it likely that one node stands alone, and then it has all votes two delays later.',
    breaks:
      'A vote that is forgotten in a crash: two leaders in one term. Half of the votes instead of a majority. Heartbeats that are too rare, beat + 2 delays >= patience: leaders fall without cause. Without pre-votes a node that was cut off returns with a higher term, and the leader falls. If half of the nodes or more have crashed, nobody leads.',
    example: 'conclave run raft -n 5 --crash 0@50 --recover 0@120 --until 400',
    cost: '2(n - 1) messages to elect, 2(n - 1) per beat',
    bounds: [],
  },
})

/** Waits for a leader, for a random time: two nodes seldom stand at once. */
function wait(my: Me, net: World): void {
  net.after({ from: my.patience, to: 2 * my.patience }, ELECTION)
}

function stand(my: Me, net: World): void {
  my.term++
  my.voted = my.id
  become(my, 'candidate')
  wait(my, net)
  net.sendAll(VOTE, { term: my.term, log: my.value })
  count(my, net)
}

function become(my: Me, role: Me['role']): void {
  my.role = role
  my.votes = new Set()
}

/** Whether a majority, this node included, has granted what it asked for. */
function count(my: Me, net: World): void {
  if (!net.majority(my.votes, true)) return
  if (my.role === 'asking') stand(my, net)
  else lead(my, net)
}

function lead(my: Me, net: World): void {
  become(my, 'leader')
  net.lead({ term: my.term })
  net.cancel(ELECTION)
  beat(my, net)
}

function beat(my: Me, net: World): void {
  net.sendAll(HEARTBEAT, { term: my.term })
  net.after(my.beat, BEAT)
}

/** A later term: this node has not voted in it, and leads no more. */
function catchUp(my: Me, term: number, net: World): void {
  if (term <= my.term) return
  my.term = term
  my.voted = null
  net.cancel(BEAT)
  if (my.role === 'leader') wait(my, net)
  become(my, 'follower')
  net.withdraw()
}

function wouldVote(my: Readonly<Me>, term: number, log: number): boolean {
  return term > my.term && !my.heard && my.role !== 'leader' && log >= my.value
}

/** One unit less than patience: at one moment messages come before timers. */
function remember(my: Me, net: World): void {
  if (my.prevote === 'off') return
  my.heard = true
  net.after(my.patience - 1, OLD)
}

/** Why a vote is refused; null where it is granted. */
function refusal(
  my: Readonly<Me>,
  { term, log }: { readonly term: number; readonly log: number },
  candidate: Me['id'],
): 'term' | 'voted' | 'log' | null {
  if (term < my.term) return 'term'
  if (term === my.term && my.voted !== null && my.voted !== candidate) return 'voted'
  return log < my.value ? 'log' : null
}

function newTerm(term: number): string {
  return `follows into term ${term}, which is later than its own`
}

/** Refuses times in which a timer would be set again at the same moment. */
function refuseIdleTimes({ patience, beat }: Pick<Me, 'patience' | 'beat'>): null {
  if (!(patience < 1 || beat <= 0)) return null
  const problem = `patience must be at least 1 and beat above 0; ${patience} and ${beat} were given.`
  throw new UsageError('raft', problem, 'Set for example patience=10 and beat=3.')
}
