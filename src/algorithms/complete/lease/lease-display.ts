import type { Display, EventContext, Reasons } from '../../../core/index.ts'
import { stands } from './candidate.ts'
import { half, limitOf, type Me, type messages, type timers } from './lease-state.ts'
import { couldGrant, isHolder } from './voter.ts'

/* What pictures show of a lease, and why its nodes do what they do. */

export const display: Display<Me, typeof messages, keyof typeof timers> = {
  badge: { name: 'term', of: (my) => my.term || null },
  pointer: { name: 'has promised to', of: (my) => (my.promised ? my.holder : null) },
  // A leader sees its own lease end, which is earlier than the promises that it rests on.
  countdown: {
    name: 'lease',
    of(my) {
      if (my.phase === 'leading' && my.rests !== 'none') return my.rests === 'even' ? 'EVEN' : 'ODD'
      return my.promised ? 'PROMISE' : null
    },
  },
  decides: { ASK: 'term', READY: 'term', RELEASE: 'term' },
}

export const reasons: Reasons<Me, typeof messages, typeof timers> = {
  POLL: (my, { incarnation }, _, around) =>
    couldGrant(my, around.from, incarnation)
      ? `could promise ${around.node(around.from)} a lease, and says so`
      : `lets ${around.node(around.from)} wait, since ${obstacle(my, around)}`,
  READY: (my, { number }, _, { from, node }) =>
    my.phase === 'polling' && number === my.number
      ? `could have the promise of ${node(from)}`
      : 'does not poll any more',
  ASK(my, { incarnation, term, length, echo }, _, around) {
    const who = around.node(around.from)
    const holds = isHolder(my, around.from, incarnation)
    const renews = holds && term === my.term && length === my.length
    if (!couldGrant(my, around.from, incarnation))
      return `refuses ${who}, since ${obstacle(my, around)}`
    if (!renews && term <= my.term) return `refuses ${who}: term ${term} is not above ${my.term}`
    if (length > limitOf(my)) return `refuses ${who}: ${length} is too long for a lease`
    if (![my.age, my.age - 1].some((age) => echo.endsWith(`/${age}`)))
      return `refuses ${who}, which has not heard from it of late`
    return renews
      ? `renews its promise to ${who}: ${length} more in term ${term}`
      : `promises ${who} a lease of ${length} in term ${term}`
  },
  GRANT(my, { number }, _, { from, node, n }) {
    if (number !== my.number || !stands(my)) return 'ignores it: it asks for something else by now'
    const promises = new Set(my.answers).add(from).size + (my.own ? 1 : 0)
    const counted = `has the promise of ${node(from)}, ${promises} of ${n}`
    if (2 * promises <= n || my.rests === my.turn) return counted
    return my.phase === 'asking'
      ? `${counted}: with a majority it leads in term ${my.bid}`
      : `${counted}: its lease is renewed`
  },
  REFUSE: (my, { number }, _, { from, node }) =>
    my.phase === 'asking' && number === my.number
      ? `is refused by ${node(from)}`
      : 'does not ask any more',
  RELEASE: (my, { next, incarnation }, name, { from, node }) =>
    isHolder(my, from, incarnation) && my.promised
      ? `is free of its promise: ${node(from)} gives it back`
      : next === my.id
        ? `may stand: ${node(from)} yields to it`
        : `has promised ${node(from)} nothing${next === null ? '' : `; ${name(next)} may stand`}`,
  LEARN: (my, _, __, { from, node }) =>
    my.memory ? `tells ${node(from)} the term that it knows` : 'has no memory itself',
  LEARNED: (my, { term }, _, { from, node }) =>
    my.learning === 'asking' ? `learns term ${term} from ${node(from)}` : 'does not ask any more',

  PROMISE: (my, _, { node }) =>
    `is free: its promise to ${my.holder === null ? 'itself' : node(my.holder)} has ended`,
  EVEN: roundReason,
  ODD: roundReason,
  RENEW: (my) => (my.phase === 'leading' ? 'asks for the renewal of its lease' : null),
  CAMPAIGN: (my) =>
    stands(my) || my.promised ? null : 'stands for leadership: asks who could promise it a lease',
  NONCE: (my) => `takes no answers to what it sent more than ${half(my)} ago`,
  WAIT: () => 'asks for the terms that it may have granted: it has no memory',
  HOLD: () => 'resigns: it has led long enough',
}

function roundReason(my: Me): string {
  if (my.phase === 'asking') return 'gives up: no majority has promised in time'
  return my.phase === 'leading' && my.status !== 'leader'
    ? 'stops: its lease has run out'
    : 'has a newer round of promises'
}

function obstacle(my: Me, { node }: EventContext): string {
  if (!my.memory) return 'it has lost its memory'
  return `its promise to ${my.holder === null ? 'itself' : node(my.holder)} is running`
}
