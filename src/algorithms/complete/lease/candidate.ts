import type { Body } from '../../../core/index.ts'
import {
  ASK,
  CAMPAIGN,
  EVEN,
  GRANT,
  HOLD,
  half,
  isBeyond,
  type LeaseNet,
  limitOf,
  type Me,
  ODD,
  POLL,
  PROMISE,
  REFUSE,
  RELEASE,
  RENEW,
  type RequestKey,
  type STAND,
  tenure,
} from './lease-state.ts'
import {
  answerPolls,
  type Candidacy,
  couldGrant,
  grants,
  isFresh,
  isHolder,
  isNew,
  nonceOf,
} from './voter.ts'

/** Answers a request for a grant or a renewal. A refused one changes nothing at the voter. */
export function answerRequest(my: Me, body: Body<typeof ASK>, net: LeaseNet): void {
  const { incarnation, number, term, length, leads } = body
  const { from } = net
  if (!isNew(my, from, { incarnation, number })) return
  const candidacy = { link: from, incarnation, term, length }
  const granted = length <= limitOf(my) && isFresh(my, body.echo, net) && grants(my, candidacy, net)
  net.send(from, granted ? GRANT : REFUSE, { incarnation, number, nonce: nonceOf(my, net) })
  if (isLeading(my, net)) return
  if (granted) accept(my, leads, net)
  else if (leads) followWithoutGrant(my, candidacy, net)
  else if (my.phase === 'asking') yieldToLarger(my, net)
}

/** Of two candidates that collide, the one with the larger id goes on. */
function yieldToLarger(my: Me, net: LeaseNet): void {
  const rival = net.peer(net.from)
  if (rival > my.id) resign(my, rival, net)
}

/** A release over a link: the promise is free, or a rival has yielded to this candidate. */
export function released(my: Me, body: Body<typeof RELEASE>, net: LeaseNet): void {
  const { incarnation, number, term, next } = body
  const { from } = net
  if (!isNew(my, from, { incarnation, number })) return
  if (next === my.id && my.phase === 'asking') {
    resign(my, null, net)
    poll(my, net)
    return
  }
  const followed = !my.promised && my.leader === net.peer(from)
  if (followed || (term === my.term && isHolder(my, from, incarnation))) free(my, next, net)
  // The refusal of the rival came first, and this node has resigned, too.
  else if (next === my.id && my.phase === 'idle' && !my.promised) poll(my, net)
}

function accept(my: Me, leads: boolean, net: LeaseNet): void {
  if (my.phase === 'polling') my.phase = 'idle'
  net.cancel(CAMPAIGN)
  if (leads) net.follow(net.peer(net.from))
  else net.withdraw()
}

/** The promise has ended, or its holder gave it back and says who should stand next. */
export function free(my: Me, next: Me['id'] | null, net: LeaseNet): void {
  my.promised = false
  net.cancel(PROMISE)
  isLeading(my, net)
  if (my.status === 'lost') net.withdraw()
  answerPolls(my, net)
  if (my.phase !== 'idle') return
  if (next === my.id) poll(my, net)
  else campaign(my, net, next === null ? 0 : half(my))
}

/** Stands later: a nominated node at once, others in the order of their ids. */
export function campaign(my: Me, net: LeaseNet, later = 0): void {
  if (my.abstains || my.phase !== 'idle' || !my.memory || my.promised) return
  const rank = net.links.filter((link) => net.peer(link) > my.id).length
  const turn = my.nominated ? 0 : my.fallback + rank * Math.ceil(my.lease / 10)
  if (my.stands === 'any') net.after({ from: 0, to: my.lease }, CAMPAIGN)
  else net.after(later + turn, CAMPAIGN)
}

/**
 * A leader asks for a term that this node has granted to another candidate. It cannot grant it, but
 * follows as long as it hears of that leader.
 */
function followWithoutGrant(my: Me, { term, length }: Candidacy, net: LeaseNet): void {
  if (my.promised || !my.memory || my.phase === 'asking') return
  if (term < my.term || isBeyond(my, term)) return
  my.phase = 'idle'
  net.follow(net.peer(net.from))
  net.after(length, CAMPAIGN)
}

export function poll(my: Me, net: LeaseNet): void {
  if (my.status === 'lost') net.withdraw()
  if (my.abstains || !my.memory || my.promised) return
  my.phase = 'polling'
  my.number++
  my.answers = new Set()
  my.highest = my.term
  net.sendAll(POLL, { incarnation: net.incarnation, number: my.number })
  net.after({ from: half(my), to: my.lease }, CAMPAIGN)
  countReady(my, net)
}

export function countReady(my: Me, net: LeaseNet): void {
  const { highest } = my
  if (!net.majority(my.answers, couldGrant(my, null, net.incarnation))) return
  my.phase = 'asking'
  my.bid = Math.max(highest, my.term) + 1
  my.rests = 'none'
  net.cancel(CAMPAIGN)
  round(my, net)
}

/**
 * Asks all voters, after setting the timer of this round; the own vote is one like any other. The
 * timer that the leadership rests on keeps running.
 */
export function round(my: Me, net: LeaseNet): void {
  my.number++
  my.turn = my.rests === 'even' ? 'odd' : 'even'
  my.answers = new Set()
  my.refusals = new Set()
  net.after(tenure(my), my.turn === 'even' ? EVEN : ODD)
  const { number, bid: term, lease: length } = my
  const { incarnation } = net
  my.own = grants(my, { link: null, term, length, incarnation }, net)
  const leads = my.phase === 'leading'
  for (const link of net.links) {
    const echo = my.echoes.get(link) ?? ''
    net.send(link, ASK, { incarnation, number, term, length, echo, leads })
  }
  if (leads) net.after(Math.max(1, Math.floor(my.lease / 4)), RENEW)
  countGrants(my, net)
}

/** Whether an answer belongs to the last request of this very process. */
export function isCurrent(my: Me, { incarnation, number }: RequestKey, net: LeaseNet): boolean {
  return incarnation === net.incarnation && number === my.number
}

export function countGrants(my: Me, net: LeaseNet): void {
  if (my.rests === my.turn || !net.majority(my.answers, my.own)) return
  const first = my.phase === 'asking'
  my.phase = 'leading'
  my.rests = my.turn
  net.lead({ term: my.bid, while: my.turn === 'even' ? EVEN : ODD })
  if (!isLeading(my, net) || !first) return
  if (my.hold > 0) net.after(my.hold, HOLD)
  // The next round tells the others at once who leads.
  round(my, net)
}

/** A round has ended. A candidate did not reach a majority in time; a leader may have others. */
export function roundEnds(my: Me, net: LeaseNet): void {
  if (my.phase === 'asking') resign(my, null, net)
  else isLeading(my, net)
}

/** Whether this node leads. If its lease has run out, its term is over for good. */
export function isLeading(my: Me, net: LeaseNet): boolean {
  if (my.phase !== 'leading') return false
  if (my.status !== 'leader') leave(my, net)
  return my.status === 'leader'
}

/** Ends the term: its promises are given back, and nothing of it counts any more. */
export function resign(my: Me, next: Me['id'] | null, net: LeaseNet): void {
  const { bid: term } = my
  my.number++
  leave(my, net)
  net.sendAll(RELEASE, { incarnation: net.incarnation, number: my.number, term, next })
  if (term !== my.term || !isHolder(my, null, net.incarnation)) return
  my.promised = false
  net.cancel(PROMISE)
  answerPolls(my, net)
  net.after({ from: half(my), to: my.lease }, CAMPAIGN)
}

export function leave(my: Me, net: LeaseNet): void {
  my.phase = 'idle'
  my.turn = 'none'
  my.rests = 'none'
  for (const running of [EVEN, ODD, RENEW, HOLD]) net.cancel(running)
  if (my.status === 'leader') net.withdraw()
}

/** Whether this node leads or asks for it. */
export function stands({ phase }: Me): boolean {
  return phase === 'asking' || phase === 'leading'
}

export function standOrNot(my: Me, { willing }: Body<typeof STAND>, net: LeaseNet): void {
  my.abstains = !willing
  if (willing) campaign(my, net)
  else if (stands(my)) resign(my, null, net)
  else my.phase = 'idle'
}

/** Handles a request of the application at this node. The same from another node is ignored. */
export function ofApplication<B>(handle: (my: Me, body: B, net: LeaseNet) => void) {
  return (my: Me, body: B, net: LeaseNet) => {
    if (net.from < 0) handle(my, body, net)
  }
}
