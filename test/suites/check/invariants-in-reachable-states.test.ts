import { describe, expect, it } from 'vitest'
import { catalogue, lcr, leLann, raft } from '../../../src/algorithms/index.ts'
import {
  type Algorithm,
  type Clauses,
  LED,
  type Message,
  type Uid,
  type uid,
} from '../../../src/core/index.ts'
import { invariantOf } from '../../../src/core/language/clause.ts'
import { sample } from '../../support/campaign.ts'
import { failingInCluster } from '../../support/prove/reachable-clusters.ts'
import { failingClauses, ringOrders } from '../../support/reachable-states.ts'

/** With more nodes the naive search takes minutes, of hirschberg-sinclair most. */
const TIMEOUT = 900_000
const MOST_NODES = process.env.LONG_TESTS === undefined ? 3 : 4

const stating = catalogue
  .filter(
    ({ needs, invariant }) => needs.topology === 'ring' && Object.keys(invariant()).length > 0,
  )
  .map((algorithm) => [algorithm.name, algorithm] as const)

/** Only the proof of le-lann rests on the order of messages. */
const rulesOf = (algorithm: Algorithm) =>
  ({ wake: 'any', order: algorithm === leLann ? 'fifo' : 'any' }) as const

describe('what definitions state as invariant', () => {
  it('is stated by these', () => {
    expect(stating.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        ...['lcr', 'chang-roberts', 'franklin', 'le-lann'],
        ...['hirschberg-sinclair', 'hirschberg-sinclair-one-way'],
      ]),
    )
  })

  const options = { timeout: TIMEOUT }
  it.each(sample(stating, 2))(
    'holds in all reachable states of small rings: %s',
    options,
    (_, algorithm) => {
      for (let n = 1; n <= MOST_NODES; n++)
        for (const ids of ringOrders(n)) {
          const { failing } = failingClauses(algorithm, ids, rulesOf(algorithm))
          expect({ ids, failing }).toEqual({ ids, failing: [] })
        }
    },
  )

  it.each(sample(stating, 2))('holds where messages are lost: %s', (_, algorithm) => {
    for (const ids of [[1], [2, 1]]) {
      const { failing } = failingClauses(algorithm, ids, { ...rulesOf(algorithm), losses: 2 })
      expect(failing).toEqual([])
    }
  })
})

describe('what raft states as invariant', () => {
  const clauses = raft.invariant()

  it('holds in all reachable states of two nodes, whatever is lost, doubled and late', () => {
    for (const n of [1, 2]) {
      const { failing, states } = failingInCluster(raft, clauses, n, { bounds: { term: 2 } })
      expect({ failing, few: states < 3 }).toEqual({ failing: [], few: false })
    }
  })

  it('holds with crashes and recoveries', () => {
    const faults = { crashes: 1, recoveries: 1, detect: 'off' } as const
    const { failing } = failingInCluster(raft, clauses, 2, { bounds: { term: 1 }, faults })
    expect(failing).toEqual([])
  })

  // Whose votes a leader had is not known of three nodes.
  it('holds of three nodes as far as it does not speak of votes for leaders', () => {
    const others = Object.entries(clauses).filter(([, { messages }]) => !messages.includes(LED))
    const { failing } = failingInCluster(raft, Object.fromEntries(others), 3, {
      bounds: { term: 1 },
    })
    expect(others.length).toBeGreaterThan(5)
    expect(failing).toEqual([])
  })
})

describe('what is false fails', () => {
  it('that nobody votes for another, and that nobody leads', () => {
    const stated = invariantOf(
      'tested',
      ({ nodes, each }: Clauses<{ id: Uid; voted: Uid | null }>) => ({
        'nobody votes for another': nodes(2, (a, b) => a === b || a.voted !== b.id),
        'nobody leads': each(LED).and(0, () => false),
      }),
    )()
    const { failing } = failingInCluster(raft, stated, 2, { bounds: { term: 1 } })
    expect(failing.toSorted()).toEqual(Object.keys(stated).toSorted())
  })

  it('an arc that is turned round', () => {
    const [message] = lcr.invariant()['ELECTION travels left'].messages
    const ELECTION = message as Message<{ id: typeof uid }>
    const turned = invariantOf('tested', ({ each }: Clauses<{ id: Uid }>) => ({
      'an id has yet to pass only smaller ones': each(ELECTION).and(
        2,
        (m, owner, b, ring) => m.id !== owner.id || !ring.inside(m.to, b, owner) || b.id < owner.id,
      ),
    }))()
    const { failing } = failingClauses(lcr, [3, 1, 2], rulesOf(lcr), turned)
    expect(failing).toEqual(Object.keys(turned))
  })

  it('the order of tokens where they overtake each other', () => {
    const { failing } = failingClauses(leLann, [3, 2, 1], { wake: 'any', order: 'any' })
    expect(failing).toContain('a token stays behind those of the candidates that it has passed')
  })
})
