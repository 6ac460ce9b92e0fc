import { describe, expect, it } from 'vitest'
import { bully } from '../../../src/algorithms/complete/bully.ts'
import { leased } from '../../../src/algorithms/complete/lease/leased.ts'
import { quorumLease } from '../../../src/algorithms/complete/lease/quorum-lease.ts'
import { ringList } from '../../../src/algorithms/complete/ring-list.ts'
import { wireless } from '../../../src/algorithms/graph/wireless.ts'
import { check, type ExplorationOptions } from '../../../src/api/check.ts'
import { checkModel } from '../../../src/api/check-model.ts'
import { checkWorld as explore } from '../../../src/check/index.ts'
import type { Algorithm, Property } from '../../../src/core/index.ts'
import { complete } from '../../../src/core/networks/complete.ts'
import { sample } from '../../support/campaign.ts'
import * as mistakes from '../../support/lease-mistakes.ts'

/*
 * The lease of a quorum, explored within bounds, and the same with planted mistakes. Times are in
 * units of one message delay. Terms, requests and nonces are counted without end, so their numbers
 * are bounded; each world says how far it goes.
 */

const LONG = process.env.LONG_TESTS !== undefined
const NETWORK = complete(3)
const HOLDER = 'one holder at a time'
const TOKENS = 'tokens grow'

type Options = ExplorationOptions & { readonly bound?: Readonly<Record<string, number>> }

/** One node starts, the others are woken by its poll; a random delay has its smallest value. */
const ONE = {
  ...{ n: 3, ids: '1,2,3', wake: '2', detect: 'off', timeouts: 1, unchecked: true },
  ...{ set: { lease: 4, drift: 0 }, bound: { term: 2, number: 5, age: 4 }, states: 20_000_000 },
} as const satisfies Options

/** All nodes start together, in the order of their ids. */
const ALL = { ...ONE, wake: 'all' } as const

/** Any node stands, at the beginning or a lease later. */
const ANY = { ...ALL, timeouts: 2, set: { lease: 4, drift: 0, stands: 'any' } } as const

const explored = (definition: Algorithm, options: Options) => {
  const { holds, exhausted, violated, states } = check(definition, options)
  return { holds, exhausted, violated: violated?.property ?? null, states }
}

const SOUND = { holds: true, exhausted: true, violated: null }

describe('the lease of a quorum', () => {
  const few = { bound: { term: 2, number: 4, age: 3 } }
  const fewest = { term: 2, number: 3, age: 2 }
  const doubled = { ...ALL, duplicates: 1, order: 'any' } as const
  const worlds: [what: string, options: Options][] = [
    ['whoever stands', ANY],
    ['with a crash and a recovery', { ...ONE, crashes: 1, recoveries: 1 }],
    ['with a recovery without memory', { ...ONE, crashes: 1, amnesia: 1 }],
    ['with a loss', { ...ALL, losses: 1 }],
    ['with a duplicate that overtakes others', { ...doubled, bound: fewest }],
    ['with a pause', { ...ONE, ...few, pauses: 1 }],
    ['with a partition, also of one direction', { ...ALL, partitions: 1, oneWay: true }],
  ]
  const drifting = { drift: 1, set: { lease: 4, drift: 0, margin: 2 } }
  const long: typeof worlds = [
    ['with a duplicate that overtakes others, further', { ...doubled, ...few }],
    ['with clocks that drift', { ...ONE, ...drifting, bound: fewest }],
    ['with messages of one or two units', { ...ALL, mode: 'clocked:2', bound: few.bound }],
    ['whoever stands, with a recovery without memory', { ...ANY, crashes: 1, amnesia: 1 }],
    ['whoever stands, with a crash and a recovery', { ...ANY, ...few, crashes: 1, recoveries: 1 }],
    ['whoever stands, with two losses', { ...ANY, losses: 2 }],
    ['whoever stands, with a pause', { ...ANY, ...few, pauses: 1 }],
  ]
  it.each(LONG ? [...worlds, ...long] : sample(worlds, 4))('%s', (_, options) => {
    expect(explored(quorumLease, options)).toMatchObject(SOUND)
  })
})

describe('leases that an election proposes', () => {
  const world = { ...ALL, set: { lease: 4, drift: 0, fallback: 1 }, detect: 1 } as const
  const faults: [what: string, options: Options][] = [
    ['', {}],
    ['with a crash and a recovery', { crashes: 1, recoveries: 1 }],
    ['with a recovery without memory', { crashes: 1, amnesia: 1 }],
    ['with a pause', { pauses: 1 }],
    ['with a duplicate that overtakes others', { duplicates: 1, order: 'any' }],
  ]
  const proposers = [bully, ringList, wireless]
  const cases = proposers.flatMap((nominator) =>
    (LONG ? faults : faults.slice(0, 1)).map(
      ([what, options]) => [`${nominator.name} ${what}`, nominator, options] as const,
    ),
  )
  it.each(cases)('%s', (_, nominator, options) => {
    const bound = { term: 2, number: 4, age: 3 }
    expect(explored(leased(nominator), { ...world, bound, ...options })).toMatchObject(SOUND)
  })
})

describe('a planted mistake is found', () => {
  const { fromTheGrant, oneTermToTwo, halfSuffices, persistsLate } = mistakes
  const { grantsAfterRestart, termsForgotten } = mistakes
  const restarted = { ...ONE, crashes: 1, recoveries: 1, cuts: 1 } as const
  const further = { bound: { term: 2, number: 7, age: 6 } }
  const longer = { set: { lease: 6, drift: 0 }, bound: { term: 2, number: 6, age: 5 } }
  type Planted = [what: string, broken: string, definition: Algorithm, options: Options]
  const found: Planted[] = [
    ['the lease is counted from the grant', HOLDER, fromTheGrant, { ...ONE, pauses: 1 }],
    ['one term to two', TOKENS, oneTermToTwo, { ...ONE, crashes: 1 }],
    [
      ...(['half of the voters', HOLDER, halfSuffices] as const),
      { ...ALL, n: 4, ids: '1,2,3,4', partitions: 1 },
    ],
    ['grants at once after a restart', HOLDER, grantsAfterRestart, { ...restarted, ...longer }],
    ['answers before the disk has it', TOKENS, persistsLate, restarted],
  ]
  const long: Planted[] = [
    [
      ...(['terms forgotten', TOKENS, termsForgotten] as const),
      { ...ONE, ...further, crashes: 2, recoveries: 1 },
    ],
    [
      ...(['fast clocks without a margin', HOLDER, quorumLease] as const),
      { ...ONE, ...longer, bound: { term: 2, number: 4, age: 3 }, drift: 3, pauses: 1 },
    ],
  ]
  it.each(LONG ? [...found, ...long] : sample(found, 4))('%s', (_, broken, definition, options) => {
    expect(explored(definition, options)).toMatchObject({ holds: false, violated: broken })
  })
})

/** Explores a world in which states tell for how long nobody has led. */
function patiently(definition: Algorithm, property: Property, world: object, asked: object) {
  const scenario = { wake: 'all', detect: 'off', set: ['lease=4', 'drift=0'], ...world }
  const { target, model } = checkModel({ definition, ownProperties: [] }, scenario, asked, {
    where: (option) => option,
  })
  const limits = { states: 5_000_000 }
  return explore(target.world, { ...model, patience: 30, properties: [property], limits })
}

describe('two candidates that collide', () => {
  const inTime: Property = {
    name: 'a leader within two leases',
    when: 'always',
    broken: ({ leaderless = 0 }) => (leaderless > 2 * 10 ? 'nobody leads' : null),
  }
  const set = ['lease=10', 'drift=0', 'stands=any']
  const asked = { timeouts: 6, bound: { term: 5, number: 20, age: 20 } }

  it('do not collide again and again', () => {
    const { exhausted, violated } = patiently(quorumLease, inTime, { n: 2, ids: '1,2', set }, asked)
    expect({ exhausted, violated }).toEqual({ exhausted: true, violated: null })
  })
})

/** In no run a node keeps a majority bound though nobody has led for three leases. */
describe('a deaf leader', () => {
  const keepsOthersOut: Property = {
    name: 'nobody keeps the others out',
    when: 'always',
    broken({ leaderless = 0, n, state, alive, name }) {
      if (leaderless <= 3 * 4) return null
      const holders = Array.from({ length: n }, (_, node) => node)
        .filter((node) => alive(node) && state(node).promised === true)
        .map((node) => {
          const link = state(node).holder as number | null
          return link === null ? node : NETWORK.neighbor(node, link)
        })
      const keeper = holders.find((one) => 2 * holders.filter((it) => it === one).length > n)
      return keeper === undefined ? null : `${name(keeper)} keeps a majority bound`
    },
  }

  function keeper(definition: Algorithm) {
    const bound = { term: 2, age: 9 }
    const asked = { partitions: 1, oneWay: true, timeouts: 1, bound }
    return patiently(definition, keepsOthersOut, { n: 3, ids: '1,2,3' }, asked)
  }

  it.runIf(LONG)('keeps the others out if it goes on renewing', () => {
    const { violated } = keeper(mistakes.goesOnRenewing)
    expect(violated?.property).toBe('nobody keeps the others out')
  })

  it.runIf(LONG)('does not otherwise', () => {
    expect(keeper(quorumLease)).toMatchObject({ exhausted: true, violated: null })
  })
})
