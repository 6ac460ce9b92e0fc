import { algorithm } from '../../../core/index.ts'
import { lease as problem } from '../../../problems/index.ts'
import {
  answerRequest,
  campaign,
  countGrants,
  countReady,
  free,
  isCurrent,
  isLeading,
  ofApplication,
  poll,
  released,
  resign,
  round,
  roundEnds,
  standOrNot,
  stands,
} from './candidate.ts'
import { learn, learned, teach, waitFor } from './learning.ts'
import { display, reasons } from './lease-display.ts'
import {
  isBeyond,
  limitOf,
  messages,
  needs,
  params,
  refuseShortLease,
  state,
  timers,
} from './lease-state.ts'
import { ageNonces, answerPolls, isHolder, promise } from './voter.ts'

/**
 * Leases by a quorum (Gray and Cheriton 1989, with the terms and pre-votes of Raft). A voter
 * promises at most one holder at a time, for a length that it measures from the receipt of the
 * request. A leader counts the same length from before it sent the requests, shortened by what
 * clocks may differ. So its lease ends before the promises that it rests on, and two majorities
 * share a voter: two nodes never lead at once. Terms are on disk before they are granted, and a
 * voter grants each only once: they serve as fencing tokens.
 */
export const quorumLease = algorithm({
  name: 'quorum-lease',
  needs,
  messages,
  timers,
  params,
  state,
  wakes: true,
  quiet: 'never',
  problem,
  elects: 'another',
  candidate: (my) => my.memory,
  variant: refuseShortLease,

  start(my, net) {
    my.memory = true
    campaign(my, net)
  },

  /** A stored promise counts as given now. Without a memory, every promise may be running. */
  recover(my, net) {
    if (!my.memory) return waitFor(my, limitOf(my), net)
    return my.length > 0 ? promise(my, net) : campaign(my, net)
  },

  on: {
    POLL(my, { incarnation, number }, net) {
      my.pending.set(net.from, { incarnation, number })
      answerPolls(my, net)
    },
    READY(my, { term, nonce, ...request }, net) {
      my.echoes.set(net.from, nonce)
      if (my.phase !== 'polling' || !isCurrent(my, request, net) || isBeyond(my, term)) return
      my.answers.add(net.from)
      my.highest = Math.max(my.highest, term)
      countReady(my, net)
    },

    ASK: answerRequest,
    GRANT(my, { nonce, ...request }, net) {
      my.echoes.set(net.from, nonce)
      if (!isCurrent(my, request, net)) return
      if (my.phase !== 'asking' && !isLeading(my, net)) return
      my.answers.add(net.from)
      countGrants(my, net)
    },
    REFUSE(my, { nonce, ...request }, net) {
      my.echoes.set(net.from, nonce)
      if (my.phase !== 'asking' || !isCurrent(my, request, net)) return
      my.refusals.add(net.from)
      const left = net.links.filter((link) => !my.refusals.has(link))
      if (!net.majority(left, my.own)) resign(my, null, net)
    },
    RELEASE: released,

    LEARN: teach,
    LEARNED: learned,

    RESIGN: ofApplication((my, { next }, net) => {
      if (stands(my)) resign(my, next, net)
    }),
    STAND: ofApplication(standOrNot),
    FLOOR: ofApplication((my, { term }) => {
      my.term = Math.max(my.term, term)
    }),
    GONE: ofApplication((my, { link, incarnation }, net) => {
      if (my.promised && isHolder(my, link, incarnation)) free(my, null, net)
    }),
  },

  timeout: {
    PROMISE: (my, net) => free(my, null, net),
    EVEN: roundEnds,
    ODD: roundEnds,
    RENEW(my, net) {
      if (isLeading(my, net)) round(my, net)
    },
    CAMPAIGN(my, net) {
      if (my.phase === 'idle' || my.phase === 'polling') poll(my, net)
    },
    NONCE: ageNonces,
    WAIT: learn,
    HOLD: (my, net) => resign(my, null, net),
  },

  display,
  reasons,

  theory: {
    title: 'Quorum lease',
    authors: 'Gray and Cheriton 1989, Ongaro and Ousterhout 2014',
    idea: 'A node that wants to lead first asks whether the voters could grant it a lease, and then asks for one with a higher term than they know. Each voter promises at most one node at a time, on disk, for a fixed length. A node with the promises of a majority leads, and renews them four times per lease. If it cannot, its lease runs out before the promises do, and another node may stand.',
    because:
      'A voter keeps its promise for the length of the lease from the receipt of a request; the leader counts from before it sent it, and stops earlier by as much as clocks may differ. So all promises that a lease rests on outlive it. Two leases rest on two majorities, which share a voter, and that voter does not break a promise: the first lease has ended before the second is granted. A term is written before it is granted, and never granted twice, so that terms are unique and grow, whatever clocks do.',
    breaks:
      'Clocks that differ by more than the drift: two nodes may lead at once, in different terms; only a resource that refuses smaller terms is then safe. A voter that forgets what it granted and votes at once. A lease that is counted from the grant. Half of the voters as a quorum.',
    example: 'conclave run quorum-lease -n 5 --crash 2@30 --until 100',
    cost: '2(n - 1) messages for each renewal, four renewals per lease',
    bounds: [],
  },
})
