import { check, experiment, raft, simulate, type TraceEvent } from 'conclave'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import withPreVotes from '../../../examples/raft.ts'
import { type CheckOptions, checkWorld as explore } from '../../../src/check/index.ts'
import { oneLeaderPerTerm } from '../../../src/problems/index.ts'
import { campaign, sample } from '../../support/campaign.ts'
import { compiled } from '../../support/mutant.ts'
import { preparation } from '../../support/random-worlds.ts'

const ONE = 'one leader per term'

/** A reader of traces of its own: the terms in which more than one node led. */
function sharedTerms(events: readonly TraceEvent[]): number[] {
  const leaders = new Map<number, Set<number>>()
  for (const event of events) {
    if (event.event !== 'lead' || event.term === undefined) continue
    leaders.set(event.term, (leaders.get(event.term) ?? new Set()).add(event.node))
  }
  return [...leaders].filter(([, nodes]) => nodes.size > 1).map(([term]) => term)
}

describe("Raft's election", () => {
  it('has one leader per term whatever is lost, repeated and overtaken, with a crash', () => {
    const states = 10_000_000
    const world = { n: 3, ids: 'increasing', links: 'lossy', bound: { term: 2 }, states } as const
    const { holds, exhausted, bounds, properties } = check(raft, { ...world, crashes: 1 })
    expect({ holds, exhausted }).toEqual({ holds: true, exhausted: true })
    expect(bounds).toEqual({ of: { term: 2 }, enough: false })
    expect(properties.map(({ name }) => name)).toEqual([ONE])
    // All of a recovery in two terms takes a minute on a busy machine.
    const terms = process.env.LONG_TESTS ? 2 : 1
    const again = { ...world, bound: { term: terms }, crashes: 1, recoveries: 1 }
    expect(check(raft, again)).toMatchObject({ holds: true, exhausted: true })
    const five = check(raft, { ...world, n: 5, bound: { term: 1 } })
    expect(five).toMatchObject({ holds: true, exhausted: true })
  })

  it('so it has with pre-votes', () => {
    const world = { n: 3, links: 'lossy', bound: { term: 1 } } as const
    const more = process.env.LONG_TESTS ? { crashes: 1 } : ({ ids: 'increasing' } as const)
    const result = check(withPreVotes, { ...world, ...more })
    expect(result).toMatchObject({ holds: true, exhausted: true })
  })

  it('with pre-votes in an example that only changes the one of the catalogue', () => {
    const coins = '0:2;1:5;2:7;3:9;4:10'
    const changed = simulate(withPreVotes, { n: 5, coins, until: 200 })
    expect(changed.leads).toEqual([{ time: 16, node: 0, term: 1 }])
    const set = { prevote: 'on' } as const
    expect(simulate(raft, { n: 5, coins, set, until: 200 }).messages).toEqual(changed.messages)
  })

  it('leads at the times that its delays give', () => {
    // Timeouts 12, 15, 17, 19 and 20: the first asks, and has all votes two delays later.
    const first = simulate(raft, { n: 5, coins: '0:2;1:5;2:7;3:9;4:10', until: 200 })
    expect(first.leads).toEqual([{ time: 14, node: 0, term: 1 }])
    expect(first.messages.byType).toMatchObject({ vote: 4, voted: 4 })
    // Four nodes all at 12 split the votes; then 11, 15, 17 and 19.
    const split = simulate(raft, { n: 4, coins: '0:2,1;1:2,5;2:2,7;3:2,9', until: 200 })
    expect(split.leads).toEqual([{ time: 25, node: 0, term: 2 }])
    expect(split.verdict.ok).toBe(true)
  })

  it('never has two leaders in a term, with crashes, loss and partitions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 2, max: 6 }),
        fc.constantFrom(0, 0.1, 0.4),
        fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 5, max: 200 })), { maxLength: 3 }),
        fc.constantFrom<'on' | 'off'>('on', 'off'),
        (seed, n, loss, faults, prevote) => {
          const events: TraceEvent[] = []
          const crashes = faults.filter(([node]) => node < n)
          const down = new Map(crashes)
          const result = simulate(raft, {
            ...{ n, seed, loss, until: 600, delay: 'uniform:1:3', detect: 'off', set: { prevote } },
            crash: [...down].map(([node, at]) => ({ node, at })),
            recover: [...down].map(([node, at]) => ({ node, at: at + 40 })),
            partition: `0/${Array.from({ length: n - 1 }, (_, i) => i + 1)}@100..200`,
            trace: (event) => events.push(event),
          })
          expect(sharedTerms(events)).toEqual([])
          const one = result.verdict.properties.find(({ name }) => name === ONE)
          expect(one?.holds).toBe(true)
          const led = events.filter(({ event }) => event === 'lead')
          expect(result.leads?.length ?? 0).toBe(led.length)
        },
      ),
      { numRuns: campaign(1_000) },
    )
  })

  it('is stable again after the last fault, without loss', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const { verdict, time } = simulate(raft, {
        ...{ n: 5, seed, until: 1000, detect: 'off' },
        set: { prevote: seed % 2 === 0 ? 'on' : 'off' },
        crash: '0@60,1@80',
        recover: '0@150',
        partition: '2/0,1,3,4@200..300',
      })
      expect(verdict.ok).toBe(true)
      expect(time.stable).toBeLessThan(500)
    }
  })

  it('is measured', async () => {
    const { rows } = await experiment(raft, {
      ...{ sweep: { n: [3, 5] }, repeat: 5, until: 200 },
      measures: ['time.stable', 'term', 'messages'],
    })
    expect(rows).toHaveLength(10)
    for (const { 'time.stable': stable, term, ok } of rows) {
      expect(stable).toBeGreaterThanOrEqual(12)
      expect(term).toBeGreaterThanOrEqual(1)
      expect(ok).toBe(true)
    }
  })
})

describe('a mistake in it', () => {
  const mistakes = [
    {
      bug: 'votes twice in a term',
      from: 'my.voted === null || my.voted === candidate',
      to: 'true',
      options: { bounds: { term: 1 } },
    },
    {
      bug: 'forgets its vote in a crash',
      in: 'complete/raft-state.ts',
      from: 'voted: stable(maybe(uid))',
      to: 'voted: maybe(uid)',
      options: { bounds: { term: 1 }, faults: { crashes: 1, recoveries: 1 } },
    },
    {
      bug: 'counts votes of older terms',
      from: "my.role !== 'candidate' || term !== my.term) return\n      my.votes",
      to: "my.role !== 'candidate') return\n      my.votes",
      options: { bounds: { term: 2 } },
    },
    {
      bug: 'takes half of the votes for enough, of four',
      from: 'if (!net.majority(my.votes, true)) return',
      to: 'if (my.votes.size + 1 < 2) return',
      n: 4,
      options: { bounds: { term: 1 } },
    },
  ]

  it.each(sample(mistakes, 2))('is found: it $bug', async ({ bug, options, n = 3, ...change }) => {
    const mutant = { bug, ...change, file: 'complete/raft.ts', world: {}, breaks: ONE }
    const found = async (withBug: boolean) => {
      const { world } = preparation(await compiled(mutant, withBug), { n })
      const rules: CheckOptions = {
        ...{ mode: 'untimed', order: 'lossy', wake: 'any', reduction: 'auto' },
        ...{ properties: [oneLeaderPerTerm], limits: { states: 500_000 }, ...options },
      }
      return explore(world, rules)
    }
    const { violated } = await found(true)
    expect(violated?.property).toBe(ONE)
    expect(violated?.shortest).toBe(true)
    expect(await found(false)).toMatchObject({ exhausted: true, violated: null })
  })
})
