import {
  flag,
  incarnation,
  link,
  type My,
  map,
  maybe,
  message,
  type NetOf,
  nat,
  oneOf,
  record,
  set,
  stable,
  term,
  timer,
  UsageError,
  uid,
  type Values,
} from '../../../core/index.ts'

/** A request, and the answer to it, by its number and the incarnation of the node that asks. */
export const request = { incarnation, number: nat }

/** Pre-vote: could you grant a lease to me? The answer may wait until a promise has ended. */
export const POLL = message(request)
export const READY = message({ ...request, term, nonce: incarnation })
/** A request for a grant or for its renewal, with the last nonce that came from this voter. */
export const ASK = message({
  ...request,
  term,
  length: nat,
  echo: incarnation,
  /** Whether the sender leads already. */
  leads: flag,
})
export const GRANT = message({ ...request, nonce: incarnation })
export const REFUSE = message({ ...request, nonce: incarnation })
export const RELEASE = message({ ...request, term, next: maybe(uid) })
/** From a voter without memory: which terms have you granted, and which lengths do you allow? */
export const LEARN = message(request)
export const LEARNED = message({ ...request, term, limit: nat })

/* Requests of the application at this node. */
/** Stop leading; the node with this id should stand next. */
export const RESIGN = message({ next: maybe(uid) })
/** Stand for leadership from now on, or do not. */
export const STAND = message({ willing: flag })
/** Grant only terms above this one. */
export const FLOOR = message({ term })
/** The process behind this link is certainly gone: a promise to it binds nobody. */
export const GONE = message({ link: nat, incarnation })

/** The promise of this voter ends. */
export const PROMISE = timer()
/** The lease of a round of requests ends; two rounds in a row use different ones. */
export const EVEN = timer()
export const ODD = timer()
/** A leader asks for the next renewal. */
export const RENEW = timer()
/** This node stands for leadership. */
export const CAMPAIGN = timer()
/** The nonces of this voter grow old. */
export const NONCE = timer()
/** A voter without memory may ask the others. */
export const WAIT = timer()
/** A leader that leads for a limited time resigns. */
export const HOLD = timer()

export const messages = {
  POLL,
  READY,
  ASK,
  GRANT,
  REFUSE,
  RELEASE,
  LEARN,
  LEARNED,
  RESIGN,
  STAND,
  FLOOR,
  GONE,
}
export const timers = { PROMISE, EVEN, ODD, RENEW, CAMPAIGN, NONCE, WAIT, HOLD }

export const needs = {
  topology: 'complete',
  ids: 'unique',
  knows: ['peers', 'voters', 'incarnation'],
  time: 'clocks',
  coins: true,
} as const

export const state = {
  // What a voter has on disk before it answers. The holder is a link, or null for this node; a
  // length of 0 means that nothing was ever granted.
  term: stable(term),
  holder: stable(maybe(link)),
  holderIncarnation: stable(incarnation),
  length: stable(nat),
  /** Whether the fields above are remembered; false after they were lost. */
  memory: stable(flag),

  /** Whether the promise is running. */
  promised: flag,
  /** The last request of each neighbour: older ones are ignored. */
  heard: map(link, record(request)),
  /** Polls to be answered when the promise has ended. */
  pending: map(link, record(request)),
  /** How often the nonces grew old, and for how many periods one that was sent is valid. */
  age: nat,
  valid: nat,
  learning: oneOf('no', 'waiting', 'asking'),
  /** How long it waited before it may learn. */
  waited: nat,

  phase: oneOf('idle', 'polling', 'asking', 'leading'),
  /** The number of the last poll, round or release. */
  number: nat,
  /** The answers to it: links, and whether this node itself said yes. */
  answers: set(link),
  refusals: set(link),
  own: flag,
  /** The highest term that an answer named, and the term in which this node stands or leads. */
  highest: term,
  bid: term,
  /** The timer of the present round, and the timer that the leadership rests on. */
  turn: oneOf('none', 'even', 'odd'),
  rests: oneOf('none', 'even', 'odd'),
  /** The last nonce of each voter. */
  echoes: map(link, incarnation),
  /** Whether an election proposes this node. */
  nominated: flag,
  /** Whether this node does not want to lead. */
  abstains: flag,
}

export const params = {
  lease: { says: 'how long a voter keeps its promise', value: () => 20 },
  limit: {
    says: 'the longest lease that a voter promises; 0: as long as its own',
    value: () => 0,
  },
  drift: { says: 'the largest relative difference between two clocks', value: () => 0.05 },
  margin: { says: 'how much earlier than that a leader stops', value: () => 0 },
  hold: { says: 'a leader resigns after this time; 0: it does not', value: () => 0 },
  fallback: {
    says: 'how long a node that nobody nominated waits before it stands',
    value: () => 0,
  },
  stands: {
    says: 'who stands first: nodes in the order of their ids, or any node',
    choices: ['rank', 'any'],
    value: () => 'rank',
  },
} as const

export type Me = My<typeof needs, typeof state, typeof params>
export type LeaseNet = NetOf<typeof needs>
/** A request by its number, or the request that an answer belongs to. */
export type RequestKey = Values<typeof request>

/** How long a leader may rely on promises of this length, from before it asked for them. */
export function tenure({ lease, drift, margin }: Pick<Me, 'lease' | 'drift' | 'margin'>): number {
  return Math.floor(lease / (1 + drift)) - margin
}

/** Refuses times in which nobody could lead; where not all are given, nothing is known. */
export function refuseShortLease(times: Pick<Me, 'lease' | 'drift' | 'margin'>): null {
  if (!(tenure(times) < 1)) return null
  const problem = `a lease of ${times.lease} leaves a leader no time.`
  throw new UsageError('lease', problem, 'Make it longer, or drift and margin smaller.')
}

/** Terms grow by elections, one by one: no term is believed that is larger by more than this. */
export const LARGEST_STEP = 2 ** 32

/** Whether nobody can have come to this term. Otherwise one false one would use up all others. */
export function isBeyond({ term: known }: Pick<Me, 'term'>, term: number): boolean {
  return term - known > LARGEST_STEP
}

export function half({ lease }: Me): number {
  return Math.ceil(lease / 2)
}

export function limitOf({ limit, lease }: Me): number {
  return Math.max(limit, lease)
}
