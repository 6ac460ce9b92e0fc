import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { graphs, schedules } from '../../../test/support/graphs.ts'
import { permutations } from '../../../test/support/oracles.ts'
import { cost, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import { type Property, Random, type Topology } from '../../core/index.ts'
import { linksOf } from '../../core/language/topology.ts'
import type { RunResult } from '../../sim/index.ts'
import { ghs } from './ghs.ts'

type Pair = [a: number, b: number]

/** The edges in the order of their positions: a weight is given for each. */
function edgesOf(topology: Topology): Pair[] {
  const edges: Pair[] = []
  for (let a = 0; a < topology.n; a++)
    for (const link of linksOf(topology, a)) edges.push([a, topology.neighbor(a, link)])
  return edges.filter(([a, b]) => a < b).sort(([a, b], [c, d]) => a - c || b - d)
}

/** Kruskal 1956: the edges by weight, each taken that closes no circle. */
function kruskal(edges: readonly Pair[], weights: readonly number[], ids: Float64Array): string[] {
  const keys = edges.map(([a, b], i) => [weights[i], ...[ids[a], ids[b]].sort((x, y) => x - y)])
  const ordered = edges
    .map((_, i) => i)
    .sort((i, j) => keys[i].map((key, k) => key - keys[j][k]).find((gap) => gap !== 0) ?? 0)
  const labels = Array.from(ids, (_, node) => node)
  const tree = ordered.filter((i) => {
    const [from, to] = edges[i].map((node) => labels[node])
    for (const [node, label] of labels.entries()) if (label === from) labels[node] = to
    return from !== to
  })
  return tree.map((i) => edges[i].join('-')).sort()
}

type EdgeEntries = Iterable<readonly [neighbour: number, kind: string]>

/** The edges of which both ends say that; an edge with ends that disagree is named. */
function edgesThatAre(kind: string, n: number, entries: (node: number) => EdgeEntries) {
  const claims = new Map<string, number>()
  for (let node = 0; node < n; node++)
    for (const [neighbour, said] of entries(node)) {
      const name = [node, neighbour].sort((a, b) => a - b).join('-')
      if (said === kind) claims.set(name, (claims.get(name) ?? 0) + 1)
    }
  return [...claims].map(([name, ends]) => (ends === 2 ? name : `${name} at one end`)).sort()
}

/** Results name neighbours by their ids. */
const entriesOf =
  ({ nodes }: RunResult, ids: readonly number[]) =>
  (node: number) =>
    [...(nodes![node].state.edges as EdgeEntries)].map(
      ([id, kind]) => [ids.indexOf(id), kind] as const,
    )

/** Weights that are all different, some the same, fractions, or all the same. */
function draw(kind: string, count: number, random: Random): number[] {
  if (kind === 'different') return Array.from(random.permutation(count))
  const draws = Array.from({ length: count }, () => random.below(kind === 'few' ? 3 : 1000))
  return kind === 'fractions' ? draws.map((number) => number / 10) : draws
}

const worlds = graphs.chain(({ topology, n }) =>
  fc.record({
    topology: fc.constant(topology),
    schedule: schedules(n, ['fifo']),
    ids: fc.uniqueArray(fc.nat(500), { minLength: n, maxLength: n }),
    kind: fc.constantFrom('different', 'few', 'fractions', 'same'),
  }),
)

describe('ghs', () => {
  it("builds Kruskal's tree with few messages on random networks", () => {
    fc.assert(
      fc.property(worlds, ({ topology: text, schedule, ids, kind }) => {
        const given = { topology: text, ids, ...schedule }
        const { topology, ids: names } = preparation(ghs, given).world
        const edges = edgesOf(topology)
        const weights =
          kind === 'same'
            ? edges.map(() => 7)
            : draw(kind, edges.length, Random.from(schedule.seed))
        const result = simulate(ghs, { ...given, weights })
        expect(result.verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        const tree = kruskal(edges, weights, names)
        const [n, links] = [topology.n, edges.length]
        expect(tree.length).toBe(n - 1)
        expect(edgesThatAre('branch', n, entriesOf(result, ids))).toEqual(tree)
        const reported = result.tree!.edges!.map(([a, b]) => `${a}-${b}`)
        expect(reported.toSorted()).toEqual(tree)
        const weightOf = new Map(edges.map((edge, i) => [edge.join('-'), weights[i]]))
        for (const [a, b, weight] of result.tree!.edges!)
          expect(weight).toBe(weightOf.get(`${a}-${b}`))
        const lightest = tree.reduce((sum, edge) => sum + weightOf.get(edge)!, 0)
        expect(result.tree!.weight).toBeCloseTo(lightest, 6)
        const others = edgesThatAre('rejected', n, entriesOf(result, ids))
        expect([...tree, ...others].sort()).toEqual(edges.map((edge) => edge.join('-')).sort())
        const { byType } = result.messages
        expect(cost(ghs, result.messages)).toBeLessThanOrEqual(2 * links + 5 * n * Math.log2(n))
        expect(byType.leader).toBe(n - 1)
        // An edge is rejected once at most, by a question and its answer or by two questions that
        // cross: each outside the tree, and those that joined it with a question on the way.
        const rejecting = byType.test + byType.reject - byType.accept
        expect(rejecting % 2).toBe(0)
        expect(rejecting).toBeGreaterThanOrEqual(2 * others.length)
        expect(rejecting).toBeLessThanOrEqual(2 * links)
        // Every edge of the tree was chosen at one end, and those where two merged at both.
        expect(byType.connect).toBeGreaterThanOrEqual(n)
        expect(byType.connect).toBeLessThan(2 * n - 1)
        expect(result.bounds.filter(({ within }) => !within)).toEqual([])
      }),
      { numRuns: campaign(5000) },
    )
  })

  it('makes the end of the core with the larger id the leader', () => {
    fc.assert(
      fc.property(worlds, ({ topology: text, schedule, ids }) => {
        const given = { topology: text, ids, ...schedule }
        const { leader, nodes } = simulate(ghs, given)
        const across = (node: number) => ids.indexOf(nodes![node].state.inward as number)
        const other = across(leader!.node)
        expect(across(other)).toBe(leader!.node)
        expect(ids[other]).toBeLessThan(leader!.id!)
        expect(new Set(nodes!.map(({ state }) => state.fragment))).toEqual(new Set([leader!.id]))
        expect(new Set(nodes!.map(({ state }) => state.level)).size).toBe(1)
      }),
      { numRuns: campaign(800) },
    )
  })

  it.each(['path:1', 'complete:1', 'ring:1'])('leads at once where it is alone: %s', (topology) => {
    const { leader, messages, time } = simulate(ghs, { topology })
    expect([leader?.node, messages.total, time.elected]).toEqual([0, 0, 0])
  })

  it('counts by hand: two nodes, and a row of four with the lightest edge in the middle', () => {
    const two = simulate(ghs, { topology: 'path:2', timing: 'sync' })
    const none = { test: 0, accept: 0, reject: 0, changeroot: 0 }
    expect(two.messages.byType).toEqual({ ...none, connect: 2, initiate: 2, report: 2, leader: 1 })
    expect(two.time).toEqual({ unit: 'round', elected: 4, last: 5 })
    // The ends are absorbed after the middle has merged, which has asked them by then in vain.
    const four = simulate(ghs, { topology: 'path:4', weights: '2,1,3', timing: 'sync' })
    expect(four.messages.byType).toEqual({
      ...none,
      connect: 4,
      initiate: 4,
      test: 2,
      reject: 2,
      report: 4,
      leader: 3,
    })
  })

  it('merges twice in a row of four with the heaviest edge in the middle', () => {
    const { messages, leader } = simulate(ghs, {
      topology: 'path:4',
      ids: [1, 9, 5, 8],
      weights: '1,3,2',
      timing: 'sync',
    })
    // Both pairs merge, ask each other over the middle, merge again and find nothing more.
    expect(messages.byType).toEqual({
      connect: 6,
      initiate: 2 * 2 + 4,
      test: 2,
      accept: 2,
      reject: 0,
      report: 2 * 2 + 4,
      changeroot: 0,
      leader: 3,
    })
    expect(leader?.id).toBe(9)
  })

  it('tells the twin links of a ring of two apart, whatever they weigh', () => {
    for (const ids of ['1,2', '2,1'])
      for (const weights of ['1,1', '1,2', '2,1'])
        expect(simulate(ghs, { topology: 'ring:2', ids, weights }).verdict.ok).toBe(true)
  })
})

describe('ghs in a world that it is not made for', () => {
  const few = { minLength: 1, maxLength: 3 }
  const faults = fc.oneof(
    fc.record({ loss: fc.constantFrom(0.05, 0.3) }),
    fc.record({ duplicate: fc.constantFrom(0.1, 0.5) }),
    fc.array(fc.tuple(fc.nat(11), fc.nat(40), fc.integer({ min: 1, max: 12 })), few).map((all) => {
      const deaths = [...new Map(all.map((death) => [death[0], death])).values()]
      return {
        crash: deaths.map(([node, at]) => `${node}@${at / 2}`).join(),
        recover: deaths.map(([node, at, gap]) => `${node}@${at / 2 + gap}`).join(),
      }
    }),
  )

  it('lets a node that lost its state send nothing over links that it does not have', () => {
    const faults = { crash: '7@11.5,4@11.5', recover: '7@12.5,4@12.5' }
    const given = { topology: 'complete:12', seed: 2012250945, ...faults, 'max-messages': 5000 }
    expect(simulate(ghs, given).messages.total).toBeLessThan(5000)
  })

  it('ends all the same: no message circulates forever, and no missing node is asked', () => {
    const networks = fc.constantFrom('complete:12', 'random:12:0.4', 'ring:12', 'grid:3x4')
    fc.assert(
      fc.property(networks, faults, fc.nat(), (topology, fault, seed) => {
        const limit = 5000
        const given = { topology, seed, ...fault, 'max-messages': limit }
        expect(simulate(ghs, given).messages.total).toBeLessThan(limit)
      }),
      { numRuns: campaign(2400) },
    )
  })
})

describe('ghs in the checker', () => {
  const path = 'path:3'
  const triangle = 'edges:0-1,0-2,1-2'
  const square = 'edges:0-1,0-3,1-2,2-3'
  const diamond = 'edges:0-1,0-2,1-2,1-3,2-3'

  function explore(topology: string, weights: number[], ids: number[], order: 'fifo' | 'any') {
    const { world, properties } = preparation(ghs, { topology, weights, ids })
    const tree = kruskal(edgesOf(world.topology), weights, world.ids)
    const spanning: Property = {
      name: 'the minimum spanning tree',
      says: "At the end the branches are the edges of Kruskal's tree.",
      when: 'at the end',
      broken({ state }) {
        const { topology } = world
        const entries = (node: number) =>
          [...(state(node).edges as Map<number, string>)].map(
            ([link, kind]) => [topology.neighbor(node, link), kind] as const,
          )
        const found = edgesThatAre('branch', topology.n, entries)
        return found.join() === tree.join() ? null : `the tree is ${found}`
      },
    }
    return checkWorld(world, {
      mode: 'untimed',
      order,
      wake: 'any',
      limits: { states: 1_000_000 },
      properties: [...properties, spanning],
    })
  }

  it.each([
    [2, 'path:2', [5]],
    [3, path, [1, 2]],
    [3, path, [4, 4]],
    [3, triangle, [1, 2, 3]],
    [3, triangle, [3, 3, 3]],
    [4, square, [1, 2, 3, 4]],
    [4, square, [1, 4, 3, 1]],
    [4, square, [6, 6, 6, 6]],
    [4, diamond, [3, 1, 2, 1, 1]],
    [4, 'star:4', [2, 3, 1]],
    [4, 'complete:4', [1, 2, 3, 3, 2, 1]],
  ])('any starters, every interleaving for any ids of %i nodes: %s, %j', (n, topology, weights) => {
    for (const ids of permutations(n)) {
      const result = explore(topology, weights, ids, 'fifo')
      expect(result).toMatchObject({ exhausted: true, violated: null })
      expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
    }
  })

  it('shows that it needs links that keep the order', () => {
    expect(explore(path, [1, 2], [3, 2, 1], 'any').violated?.property).toBe(
      'exactly one leader at the end',
    )
  })
})
