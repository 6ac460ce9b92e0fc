import { describe, expect, it } from 'vitest'
import { quorumLease } from '../../../src/algorithms/complete/lease/quorum-lease.ts'
import type { Algorithm, Property } from '../../../src/core/index.ts'
import { sample } from '../../support/campaign.ts'
import { type Adversary, directedSearch, type Passage } from '../../support/directed-search.ts'
import * as mistakes from '../../support/lease-mistakes.ts'

/*
 * Mistakes in quorum-lease that take five voters, or messages that are slower than a lease: too
 * much for a search of everything that could happen. Here an adversary does only some of it, and
 * all its schedules are explored. With the mistake it does harm, and without it does not.
 */

/** Positions. A and D stand for leadership, the others only vote. */
const [A, B, C, X, D] = [0, 1, 2, 3, 4]
const CANDIDATES = 8

interface World {
  readonly ids: string
  readonly lease: number
  readonly bound: Readonly<Record<string, number>>
  readonly adversary: Adversary
  readonly amnesia?: number
  readonly property?: Property
  readonly order?: 'fifo' | 'any'
}

function explored(definition: Algorithm, { ids, lease, bound, adversary, ...rest }: World) {
  const { amnesia = 0, property, order = 'any' } = rest
  const set = [`lease=${lease}`, 'drift=0']
  return directedSearch(mistakes.witnesses(definition, CANDIDATES), {
    scenario: { n: ids.split(',').length, ids, wake: `${A}`, detect: 'off', order, set },
    asked: { crashes: 1, amnesia, timeouts: 1, bound },
    ...{ adversary, ...(property && { property, patience: 3 * lease }) },
  })
}

function isFirstOf({ body }: Passage): boolean {
  return body.incarnation === '1'
}

/**
 * X grants a term to A and forgets it. Learning at once, it hears of no such term from B, C and D.
 * Then the same request of A reaches B, and A leads with A, B and X. Having waited, X grants the
 * term again, to D. Four voters are too few for this: X would have to ask A.
 */
const learning: World = {
  ...{ ids: '9,1,2,3,8', lease: 6, bound: { term: 2, number: 4, age: 9 }, amnesia: 1 },
  adversary: {
    ...{ crashes: X, when: ({ promised }) => promised === true, unordered: X },
    takes({ word, from, to, body }) {
      if (from !== A || to === X) return 'one'
      if (to !== B || body.leads === true) return 'never'
      return word === 'ASK' ? 'any' : 'one'
    },
  },
}

/**
 * X alone grants a term to A, and the release of it is slow. A forgets the term, hears of none from
 * B, C and D, and stands in it again. If X takes that for a renewal, A leads with A, B and X, but X
 * has still promised to the first incarnation of A. So its release, when it comes at last, frees
 * X for D, while A leads. Four voters are too few for this, too: A would have to ask X.
 */
const renewal: World = {
  ...{ ids: '9,1,2,3,8', lease: 8, bound: { term: 2, number: 7, age: 9 }, amnesia: 1 },
  adversary: {
    ...{ crashes: A, when: ({ number }) => number === 3, unordered: X },
    takes(message) {
      const { word, from, to, body } = message
      const early = (body.number as number) < 3
      if (from === D && to !== A) return early ? 'never' : 'one'
      if (word === 'LEARNED') return from === X ? 'never' : 'one'
      // A needs a nonce of X, and then a poll that X does not answer first.
      if (word === 'READY' && to === A && !isFirstOf(message))
        return early && from !== X ? 'never' : 'one'
      if (from !== A) return 'one'
      if (!isFirstOf(message)) return word === 'ASK' && (to === C || to === D) ? 'never' : 'one'
      if (to === X) return word === 'RELEASE' ? 'any' : 'one'
      return to === B && word !== 'ASK' ? 'one' : 'never'
    },
  },
}

const inTime: Property = {
  name: 'a leader within three leases',
  when: 'always',
  broken: ({ leaderless = 0 }) => (leaderless > 3 * 6 ? 'nobody leads' : null),
}

/**
 * The renewals of A to C are slow, and A crashes. Each of them that arrives later binds C again, so
 * that B cannot lead: unless C refuses requests that echo no recent nonce.
 */
const late: World = {
  ...{ ids: '9,8,7', lease: 6, bound: { term: 3, number: 8, age: 20 }, order: 'fifo' },
  adversary: {
    ...{ crashes: A, when: ({ number }) => number === 6 },
    takes: ({ word, from, to, body }) =>
      from === A && to === C && word === 'ASK' && body.leads === true ? 'any' : 'one',
  },
  property: inTime,
}

/**
 * The grants of some renewals never arrive, and the lease of A, who alone stands, runs out. Its
 * term is over; if A went on renewing it, nobody would be free for another.
 */
const lapsed: World = {
  ...{ ids: '9,2,1', lease: 6, bound: { term: 3, number: 30, age: 20 } },
  adversary: {
    ...{ crashes: A, when: () => false },
    takes: ({ word, to, body }) =>
      to === A && word === 'GRANT' && [3, 4, 5, 6, 7].includes(body.number as number)
        ? 'never'
        : 'one',
  },
  property: inTime,
}

describe('a planted mistake is found among the schedules of an adversary', () => {
  const planted = [
    ['learns before it waits', 'tokens grow', mistakes.learnsFirst, learning],
    [
      ...(['a renewal without incarnation', 'one holder at a time'] as const),
      ...([mistakes.renewsAnyIncarnation, renewal] as const),
    ],
    ['no echo', inTime.name, mistakes.noEcho, late],
    ['renewals after the lease has run out', inTime.name, mistakes.goesOnRenewing, lapsed],
  ] as const
  it.each(sample(planted, 2))('%s', (_, broken, mistaken, world) => {
    expect(explored(mistaken, world)).toMatchObject({ violated: broken })
    expect(explored(quorumLease, world)).toMatchObject({ exhausted: true, violated: null })
  })
})
