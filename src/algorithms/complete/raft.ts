import { algorithm, type NetworkFacts, type Real, type Term } from '../../core/index.ts'
import { leaderPerTerm } from '../../problems/index.ts'
import { positiveTimes } from '../positive-times.ts'
import { display, reasons } from './raft-display.ts'
import { invariant } from './raft-invariant.ts'
import {
  messages,
  needs,
  params,
  type RaftNet,
  type RaftNode,
  state,
  timers,
} from './raft-state.ts'

const { PREVOTE, PREVOTED, VOTE, VOTED, HEARTBEAT, HEARD } = messages
const { ELECTION, BEAT, OLD } = timers

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
  messages,
  timers,
  params,
  variant: positiveTimes('raft', 'patience', 'beat'),
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
      become(my, 'asking')
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
        // A follower has no votes.
        if (my.role !== 'follower') become(my, 'follower')
        net.follow(net.peer(net.from))
        if (my.prevote === 'on') {
          my.heard = true
          // One unit less: at one moment messages come before timers.
          net.after(Math.max(0, my.patience - 1), OLD)
        }
        wait(my, net)
      }
      net.send(net.from, HEARD, { term: my.term })
    },
    HEARD: (my, { term }, net) => catchUp(my, term, net),
  },

  invariant,
  display,
  reasons,

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
    bounds: [
      {
        of: 'messages',
        kind: 'best',
        formula: '2(n-1), with pre-votes 4(n-1)',
        value: ({ n, settings }) => requests(settings) * (n - 1),
        where: 'for runs that elect',
      },
      {
        of: 'time',
        kind: 'best',
        formula: 'patience + 2, or + 4 with pre-votes',
        value: ({ n, settings }) => Number(settings!.patience) + (n > 1 ? requests(settings) : 0),
        when: ({ largestDelay, settings }) => largestDelay === 1 && settings !== undefined,
        where: 'for runs that elect, with unit delays',
      },
    ],
  },
})

/** Requests and answers take 2(n-1) messages and 2 delays; pre-votes take as many again. */
function requests(settings: NetworkFacts['settings']): number {
  return settings?.prevote === 'on' ? 4 : 2
}

/** Waits for a leader, for a random time: two nodes seldom stand at once. */
function wait(my: RaftNode, net: RaftNet): void {
  net.after({ from: my.patience, to: 2 * my.patience }, ELECTION)
}

function stand(my: RaftNode, net: RaftNet): void {
  my.term++
  my.voted = my.id
  become(my, 'candidate')
  wait(my, net)
  net.sendAll(VOTE, { term: my.term, log: my.value })
  count(my, net)
}

function become(my: RaftNode, role: RaftNode['role']): void {
  my.role = role
  my.votes = new Set()
}

/** Whether a majority, this node included, has granted what it asked for. */
function count(my: RaftNode, net: RaftNet): void {
  if (!net.majority(my.votes, true)) return
  if (my.role === 'asking') stand(my, net)
  else lead(my, net)
}

function lead(my: RaftNode, net: RaftNet): void {
  become(my, 'leader')
  net.lead({ term: my.term })
  net.cancel(ELECTION)
  beat(my, net)
}

function beat(my: RaftNode, net: RaftNet): void {
  net.sendAll(HEARTBEAT, { term: my.term })
  net.after(my.beat, BEAT)
}

/** A later term: this node has not voted in it, and leads no more. */
function catchUp(my: RaftNode, term: Term, net: RaftNet): void {
  if (term <= my.term) return
  my.term = term
  my.voted = null
  net.cancel(BEAT)
  if (my.role === 'leader') wait(my, net)
  become(my, 'follower')
  net.withdraw()
}

function wouldVote(my: Readonly<RaftNode>, term: Term, log: Real): boolean {
  return term > my.term && !my.heard && my.role !== 'leader' && log >= my.value
}
