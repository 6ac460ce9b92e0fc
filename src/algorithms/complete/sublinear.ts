import {
  type Algorithm,
  algorithm,
  flag,
  link,
  list,
  type My,
  maybe,
  message,
  type NetOf,
  type NetworkFacts,
  nat,
  pair,
  timer,
} from '../../core/index.ts'
import { implicitElection, leaderElection } from '../../problems/index.ts'
import { timeTogether, worstMessages } from '../bounds.ts'

/** A number below n^4 in two digits to the base n^2, each of which a float64 holds. */
const rank = pair(nat, nat)
type Rank = readonly [number, number]

const CANDIDATE = message({ rank })
const BEST = message({ rank })
const LEADER = message({})
const ANSWER = timer()
const DECIDE = timer()

const needs = {
  topology: 'complete',
  knows: ['n'],
  time: 'rounds',
  start: 'together',
  coins: true,
} as const
const state = { rank: maybe(rank), best: maybe(rank), askers: list(link), beaten: flag }
type Me = My<typeof needs, typeof state>
type Network = NetOf<typeof needs>

/** The probability to stand as a candidate, and how many referees a candidate asks. */
export const candidacy = (n: number): number => Math.min(1, (2 * Math.log(n)) / n)
export const referees = (n: number): number =>
  Math.min(n - 1, Math.ceil(2 * Math.sqrt(n * Math.log(n))))

/**
 * Kutten, Pandurangan, Peleg, Robinson and Trehan 2013. About 2 ln n anonymous nodes stand as
 * candidates, draw a rank below n^4 and ask 2 sqrt(n ln n) random referees for the largest rank
 * that they have heard. Two candidates almost surely share a referee, so only the largest is not
 * beaten. 4 r ln n messages are expected with r referees, fewer than n for large n, in three
 * rounds. The election is implicit, and fails with a chance of about n^-2: mostly because nobody
 * stands.
 */
export const sublinear = algorithm({
  name: 'sublinear',
  needs,
  messages: { CANDIDATE, BEST, LEADER },
  announcement: 'LEADER',
  timers: { ANSWER, DECIDE },
  params: {
    announce: {
      says: 'on: the leader tells all others, with n - 1 messages',
      choices: ['off', 'on'],
      value: () => 'off',
    },
  },
  variant: ({ announce }) => (announce === 'on' ? explicit() : null),
  problem: implicitElection,
  elects: 'another',
  state,
  wakes: true,

  start(my, net) {
    if (net.n === 1) return win(my, net)
    if (!net.chance(candidacy(net.n))) return net.follow(null)
    my.rank = [net.choose(net.n ** 2), net.choose(net.n ** 2)]
    my.best = my.rank
    for (const referee of randomLinks(referees(net.n), net))
      net.send(referee, CANDIDATE, { rank: my.rank })
    net.after(2, DECIDE)
  },

  on: {
    CANDIDATE(my, { rank: [high, low] }, net) {
      my.best = largest(my.best, [high, low])
      my.askers.push(net.from)
      net.after(0, ANSWER)
    },
    // After a recovery without candidacy the answer is to a question of the former life.
    BEST(my, { rank }) {
      if (my.rank !== null && isAbove(rank, my.rank)) my.beaten = true
    },
    LEADER(_, __, net) {
      net.follow(null)
      net.stop()
    },
  },

  // Timers of a round come after its messages.
  timeout: {
    ANSWER(my, net) {
      for (const asker of my.askers) net.send(asker, BEST, { rank: my.best! })
    },
    DECIDE(my, net) {
      if (!my.beaten) return win(my, net)
      net.follow(null)
      net.stop()
    },
  },

  display: {
    active: ({ rank, beaten, status }) => status === 'asleep' || (rank !== null && !beaten),
    group: {
      name: 'role: candidate or referee',
      of: ({ rank, askers }) =>
        rank !== null ? 'candidate' : askers.length > 0 ? 'referee' : null,
    },
    badge: { name: 'the largest rank known', of: ({ best }) => (best === null ? null : best[0]) },
    decides: { CANDIDATE: 'rank', BEST: 'rank' },
  },

  reasons: {
    CANDIDATE: ({ best }, { rank }) =>
      best === null || isAbove(rank, best)
        ? 'is a referee: this is the largest rank that it has heard'
        : 'is a referee: it knows a rank at least as large',
    BEST: (my, { rank }) =>
      my.rank === null
        ? 'has recovered since it asked, and is no candidate: it ignores the answer'
        : isAbove(rank, my.rank)
          ? 'is beaten: the referee has heard of a larger rank'
          : 'stays: the referee has heard of no larger rank',
    LEADER: () => 'learns that a leader is elected',
    ANSWER: ({ askers }) => `tells ${askers.length} candidates the largest rank that it knows`,
    DECIDE: ({ beaten }) =>
      beaten ? 'has lost' : 'becomes leader: no referee has heard of a larger rank',
  },

  theory: {
    title: 'Sublinear randomised election',
    authors: 'Kutten, Pandurangan, Peleg, Robinson and Trehan 2013',
    texts: [],
    idea: 'Each node stands as a candidate with probability 2 ln n / n; all others have lost at once. A candidate draws a random rank from n^4 numbers and sends it to r = 2 sqrt(n ln n) random referees. A referee answers all who asked it with the largest rank that it has heard, its own included if it is a candidate. A candidate that hears of no larger rank leads. Nobody announces it, unless announce=on is set.',
    because:
      'About 2 ln n nodes stand, and nobody with a chance of about n^-2 only. Two candidates with r random referees each have one in common but for a chance of about n^-4, so of two candidates the smaller hears of the larger. Ranks are equal with a chance of n^-4 for a pair.',
    breaks:
      'Bad luck, with a stated chance. Messages that take longer than a round: referees answer before all candidates have asked. A referee that forgets its own rank: with n = 2 both nodes lead in almost half of the runs.',
    example: 'conclave run sublinear -n 64',
    cost: '4 r ln n messages expected with r = 2 sqrt(n ln n); may fail',
    bounds: [
      worstMessages('2 r n, r = ceil(2 sqrt(n ln n))', ({ n }) => 2 * referees(n) * n),
      {
        of: 'messages',
        kind: 'average',
        formula: '2 r n p, p = 2 ln n / n',
        value: ({ n }) => 2 * referees(n) * n * candidacy(n),
        where: 'over the random choices',
      },
      timeTogether('2', () => 2),
    ],
    fails: failure,
  },
})

function win({ announce }: Me & { readonly announce: string }, net: Network): void {
  net.lead()
  if (announce === 'on') net.sendAll(LEADER, {})
  net.stop()
}

function isAbove([high, low]: Rank, [otherHigh, otherLow]: Rank): boolean {
  return high > otherHigh || (high === otherHigh && low > otherLow)
}

function largest(one: [number, number] | null, other: [number, number]): [number, number] {
  return one !== null && isAbove(one, other) ? one : other
}

/** A uniformly random set of links of this size (Floyd's method). */
function randomLinks(size: number, net: Network): Iterable<number> {
  const { links } = net
  if (size === links.length) return links
  const chosen = new Set<number>()
  for (let last = links.length - size; last < links.length; last++) {
    const drawn = links[net.choose(last + 1)]
    chosen.add(chosen.has(drawn) ? links[last] : drawn)
  }
  return chosen
}

/** With the announcement the others know that somebody leads. */
function explicit(): Algorithm {
  return { ...sublinear, problem: leaderElection }
}

/**
 * The chance to fail. Nobody stands with (1 - p)^n. With c candidates the largest of N = n^4 ranks
 * is drawn twice with c / 2N, less c(c - 1) / 12N^2 for c > 2 and terms of N^-4. A candidate misses
 * a larger one if its r referees are neither that one nor asked by it: with chance q, for some of
 * them with at most (c - 1) q. Up to about 60 nodes, where q is 0, this is exact.
 */
function failure({ n }: Pick<NetworkFacts, 'n'>): number {
  if (n === 1) return 0
  const p = candidacy(n)
  const nobody = (1 - p) ** n
  const ranks = n ** 4
  const alone = n * p * (1 - p) ** (n - 1)
  const pairs = n * (n - 1) * p * p * (1 - (1 - p) ** (n - 2))
  const tied = (n * p - alone) / (2 * ranks) - pairs / (12 * ranks * ranks)
  const others = n * p - 1 + nobody
  return nobody + tied + others * missing(n)
}

/** The chance that no referee of a candidate is, or was asked by, a certain other candidate. */
function missing(n: number): number {
  const r = referees(n)
  const among = (marked: number) => {
    let chance = 1
    for (let i = 0; i < r; i++) chance *= Math.max(0, n - 1 - marked - i) / (n - 1 - i)
    return chance
  }
  const asked = r / (n - 1)
  return asked * among(r) + (1 - asked) * among(r + 1)
}
