import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { graphs, schedules } from '../../../test/support/graphs.ts'
import { possibleTotals, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { shell } from '../../../test/support/run-command.ts'
import { checkWorld } from '../../check/index.ts'
import type { RunResult } from '../../sim/index.ts'
import type { ValueSummary } from './summary.ts'
import { treeAggregate } from './tree-aggregate.ts'

const worlds = graphs.chain(({ topology, n }) =>
  fc.record({
    topology: fc.constant(topology),
    schedule: schedules(n, ['fifo', 'any']),
    ids: fc.uniqueArray(fc.nat(500), { minLength: n, maxLength: n }),
    values: fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: n, maxLength: n }),
  }),
)

/** Whole numbers have a summary without rounding: n times the deviations is n q - s^2. */
function exactly(values: readonly number[]) {
  const count = values.length
  const sum = values.reduce((a, b) => a + b, 0)
  const squares = values.reduce((a, b) => a + b * b, 0)
  const deviations = (count * squares - sum * sum) / count
  return { count, sum, deviations, min: Math.min(...values), max: Math.max(...values) }
}

function expectFound(found: ValueSummary, values: readonly number[]): void {
  const { deviations, ...whole } = exactly(values)
  const { deviations: measured, ...rest } = found
  expect(rest).toEqual(whole)
  expect(Math.abs(measured - deviations)).toBeLessThanOrEqual(1e-12 * (1 + deviations))
}

const foundBy = ({ nodes }: RunResult) => nodes!.map(({ state }) => state.found as ValueSummary)

describe('tree-aggregate on a network that does not change', () => {
  it('with one source asks and answers 2E-(N-1) times, and tells N-1', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), ({ topology, schedule, ids, values }, draw) => {
        const source = draw % ids.length
        const given = { topology, ids, values, ...schedule, wake: `${source}` }
        const result = simulate(treeAggregate, given)
        const { links, n, messages, leader, verdict, bounds, tree } = result
        const asked = 2 * links - (n - 1)
        expect(messages.byType).toEqual({ wave: asked, ack: asked, result: n - 1 })
        expect(leader?.node).toBe(source)
        expect(tree!.links).toBe(n - 1)
        expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(bounds.filter(({ within }) => !within)).toEqual([])
        for (const found of foundBy(result)) expectFound(found, values)
      }),
      { numRuns: campaign(960) },
    )
  })

  it('of several sources the highest is left, and every node is counted once', () => {
    fc.assert(
      fc.property(worlds, ({ topology, schedule, ids, values }) => {
        const result = simulate(treeAggregate, { topology, ids, values, ...schedule })
        expect(result.leaders).toHaveLength(1)
        if (schedule.wake === 'all') expect(result.leader?.id).toBe(Math.max(...ids))
        expect(result.messages.byType.result).toBe(result.n - 1)
        for (const found of foundBy(result)) expectFound(found, values)
      }),
      { numRuns: campaign(960) },
    )
  })

  it('counts no node twice, and forwards the result once, when messages are duplicated', () => {
    fc.assert(
      fc.property(worlds, ({ topology, schedule, ids, values }) => {
        const given = { topology, ids, values, ...schedule, duplicate: 0.4 }
        const result = simulate(treeAggregate, given)
        expect(result.messages.byType.result).toBe(result.n - 1)
        expect(result.verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        for (const found of foundBy(result)) expectFound(found, values)
      }),
      { numRuns: campaign(480) },
    )
  })

  it.each(['path:1', 'complete:1', 'ring:1'])(
    '%s: a single node knows the result at once',
    (topology) => {
      const result = simulate(treeAggregate, { topology, values: [7] })
      expect(result.verdict.ok).toBe(true)
      expectFound(foundBy(result)[0], [7])
    },
  )

  it('keeps the variance of values that are large and close together', () => {
    // 10^9 more changes no deviation; a sum of squares would have no digit of them left.
    const values = Array.from({ length: 200 }, (_, node) => 1e9 + (node % 10))
    const result = simulate(treeAggregate, { topology: 'random:200:0.05', values })
    for (const { count, deviations } of foundBy(result))
      expect(deviations / count).toBeCloseTo(8.25, 9)
  })

  it('computes again at the same cost when it is started again', () => {
    const { messages } = simulate(treeAggregate, { topology: 'grid:3x4', again: 200 })
    expect(messages.byType).toEqual({ wave: 2 * 23, ack: 2 * 23, result: 2 * 11 })
  })
})

describe('tree-aggregate on a network in parts, or that loses some', () => {
  const parts = fc
    .array(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 6 }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((groups) => {
      let first = 0
      const paths = groups.map((group) => {
        const nodes = group.map(() => first++)
        return { nodes, edges: nodes.slice(1).map((node) => `${node - 1}-${node}`) }
      })
      const topology = `edges:${paths.flatMap(({ edges }) => edges).join()}`
      return { groups, topology, sources: paths.map(({ nodes }) => nodes[0]).join() }
    })

  it('every component has a result of its own', () => {
    fc.assert(
      fc.property(parts, fc.boolean(), ({ groups, topology, sources }, all) => {
        const wake = all ? 'all' : sources
        const result = simulate(treeAggregate, { topology, values: groups.flat(), wake })
        expect(result.verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        const found = foundBy(result)
        for (const group of groups)
          for (const of of found.splice(0, group.length)) expectFound(of, group)
      }),
      { numRuns: campaign(480) },
    )
  })

  it('a component in which no node wakes has no result, which is no violation', () => {
    const { verdict, nodes } = simulate(treeAggregate, { topology: 'edges:0-1,2-3', wake: '0' })
    expect(verdict.ok).toBe(true)
    expect(nodes!.map(({ status }) => status)).toEqual(['leader', 'lost', 'asleep', 'asleep'])
  })

  it('crashed nodes are left out: the live nodes count themselves', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), fc.nat(20), ({ ids, values }, draw, at) => {
        fc.pre(ids.length > 2)
        const n = ids.length
        const dead = draw % n
        const given = { topology: `complete:${n}`, ids, values, crash: `${dead}@${at / 4}` }
        const result = simulate(treeAggregate, { ...given, wake: `${(dead + 1) % n}` })
        expect(result.verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        const living = values.filter((_, node) => node !== dead)
        for (const [node, found] of foundBy(result).entries())
          if (node !== dead) expectFound(found, living)
      }),
      { numRuns: campaign(480) },
    )
  })
})

describe('tree-aggregate in the checker', () => {
  const graphsOfFew = ['path:2', 'path:3', 'edges:0-1,0-2,1-2', 'star:4', 'edges:0-1,0-3,1-2,2-3']

  it.each(graphsOfFew)('any starters, any order, every interleaving: %s', (topology) => {
    const { n } = preparation(treeAggregate, { topology }).world.topology
    const values = [3, -1, 7, 3].slice(0, n)
    const { world, properties } = preparation(treeAggregate, { topology, values })
    const exact = {
      name: 'exact',
      says: 'Every result is exact.',
      when: 'at the end',
      broken({ state }: { state(node: number): object }) {
        for (const node of values.keys())
          expectFound((state(node) as { found: ValueSummary }).found, values)
        return null
      },
    } as const
    for (const order of ['fifo', 'any'] as const) {
      const limits = { states: 1_000_000 }
      const asked = { mode: 'untimed', order, wake: 'any', limits } as const
      const result = checkWorld(world, { ...asked, properties: [...properties, exact] })
      expect(result).toMatchObject({ exhausted: true, violated: null })
      expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
    }
  })

  it.each(graphsOfFew)('every path of one source has the same length: %s', (topology) => {
    const { world } = preparation(treeAggregate, { topology })
    const { n, links } = world.topology
    const rules = { mode: 'untimed', order: 'any', wake: [n - 1] } as const
    expect(possibleTotals(world, rules)).toEqual([4 * links - n + 1])
  })

  it('finds that a lost message leaves nodes without a result', async () => {
    const { code, out } = await shell('check', 'tree-aggregate', '-t', 'path:2', '--losses', '1')
    expect(code).toBe(1)
    expect(out).toContain('Violated')
  })
})
