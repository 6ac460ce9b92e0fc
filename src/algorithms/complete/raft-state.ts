import {
  flag,
  link,
  type My,
  maybe,
  message,
  type NetOf,
  oneOf,
  real,
  set,
  stable,
  term,
  timer,
  uid,
} from '../../core/index.ts'

/* What the nodes of Raft's election send, know and keep. */

const PREVOTE = message({ term, log: real })
const PREVOTED = message({ term, granted: flag })
const VOTE = message({ term, log: real })
const VOTED = message({ term, granted: flag })
const HEARTBEAT = message({ term })
const HEARD = message({ term })

/** No leader was heard of for a while. */
const ELECTION = timer()
/** A leader sends its next heartbeat. */
const BEAT = timer()
/** The last heartbeat is as old as the shortest patience. */
const OLD = timer()

export const messages = { PREVOTE, PREVOTED, VOTE, VOTED, HEARTBEAT, HEARD }
export const timers = { ELECTION, BEAT, OLD }

// `my.value` is how much of the log a node has.
export const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['peers', 'voters', 'inputs'],
  coins: true,
} as const
export const state = {
  // These two survive a crash: a node votes at most once in a term.
  term: stable(term),
  voted: stable(maybe(uid)),
  role: oneOf('follower', 'asking', 'candidate', 'leader'),
  /** The links over which votes or pre-votes came. */
  votes: set(link),
  /** Whether a leader was heard of less than `patience` ago; only with pre-votes. */
  heard: flag,
}
export const params = {
  patience: { says: 'the shortest wait for a leader; the longest is twice that', value: () => 10 },
  beat: { says: 'time between heartbeats, below patience by two delays', value: () => 3 },
  prevote: {
    says: 'on: a node stands only if a majority would vote for it',
    choices: ['off', 'on'],
    value: () => 'off',
  },
} as const

export type RaftNode = My<typeof needs, typeof state, typeof params>
export type RaftNet = NetOf<typeof needs>
