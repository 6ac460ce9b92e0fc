import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { preparation, simulate } from '../../../test/support/random-worlds.ts'
import { shellJson } from '../../../test/support/run-command.ts'
import { checkWorld } from '../../check/index.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import { simulationOf as begin } from '../../sim/index.ts'
import { stabilizing } from './stabilizing.ts'

/** Distances from a node, by breadth-first search. */
function distancesFrom(topology: Topology, root: number): number[] {
  const far: number[] = Array.from({ length: topology.n })
  far[root] = 0
  for (const queue = [root]; queue.length > 0; ) {
    const node = queue.shift()!
    for (const link of linksOf(topology, node)) {
      const next = topology.neighbor(node, link)
      if (far[next] !== undefined) continue
      far[next] = far[node] + 1
      queue.push(next)
    }
  }
  return far
}

function diameter(topology: Topology): number {
  return Math.max(
    ...Array.from({ length: topology.n }, (_, v) => Math.max(...distancesFrom(topology, v))),
  )
}

/** Everybody believes in an id that does not exist, next door. */
function haunted(topology: Topology, id: number): [number, number][][] {
  return Array.from({ length: topology.n }, (_, node) =>
    linksOf(topology, node).map((): [number, number] => [id, 0]),
  )
}

const NETWORKS = ['path:2', 'path:5', 'ring:6', 'star:5', 'complete:5', 'grid:3x3', 'tree:7:2']

describe('stabilizing in rounds', () => {
  it.each(NETWORKS)('costs 2E messages per round, and knows true distances: %s', (topology) => {
    const { world } = preparation(stabilizing, { topology })
    const { n, links } = world.topology
    const {
      messages,
      nodes = [],
      leader,
    } = simulate(stabilizing, {
      ...{ topology, timing: 'sync', until: 30 },
    })
    expect(messages.total).toBe(30 * 2 * links)
    expect(leader?.id).toBe(n)
    const distances = distancesFrom(world.topology, leader!.node)
    expect(nodes.map(({ state }) => state.dist)).toEqual(distances)
  })

  it.each(NETWORKS)(
    'is stable from round N + D on, and no earlier if all are haunted: %s',
    (topology) => {
      const { world } = preparation(stabilizing, { topology })
      const { n } = world.topology
      for (const bound of [n, n + 3, 20]) {
        const { time, bounds } = simulate(stabilizing, {
          ...{ topology, timing: 'sync', until: 60, set: { bound } },
          tables: haunted(world.topology, 99),
        })
        const value = bound + diameter(world.topology)
        expect(bounds).toEqual([
          { of: 'stability', formula: 'N + D', value, measured: time.stable, within: true },
        ])
        // The largest id hears of its own at distance 0; what is farthest from it hears of it last.
        const largest = world.ids.indexOf(n)
        const last = bound + Math.max(...distancesFrom(world.topology, largest))
        expect(time.stable).toBe(last)
        expect(last).toBeLessThanOrEqual(bound + diameter(world.topology))
      }
    },
  )

  it('is refused with a bound below n, unless a weaker world is asked for', () => {
    const set = { bound: 4 }
    expect(() => preparation(stabilizing, { topology: 'path:5', set })).toThrow(
      '--set: stabilizing needs a bound of at least the number of nodes, 5, not 4. Use bound=5 or more, or add --allow-weaker to see the algorithm fail.',
    )
    const weaker = { ids: [5, 4, 3, 2, 1], 'allow-weaker': true, until: 60, set }
    const { verdict, bounds } = simulate(stabilizing, { topology: 'path:5', ...weaker })
    expect(verdict.ok).toBe(false)
    expect(bounds).toEqual([])
  })

  it('a single node leads, and sends nothing', () => {
    const { messages, leader, verdict } = simulate(stabilizing, { topology: 'path:1', until: 20 })
    expect({ total: messages.total, node: leader?.node }).toEqual({ total: 0, node: 0 })
    expect(verdict.ok).toBe(true)
  })

  it('wakes sleepers', () => {
    const { verdict, time } = simulate(stabilizing, { topology: 'path:5', wake: '0', until: 40 })
    expect(verdict.ok).toBe(true)
    expect(time.stable).toBeLessThanOrEqual(8)
  })

  it('converges from each of the 28,561 tables of a path of 3, by round N + D = 5', () => {
    const { world, conditions, properties } = preparation(stabilizing, {
      ...{ topology: 'path:3', ids: [3, 2, 1], timing: 'sync', until: 7 },
    })
    const roots = [1, 2, 3, 4]
    const believed = [null, ...roots.flatMap((root) => [0, 1, 2].map((far) => [root, far]))]
    const all = believed.length ** 4
    expect(all).toBe(28_561)
    const entry = (link: number, number: number) => {
      const value = believed[number % believed.length]
      return value === null ? [] : [[link, value] as const]
    }
    const [left, right] = linksOf(world.topology, 1)
    let latest = 0
    for (let number = 0; number < all; number += all / campaign(all) < 2 ? 1 : 31) {
      const [a, b, c, d] = [0, 1, 2, 3].map((digit) => Math.floor(number / 13 ** digit))
      const tables = [entry(0, a), [...entry(left, b), ...entry(right, c)], entry(0, d)]
      const fields = tables.map((table) => ({ table: new Map(table) }))
      const run = begin({ ...world, corrupted: { fields, messages: [] } }, conditions, properties)
      run.finish()
      const { stableSince } = run.monitor
      if (stableSince === null) expect(tables).toBe('tables from which it converges')
      latest = Math.max(latest, stableSince ?? all)
    }
    expect(latest).toBe(5)
  })
})

const networks = fc.oneof(
  fc.integer({ min: 1, max: 10 }).map((n) => `path:${n}`),
  fc.integer({ min: 3, max: 10 }).map((n) => `ring:${n}`),
  fc.integer({ min: 2, max: 8 }).map((n) => `complete:${n}`),
  fc.integer({ min: 4, max: 14 }).map((n) => `random:${n}:0.5`),
  fc.constantFrom('grid:3x4', 'hypercube:3', 'tree:9:2', 'star:7'),
)

describe('stabilizing from any state, with any messages in flight', () => {
  it('is stable from round N + D on', () => {
    fc.assert(
      fc.property(networks, fc.nat(1e6), fc.nat(5), (topology, corrupt, more) => {
        const given = { topology, seed: corrupt, corrupt, timing: 'sync', until: 80 }
        const { world } = preparation(stabilizing, given)
        const bound = world.topology.n + more
        const { time, verdict } = simulate(stabilizing, { ...given, set: { bound } })
        expect(verdict.ok).toBe(true)
        // What was in flight arrives in round 2.
        const latest = Math.max(2, bound + diameter(world.topology))
        expect(time.stable).toBeLessThanOrEqual(latest)
      }),
      { numRuns: campaign(1_000) },
    )
  })

  it('with delays up to d is stable by (N + D + 1)(P + d)', () => {
    fc.assert(
      fc.property(
        fc.record({
          topology: networks,
          corrupt: fc.nat(1e6),
          longest: fc.integer({ min: 1, max: 6 }),
          period: fc.integer({ min: 1, max: 5 }),
          order: fc.constantFrom('fifo', 'any'),
        }),
        ({ topology, corrupt, longest, period, order }) => {
          const delay = `uniform:1:${longest}`
          const given = { topology, seed: corrupt, corrupt, delay, order, set: { period } }
          const { world } = preparation(stabilizing, given)
          const latest = (world.topology.n + diameter(world.topology) + 1) * (period + longest)
          const { time, verdict } = simulate(stabilizing, { ...given, until: 2 * latest + 20 })
          expect(verdict.ok).toBe(true)
          expect(time.stable).toBeLessThanOrEqual(latest)
        },
      ),
      { numRuns: campaign(1_000) },
    )
  })
})

describe('what breaks it', () => {
  it('a bound below n: far nodes never hear of the leader', () => {
    const { verdict, leading } = simulate(stabilizing, {
      ...{ topology: 'path:5', ids: [5, 4, 3, 2, 1], timing: 'sync', set: { bound: 3 }, until: 60 },
      'allow-weaker': true,
    })
    expect(verdict.ok).toBe(false)
    expect(leading.length).toBeGreaterThan(1)
  })

  it('no bound: an id that is larger than all lives for ever', () => {
    const { verdict, nodes } = simulate(stabilizing, {
      ...{ topology: 'path:3', timing: 'sync', set: { bound: 1e9 }, until: 500 },
      tables: [[null], [null, null], [[99, 0]]],
    })
    expect(verdict.ok).toBe(false)
    expect(nodes?.map(({ leader }) => leader)).toContain(99)
  })
})

describe('stabilizing in the checker', () => {
  it.each([
    ['path:3', 'patient', 3],
    ['ring:4', 'patient', 5],
    ['path:3', { clocked: 1 }, 7],
    ['path:3', { clocked: 2 }, 3],
  ] as const)('converges in every fair run: %s, %o', (topology, mode, corrupt) => {
    const { world, properties } = preparation(stabilizing, { topology, corrupt })
    const wake = Array.from({ length: world.topology.n }, (_, node) => node)
    const result = checkWorld(world, {
      ...{ mode, order: 'fifo', wake, properties, fairRuns: true },
      limits: { states: 100_000 },
    })
    expect(result).toMatchObject({ exhausted: true, violated: null })
    expect(result.properties).toContainEqual(
      expect.objectContaining({ name: 'converges', holds: true }),
    )
  })

  it('converges in every fair run from each of the 49 tables of a path of 2', () => {
    const { world, properties } = preparation(stabilizing, { topology: 'path:2' })
    const roots = [1, 2, 3]
    const believed = [null, ...roots.flatMap((root) => [0, 1].map((far) => [root, far]))]
    const tables = believed.flatMap((one) => believed.map((other) => [one, other]))
    expect(tables.length).toBe(49)
    for (const table of tables) {
      const fields = table.map((entry) => ({ table: new Map(entry ? [[0, entry]] : []) }))
      const corrupted = { fields, messages: [] }
      const result = checkWorld({ ...world, corrupted } as typeof world, {
        ...{ mode: { clocked: 2 }, order: 'fifo', wake: [0, 1], properties, fairRuns: true },
        limits: { states: 10_000 },
      })
      expect(result, JSON.stringify(table)).toMatchObject({ exhausted: true, violated: null })
    }
  })

  it('is explored to the end without further flags', async () => {
    for (const words of [['path:3'], ['ring:3', '--corrupt', '4']])
      expect(
        await shellJson<object>('check', 'stabilizing', '-t', ...words),
        words.join(' '),
      ).toMatchObject({ exhausted: true, violated: null })
  })
})

it('stabilizing refuses times in which nothing could happen between two events', () => {
  for (const set of [{ period: 0 }, { bound: 0 }])
    expect(() => simulate(stabilizing, { n: 3, set })).toThrow('must be above 0')
})
