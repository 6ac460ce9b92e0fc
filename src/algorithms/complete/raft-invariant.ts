import {
  type Clauses,
  type Invariant,
  LED,
  type NodeView,
  type Term,
  type Uid,
} from '../../core/index.ts'
import { messages, type RaftNode } from './raft-state.ts'

const { VOTED } = messages

/** Why no term has two leaders: a node votes once in a term, and two majorities share a node. */
export function invariant({ nodes, each }: Clauses<RaftNode>): Invariant {
  return {
    'who grants a vote has voted': each(VOTED).and(
      0,
      (m) => !m.granted || hasVoted(m.sender, m.term, m.to.id),
    ),
    'a candidate votes for itself': nodes(1, (a) => a.role !== 'candidate' || a.voted === a.id),
    'a candidate counts votes of its term': nodes(
      2,
      (a, b) => a.role !== 'candidate' || !a.votes.has(b) || hasVoted(b, a.term, a.id),
    ),
    'a node grants one vote in a term': each(VOTED, VOTED).and(
      0,
      (m, o) =>
        !m.granted || !o.granted || m.sender !== o.sender || m.term !== o.term || m.to === o.to,
    ),
    'a vote that was counted is the only one': each(VOTED).and(
      1,
      (m, a) => !m.granted || !counts(a, m.sender, m.term) || m.to === a,
    ),
    'two candidates of a term count different votes': nodes(
      3,
      (a, b, c) => !counts(a, c, a.term) || !counts(b, c, a.term) || a === b,
    ),
    'who voted for a leader grants no other vote': each(LED, VOTED).and(
      0,
      (led, m) => !m.granted || led.term !== m.term || !led.votes.has(m.sender) || m.to === led.to,
    ),
    'no candidate counts a vote for a leader': each(LED).and(
      2,
      (led, a, b) => !led.votes.has(b) || !counts(a, b, led.term) || a === led.to,
    ),
    'two leaders of a term have different votes': each(LED, LED).and(
      1,
      (one, other, b) =>
        one.term !== other.term || !one.votes.has(b) || !other.votes.has(b) || one.to === other.to,
    ),
    'a leader has a majority': each(LED).and(0, (led) => led.votes.majority),
    'its voters have voted for a leader': each(LED).and(
      1,
      (led, b) => !led.votes.has(b) || hasVoted(b, led.term, led.to.id),
    ),
  }
}

/** Whether a node has voted so in a term, unless it is in a later one. */
function hasVoted(
  node: { readonly term: Term; readonly voted: Uid | null },
  term: Term,
  candidate: Uid,
): boolean {
  return node.term > term || (node.term === term && node.voted === candidate)
}

/** Whether a candidate in a term has counted the vote of a node. */
function counts(candidate: NodeView<RaftNode>, voter: NodeView<RaftNode>, term: Term): boolean {
  const { role, votes } = candidate
  return role === 'candidate' && candidate.term === term && votes.has(voter)
}
