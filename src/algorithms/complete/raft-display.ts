import type { Display, Reasons } from '../../core/index.ts'
import type { messages, RaftNode, timers } from './raft-state.ts'

/* What pictures show of Raft's election, and why its nodes do what they do. */

export const display: Display<RaftNode, typeof messages, keyof typeof timers> = {
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
      my.voted === null || my.voted === my.id || candidate === undefined ? null : Number(candidate),
  },
  countdown: { name: 'patience', of: (my) => (my.role === 'leader' ? 'BEAT' : 'ELECTION') },
  decides: {
    PREVOTE: 'term',
    PREVOTED: 'granted',
    VOTE: 'term',
    VOTED: 'granted',
    HEARTBEAT: 'term',
    HEARD: 'term',
  },
  seen: {
    VOTE: (my, body, _, { from, peer }) =>
      refusal(my, body, peer(from)) === null ? { candidate: from } : null,
  },
}

export const reasons: Reasons<RaftNode, typeof messages, typeof timers> = {
  PREVOTE(my, { term, log }, _, { from, node }) {
    const who = node(from)
    if (my.role === 'leader') return `refuses ${who}: it leads itself`
    if (my.heard) return `refuses ${who}: it has heard of a leader`
    if (log < my.value) return `refuses ${who}: it has more of the log`
    return term <= my.term
      ? `refuses ${who}, since term ${term} <= ${my.term}`
      : `would vote for ${who} in term ${term}`
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
}

/** Why a vote is refused; null where it is granted. */
function refusal(
  my: Readonly<RaftNode>,
  { term, log }: { readonly term: number; readonly log: number },
  candidate: RaftNode['id'],
): 'term' | 'voted' | 'log' | null {
  if (term < my.term) return 'term'
  if (term === my.term && my.voted !== null && my.voted !== candidate) return 'voted'
  return log < my.value ? 'log' : null
}

function newTerm(term: number): string {
  return `follows into term ${term}, which is later than its own`
}
