import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { necklaces } from '../../../test/support/oracles.ts'
import {
  astray,
  crashes,
  networkFaults,
  overlaps,
  recoveries,
} from '../../../test/support/random-faults.ts'
import { observe, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import { leaderElection } from '../../problems/leader-election.ts'
import { ringList } from './ring-list.ts'

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]

/** The lists that returned to a node in the list, in the order of their ends. */
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
      { numRuns: campaign(1_000) },
    )
  })

  it('with ids 0 to 7, 7 crashed, 2 and 5 starting: 28 messages, as in Zambonelli', () => {
    const { events, result } = observe(ringList, { ids: EIGHT, crash: '7', wake: '2,5' })
    expect(result.messages.total).toBe(28)
    expect(rounds(events, EIGHT)).toEqual([
      [2, 3, 4, 5, 6, 0, 1],
      [5, 6, 0, 1, 2, 3, 4],
    ])
  })

  it('is sent again to the next node when a node is reported as crashed', () => {
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

  it('is one election of the remaining nodes when the leader crashes', () => {
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
      { numRuns: campaign(2_000) },
    )
  })

  it('has one leader at a time through all recoveries, and the largest live one at the end', () => {
    fc.assert(
      fc.property(recoveries, ({ longest: _, shortest: __, ...given }) => {
        const { result, events } = observe(ringList, given)
        expect(astray(result)).toEqual([])
        // Except for two nodes that recovered before the detector could notify either of the other.
        const told = overlaps(events).filter(({ to, returns: [one, two] }) => {
          const apart = Math.abs(one - two)
          return !(apart <= given.detect) || to > Math.max(one, two) + given.detect
        })
        expect(told).toEqual([])
      }),
      { numRuns: campaign(2_000) },
    )
  })

  it('ends well however late the detector is, and if messages are duplicated', () => {
    const faults = fc.record({ detect: fc.nat(40), duplicate: fc.constantFrom(0, 0.3, 1) })
    fc.assert(
      fc.property(recoveries, faults, ({ longest: _, shortest: __, ...given }, late) => {
        const result = simulate(ringList, { ...given, ...late })
        expect(astray(result)).toEqual([])
        expect(result.messages.total).toBeLessThan(4000)
      }),
      { numRuns: campaign(1_000) },
    )
  })

  it('ends correctly when a node is suspected or cannot be reached for a while', () => {
    fc.assert(
      fc.property(networkFaults, (given) => {
        expect(astray(simulate(ringList, given))).toEqual([])
      }),
      { numRuns: campaign(1_000) },
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
      const { exhausted, violated, properties } = checkWorld(world, {
        ...{ mode: 'untimed', order: 'fifo', wake: 'any', limits: { states: 1_000_000 } },
        properties: leaderElection.properties(faults !== null, { lasting: true }),
        ...(faults && { faults }),
      })
      expect({ exhausted, violated }).toEqual({ exhausted: true, violated: null })
      expect(properties.filter(({ holds }) => !holds)).toEqual([])
    }
  })
})

describe('ring-list', () => {
  it.each([
    [
      'two nodes recover in turn',
      { n: 4, seed: 138, delay: 'uniform:1:5', detect: 0.5, wake: '3' },
      { crash: '3@0.25,0,2@19.53', recover: '3@13.74,2@22.99' },
    ],
    [
      'the old leader has lost the node before it',
      { n: 8, seed: 2495, delay: 'constant:1', detect: 0, wake: 'all' },
      { crash: '0@6.30,1@24.93,2@1.45,5@14,4@26', recover: '0@9.3,1@38.08,4@34' },
    ],
    [
      'an outcome reaches a node that has crashed and recovered since it was sent',
      { n: 3, seed: 406, delay: 'constant:2', detect: 3, wake: 'all' },
      { crash: '2@3.16', recover: '2@7.14' },
    ],
    [
      'an election ends twice and only some have heard of its leader before',
      { n: 5, seed: 132647, delay: 'constant:1', detect: 5, wake: 'all' },
      {
        crash: '1@31.91,1@32.16,2@23.52,3@1.9,3@21.11,4@7.68',
        recover: '1@31.99,1@32.57,2@25.05,3@19.02,3@36.71',
      },
    ],
  ])('has one leader at a time when %s', (_, world, faults) => {
    const { events, result } = observe(ringList, { ...world, ...faults })
    expect(overlaps(events)).toEqual([])
    expect(astray(result)).toEqual([])
  })

  it('has two leaders if the detector is too slow to notify one of the other', () => {
    // 0 and 1 recover after 2, the only live node, has crashed: both are alone from 4 to 5.
    const given = { ids: [1, 2, 3], crash: '0,1,2@2', recover: '0@3,1@3', detect: 2, wake: '2' }
    const { events, result } = observe(ringList, given)
    expect(overlaps(events)).toEqual([{ from: 4, to: 5, returns: [3, 3] }])
    expect(astray(result)).toEqual([])
  })

  it('does not wait for an election of a node that has retired since', () => {
    const given = { n: 3, seed: 14634, delay: 'uniform:1:10', order: 'any', wake: '2' }
    const { leader } = simulate(ringList, { ...given, retire: '2@7.11', crash: '0@29' })
    expect(leader?.node).toBe(1)
  })

  it('finds a leader again that one node could not reach', () => {
    const given = { ids: [3, 2, 4, 6, 1, 5], wake: '4', delay: 'constant:2', detect: 5 }
    const result = simulate(ringList, { ...given, crash: '2@8.5', cut: '5-3@4..20' })
    expect(astray(result)).toEqual([])
  })

  it('a single live node elects itself without a message, also after the other crashes', () => {
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
  ])('ends with one leader that all nodes follow when %s', (_, given, id) => {
    for (const delay of ['unit', 'uniform:1:10']) {
      const { nodes, leader } = simulate(ringList, { ids: EIGHT, delay, ...given })
      expect(leader?.id).toBe(id)
      expect(new Set(nodes!.map((node) => node.leader))).toEqual(new Set([id]))
    }
  })
})

/** A restarted process may have lost its state, even the stable part. */
it('a node that learns of a forgotten turn begins its next election with a later one', () => {
  const sent: { turn: number }[] = []
  const net = {
    ...{ n: 2, from: 1, links: [1], along: () => 1, places: () => 1, up: () => true },
    ...{ peer: () => 9, send: (_link: number, _kind: unknown, body: never) => sent.push(body) },
    ...{ lead: () => {}, follow: () => {}, withdraw: () => {} },
  }
  const my = ringList.layout.create(4, {})
  ringList.start(my, net as never)
  const told = ringList.kinds.find(({ name }) => name === 'coordinator')!
  told.handle(my, { by: 4, turn: 5, leader: 9 }, net as never)
  ringList.start(my, net as never)
  expect(sent.map(({ turn }) => turn)).toEqual([1, 5, 6])
})
