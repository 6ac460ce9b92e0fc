import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { necklaces } from '../../../test/oracles.ts'
import { astray, crashes, overlaps, recoveries } from '../../../test/upheavals.ts'
import { observe, preparation, simulate } from '../../../test/worlds.ts'
import { check } from '../../check/index.ts'
import { leaderElection } from '../../problems/leader-election.ts'
import { ringList } from './ring-list.ts'

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]

/** The lists that came back to one who had signed them, in the order of their ends. */
function rounds(events: ReturnType<typeof observe>['events'], ids: readonly number[]): unknown[] {
  return events.flatMap((it) =>
    it.event === 'receive' && it.type === 'election'
      ? [it.body.ids as number[]].filter((signed) => signed.includes(ids[it.node]))
      : [],
  )
}

describe('what ring-list sends', () => {
  it('is 2 x initiators x live nodes, and the lists are the live ids from the initiator on', () => {
    const worlds = fc.integer({ min: 1, max: 12 }).chain((n) => {
      const nodes = [...Array(n).keys()]
      return fc.record({
        ids: fc.uniqueArray(fc.maxSafeNat(), { minLength: n, maxLength: n }),
        live: fc.subarray(nodes, { minLength: 1 }),
        starters: fc.subarray(nodes, { minLength: 1 }),
        delay: fc.constantFrom('unit', 'uniform:1:10', 'exponential:1'),
        order: fc.constantFrom('fifo', 'any'),
        seed: fc.nat(),
      })
    })
    fc.assert(
      fc.property(worlds, ({ live, starters, ...given }) => {
        const { ids } = given
        const dead = [...ids.keys()].filter((node) => !live.includes(node))
        const initiators = starters.filter((node) => live.includes(node))
        fc.pre(initiators.length > 0)
        const crash = dead.join() || 'none'
        const { events, result } = observe(ringList, { ...given, crash, wake: starters.join() })
        const trips = live.length === 1 ? 0 : initiators.length * live.length
        expect(result.messages.byType).toEqual({ election: trips, coordinator: trips })
        const lists = initiators.map((node) => {
          const at = live.indexOf(node)
          return [...live.slice(at), ...live.slice(0, at)].map((signer) => ids[signer])
        })
        const found = rounds(events, ids)
        expect(found).toHaveLength(trips === 0 ? 0 : lists.length)
        if (trips > 0) expect(found).toEqual(expect.arrayContaining(lists))
        expect(result.leader?.id).toBe(Math.max(...live.map((node) => ids[node])))
      }),
      { numRuns: 300 },
    )
  })

  it('with ids 0 to 7, 7 dead, 2 and 5 starting: 28 messages and the lists of text 004', () => {
    const { events, result } = observe(ringList, { ids: EIGHT, crash: '7', wake: '2,5' })
    expect(result.messages.total).toBe(28)
    expect(rounds(events, EIGHT)).toEqual([
      [2, 3, 4, 5, 6, 0, 1],
      [5, 6, 0, 1, 2, 3, 4],
    ])
  })

  it('goes once more to the next node when a node is reported dead', () => {
    const { sends, result } = observe(ringList, { ids: EIGHT, crash: '3@1.5' })
    const lists = sends.filter(({ node, type }) => node === 2 && type === 'election')
    expect(lists.map(({ at, to, body }) => [at, to, body.ids])).toEqual([
      [2, 3, [0, 1, 2]],
      [2.5, 4, [0, 1, 2]],
    ])
    expect(result.messages).toMatchObject({ total: 2 * 7 + 1, toDead: 1 })
  })

  it('is one message more where what is sent again had got through, be it of the largest', () => {
    for (const ids of [EIGHT, EIGHT.with(3, 9)]) {
      const { messages, leaders, leader } = simulate(ringList, { ids, crash: '3@3.5' })
      expect(messages.byType).toEqual({ election: 8 + 1, coordinator: 7 })
      expect([leaders, leader?.id]).toEqual([[7], 7])
    }
  })

  it('is one election of those who are left when the leader dies', () => {
    const { messages, leader } = simulate(ringList, { ids: EIGHT, crash: '7@30' })
    // The outcome was sent to the leader, too, and is sent again to the node behind it.
    expect(messages.byType).toEqual({ election: 8 + 7, coordinator: 8 + 1 + 7 })
    expect(leader?.id).toBe(6)
  })
})

describe('ring-list in random worlds', () => {
  it('has one leader at a time through all crashes, and the largest live one at the end', () => {
    fc.assert(
      fc.property(crashes, ({ longest: _, ...given }) => {
        const { result, events } = observe(ringList, given)
        expect(overlaps(events)).toEqual([])
        expect(astray(result)).toEqual([])
      }),
      { numRuns: 600 },
    )
  })

  it('has the largest live leader after recoveries; the old one stands for one trip', () => {
    fc.assert(
      fc.property(recoveries, ({ longest, ...given }) => {
        const { result, events } = observe(ringList, given)
        expect(astray(result)).toEqual([])
        const trip = given.ids.length * longest
        expect(overlaps(events).filter(({ from, to }) => to - from > trip)).toEqual([])
        // Nobody takes office who has been told that a larger one is back.
        const late = overlaps(events).filter((it) => it.elder > it.joined + given.detect)
        expect(late).toEqual([])
      }),
      { numRuns: 600 },
    )
  })

  it('ends well however late the detector is, and if messages are doubled', () => {
    const trouble = fc.record({ detect: fc.nat(40), duplicate: fc.constantFrom(0, 0.3, 1) })
    fc.assert(
      fc.property(recoveries, trouble, ({ longest: _, ...given }, late) => {
        const result = simulate(ringList, { ...given, ...late })
        expect(astray(result)).toEqual([])
        expect(result.messages.total).toBeLessThan(2000)
      }),
      { numRuns: 500 },
    )
  })
})

describe('ring-list in every interleaving', () => {
  it.each([
    ['nothing goes wrong', 3, null],
    ['one crashes in the middle of anything', 3, { crashes: 1 }],
    ['two crash', 3, { crashes: 2 }],
    ['a message is doubled', 2, { duplicates: 1 }],
  ] as const)('elects the largest live one when %s', (_, n, faults) => {
    for (const ids of necklaces(n)) {
      const { world } = preparation(ringList, { ids })
      const { exhausted, violated, properties } = check(world, {
        ...{ mode: 'untimed', order: 'fifo', wake: 'any', limits: { states: 1_000_000 } },
        properties: leaderElection.properties(faults !== null, true, true),
        ...(faults && { faults }),
      })
      expect({ exhausted, violated }).toEqual({ exhausted: true, violated: null })
      expect(properties.filter(({ holds }) => !holds)).toEqual([])
    }
  })
})

describe('ring-list', () => {
  it('finds a leader again whom one node could not reach', () => {
    const given = { ids: [3, 2, 4, 6, 1, 5], wake: '4', delay: 'constant:2', detect: 5 }
    const result = simulate(ringList, { ...given, crash: '2@8.5', cut: '5-3@4..20' })
    expect(astray(result)).toEqual([])
  })

  it('alone alive elects itself without a message, also when the others die one by one', () => {
    for (const given of [{ ids: [4] }, { ids: [4, 9, 5], crash: '1,2' }]) {
      const { messages, leader, time } = simulate(ringList, given)
      expect([messages.total, leader?.id, time.elected]).toEqual([0, 4, 0])
    }
    expect(simulate(ringList, { ids: [4, 9, 5], crash: '1@20,2@40' }).leader?.id).toBe(4)
  })

  it.each([
    ['the leader is suspected for a while', { suspect: '7@30..40' }, 7],
    ['another is', { suspect: '3@30..40' }, 7],
    ['the initiator is, while its list is on its way', { suspect: '0@2..20' }, 7],
    ['the network is parted for a while', { partition: '0,2,4/1,3,5,6,7@30..60' }, 7],
    ['a link is cut', { cut: '6-7@3..30' }, 7],
    ['the leader retires', { retire: '7@30' }, 6],
    ['it retires before it has won', { retire: '7@9' }, 6],
  ])('ends with one leader whom all follow when %s', (_, given, id) => {
    for (const delay of ['unit', 'uniform:1:10']) {
      const { nodes, leader } = simulate(ringList, { ids: EIGHT, delay, ...given })
      expect(leader?.id).toBe(id)
      expect(new Set(nodes!.map((node) => node.leader))).toEqual(new Set([id]))
    }
  })
})
