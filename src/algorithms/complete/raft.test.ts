import { describe, expect, it } from 'vitest'
import { preparation, simulate } from '../../../test/support/random-worlds.ts'
import { factsForBounds } from '../../sim/bounds.ts'
import { raft } from './raft.ts'

const PATIENCE = 10

/** Draws of all nodes: the timeouts of `first`, in order, and a late one for every other node. */
function timeouts(n: number, first: readonly (readonly number[])[]): string {
  return Array.from({ length: n }, (_, node) => first[node] ?? [2 * PATIENCE])
    .map((drawn, node) => `${node}:${drawn.map((timeout) => timeout - PATIENCE)}`)
    .join(';')
}

const RULES = { off: { trips: 1, prevote: 'off' }, on: { trips: 2, prevote: 'on' } } as const

describe.each(Object.values(RULES))('raft, prevote=$prevote', ({ trips, prevote }) => {
  const set = { prevote }

  it.each([1, 2, 3, 4, 5, 8])('one node times out first, n = %i', (n) => {
    for (const a of [10, 12, 17]) {
      const leadsAt = n === 1 ? a : a + 2 * trips
      const coins = timeouts(n, [[a, 20]])
      const { messages, leads, time, nodes } = simulate(raft, { n, coins, set, until: leadsAt })
      expect(leads).toEqual([{ time: leadsAt, node: 0, term: 1 }])
      const { heartbeat, ...election } = messages.byType
      const total = Object.values(election).reduce((sum, count) => sum + count)
      expect(total).toBe(2 * trips * (n - 1))
      expect(heartbeat).toBe(n - 1)
      const beats = 7
      const long = simulate(raft, { n, coins, set, until: leadsAt + 3 * beats + 2 })
      expect(long.messages.total - total).toBe(2 * (n - 1) * (beats + 1))
      // All follow one delay later.
      expect(long.time.stable).toBe(n === 1 ? leadsAt : leadsAt + 1)
      expect(long.verdict.ok).toBe(true)
      expect(time.elected).toBe(leadsAt)
      expect(nodes?.[0].state).toMatchObject({ term: 1, role: 'leader' })
    }
  })

  it('takes no fewer messages and no less time than the best cases say, in any run', () => {
    const [fewest, soonest] = raft.theory.bounds
    for (let seed = 1; seed <= 40; seed++) {
      const given = { n: 1 + (seed % 7), seed, set, until: 150 }
      const { world, conditions } = preparation(raft, given)
      const facts = factsForBounds(world, conditions)
      const { messages, time } = simulate(raft, given)
      expect(messages.total).toBeGreaterThanOrEqual(fewest.value(facts))
      expect(soonest.when!(facts)).toBe(true)
      expect(time.elected).toBeGreaterThanOrEqual(soonest.value(facts))
      const alone = { ...given, coins: timeouts(given.n, [[PATIENCE]]), until: 14 }
      expect(simulate(raft, alone).time.elected).toBe(soonest.value(facts))
    }
  })

  it('splits the vote where so many time out at once that nobody has a majority', () => {
    for (const n of [2, 3, 4, 5, 6, 7])
      for (let m = 1; m <= n; m++) {
        const first = Array.from({ length: m }, () => [12, 20])
        const { leads } = simulate(raft, { n, coins: timeouts(n, first), until: 19 })
        const splits = n - m + 1 <= n / 2
        expect(leads ?? []).toEqual(splits ? [] : [{ time: 14, node: 0, term: 1 }])
      }
  })

  it('of four that split, the next to time out leads in term 2', () => {
    const first = [11, 15, 17, 19].map((next) => [12, next])
    const { leads } = simulate(raft, { n: 4, coins: timeouts(4, first), set, until: 60 })
    expect(leads).toEqual([{ time: prevote === 'on' ? 29 : 25, node: 0, term: 2 }])
  })

  it('a node that is woken by a request takes part', () => {
    const { verdict, nodes } = simulate(raft, { n: 4, wake: '2', set, until: 200 })
    expect(verdict.ok).toBe(true)
    expect(nodes?.map(({ status }) => status)).toEqual(['lost', 'lost', 'leader', 'lost'])
  })

  it('has no leader, and violates nothing, while half of the nodes are dead', () => {
    for (const n of [2, 4, 5]) {
      const dead = Array.from({ length: Math.ceil(n / 2) }, (_, i) => i).join()
      const { verdict, time, leads = [] } = simulate(raft, { n, crash: dead, set, until: 300 })
      expect(leads).toEqual([])
      expect(verdict.ok).toBe(true)
      expect(verdict.properties.map(({ detail }) => detail)).toEqual([
        'No two nodes ever lead in the same term.',
        'nothing is promised: no majority of the voters is alive',
      ])
      expect(time.stable).toBeNull()
    }
  })

  it('elects nobody whose log is shorter than those of a majority', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { leads = [], verdict } = simulate(raft, {
        ...{ n: 5, values: '0,1,3,3,3', set, seed, until: 400 },
      })
      expect(verdict.ok).toBe(true)
      expect(leads.filter(({ node }) => node < 2)).toEqual([])
    }
  })
})

describe('the returning server', () => {
  const runs = (prevote: 'on' | 'off') =>
    Array.from({ length: 20 }, (_, seed) =>
      simulate(raft, {
        ...{ n: 5, seed, partition: '2/0,1,3,4@50..250', until: 400, set: { prevote } },
      }),
    )
  const cutOff = ({ leads = [] }: { leads?: readonly { node: number; time: number }[] }) =>
    leads.some(({ node, time }) => node === 2 && time < 50)

  it('without pre-votes comes back in a later term, and the leader falls', () => {
    const others = runs('off').filter((run) => !cutOff(run))
    expect(others.length).toBeGreaterThan(10)
    const fallen = others.filter(({ leads = [] }) => leads.some(({ time }) => time > 250))
    expect(fallen.length).toBeGreaterThan(others.length / 2)
    const largest = Math.max(...others.map(({ leads = [] }) => leads.at(-1)!.term!))
    expect(largest).toBeGreaterThanOrEqual(10)
  })

  it('with pre-votes stays in its term, and the leader leads on', () => {
    for (const { leads = [], nodes = [] } of runs('on').filter((run) => !cutOff(run))) {
      expect(leads.every(({ time }) => time < 50)).toBe(true)
      expect(new Set(nodes.map(({ state }) => state.term))).toEqual(new Set([leads.at(-1)!.term]))
    }
  })
})

describe('a pre-vote', () => {
  /**
   * Node 0 leads at 16 and sends heartbeats at 16 and 19, then dies: the others hear the last at
   * 20. Node 1 hears none after `cut`, so it asks early.
   */
  const asked = (timeout: number) =>
    simulate(raft, {
      ...{ n: 3, set: { prevote: 'on' }, crash: '0@21', detect: 'off', until: 60 },
      cut: '0to1@18..30',
      coins: `0:2;1:5,${timeout - PATIENCE};2:10`,
    })

  it('is granted from the moment on at which the last heartbeat is patience old', () => {
    // Node 1 last heard at 17. Its request arrives one unit after it asks; node 2 heard at 20.
    const early = asked(11)
    const late = asked(12)
    expect(early.leads?.[1]).not.toMatchObject({ node: 1, time: 17 + 11 + 4 })
    expect(late.leads?.[1]).toEqual({ node: 1, time: 17 + 12 + 4, term: 2 })
  })
})

describe('the parameters of raft', () => {
  it('refuse times in which nothing could happen between two events', () => {
    for (const set of [{ patience: 0 }, { beat: 0 }])
      expect(() => simulate(raft, { n: 3, set })).toThrow('must be above 0')
  })
})
