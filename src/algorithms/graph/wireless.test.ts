import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { graphs, schedules } from '../../../test/support/graphs.ts'
import { necklaces, permutations } from '../../../test/support/oracles.ts'
import { possibleTotals, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import { echoExtinction } from './echo-extinction.ts'
import { wireless } from './wireless.ts'

const worlds = graphs.chain(({ topology, n }) =>
  fc.record({
    topology: fc.constant(topology),
    schedule: schedules(n, ['fifo', 'any']),
    ids: fc.uniqueArray(fc.nat(500), { minLength: n, maxLength: n }),
  }),
)

/** Follows the parents of an election that has ended; every way must lead to the same node. */
function rootOf(nodes: readonly { id: number | null; state: object }[]) {
  const roots = nodes.map((_, start) => {
    let at = start
    for (let steps = 0; steps < nodes.length; steps++) {
      const { parent } = nodes[at].state as { parent: number | null }
      if (parent === null) return at
      at = nodes.findIndex(({ id }) => id === parent)
    }
    return -1
  })
  expect(new Set(roots).size).toBe(1)
  return roots[0]
}

/** Whether edges lead from position 0 to all n. */
function spanned(n: number, edges: readonly (readonly number[])[]): boolean {
  const reached = new Set([0])
  for (const _ of edges)
    for (const [a, b] of edges) if (reached.has(a) || reached.has(b)) reached.add(a).add(b)
  return reached.size === n
}

it('the trees of waves are reported without crashed nodes, for every wave that has won', () => {
  fc.assert(
    fc.property(worlds, fc.nat(), ({ topology, schedule, ids }, draw) => {
      const { n, tree } = simulate(echoExtinction, { topology, ids, ...schedule })
      expect([tree!.links, spanned(n, tree!.edges!)]).toEqual([n - 1, true])
      expect(tree!.weight).toBeUndefined()
      const dead = draw % n
      const given = { topology: `complete:${n}`, ids, crash: `${dead}@1.5`, delay: 'uniform:1:3' }
      const { tree: rest } = simulate(wireless, given)
      if (n < 3) return
      expect(rest!.edges!.flat().includes(dead)).toBe(false)
      expect(rest!.links).toBe(n - 2)
    }),
    { numRuns: campaign(800) },
  )
})

describe('wireless on a network that does not change', () => {
  it('with one source asks and answers 2E-(N-1) times, on any network and schedule', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), ({ topology, schedule, ids }, draw) => {
        const source = draw % ids.length
        const given = { topology, ids, ...schedule, wake: `${source}` }
        const result = simulate(wireless, given)
        const { links, n, messages, leader, verdict, bounds, nodes, tree: reported } = result
        const [election, tree] = [2 * links - (n - 1), n - 1]
        expect(messages.byType).toEqual({ election, ack: election, leader: tree })
        expect(leader?.id).toBe(Math.max(...ids))
        expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(bounds.map(({ of, within }) => [of, within])).toContainEqual(['messages', true])
        expect(bounds.filter(({ within }) => !within)).toEqual([])
        expect(rootOf(nodes!)).toBe(source)
        expect(spanned(n, reported!.edges!)).toBe(true)
        expect(reported!.links).toBe(n - 1)
      }),
      { numRuns: campaign(1200) },
    )
  })

  it('of several sources the highest takes over all nodes, and one election is decided', () => {
    fc.assert(
      fc.property(worlds, ({ topology, schedule, ids }) => {
        const given = { topology, ids, ...schedule }
        const { messages, leaders, verdict, bounds, nodes, n } = simulate(wireless, given)
        expect(leaders).toEqual([ids.indexOf(Math.max(...ids))])
        expect(messages.byType.leader).toBe(n - 1)
        expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(bounds.filter(({ within }) => !within)).toEqual([])
        const source = nodes![rootOf(nodes!)].id
        expect(nodes!.every(({ state }) => state.source === source)).toBe(true)
        if (schedule.wake === 'all') expect(source).toBe(Math.max(...ids))
      }),
      { numRuns: campaign(1200) },
    )
  })

  it('elects by value, and by id among equal values', () => {
    fc.assert(
      fc.property(worlds, fc.infiniteStream(fc.nat(3)), ({ topology, schedule, ids }, stream) => {
        const values = ids.map(() => stream.next().value as number)
        const best = ids
          .map((id, node) => ({ id, node, value: values[node] }))
          .sort((a, b) => b.value - a.value || b.id - a.id)[0]
        const { leader } = simulate(wireless, { topology, ids, values, ...schedule })
        expect(leader).toEqual({ node: best.node, id: best.id })
      }),
      { numRuns: campaign(400) },
    )
  })

  it.each(['path:1', 'complete:1'])('leads at once where it is alone: %s', (topology) => {
    const { leader, messages, time } = simulate(wireless, { topology })
    expect([leader?.node, messages.total, time.elected]).toEqual([0, 0, 0])
  })

  it.each([
    ['ring:1', { election: 2, ack: 2, leader: 0 }],
    ['ring:2', { election: 3, ack: 3, leader: 1 }],
  ])('keeps the counts on %s, where links lead to oneself or in pairs', (topology, byType) => {
    const { messages, verdict } = simulate(wireless, { topology })
    expect([messages.byType, verdict.ok]).toEqual([byType, true])
  })

  it('holds a second election at the same cost as the first', () => {
    const { messages, leader } = simulate(wireless, { topology: 'grid:3x4', again: 200 })
    expect(messages.byType).toEqual({ election: 2 * 23, ack: 2 * 23, leader: 2 * 11 })
    expect(leader?.id).toBe(12)
  })
})

describe('wireless in the checker', () => {
  const graphsOfFew: [string, number[][]][] = [
    ['path:2', permutations(2)],
    ['path:3', permutations(3)],
    ['edges:0-1,0-2,1-2', necklaces(3)],
    ['star:4', [[1, 2, 3, 4]]],
    ['edges:0-1,0-3,1-2,2-3', [[4, 1, 3, 2]]],
  ]

  it.each(graphsOfFew)('any starters, any order, every interleaving: %s', (topology, arranged) => {
    for (const ids of arranged)
      for (const order of ['fifo', 'any'] as const) {
        const { world, properties } = preparation(wireless, { topology, ids })
        const limits = { states: 1_000_000 }
        const result = checkWorld(world, {
          mode: 'untimed',
          order,
          wake: 'any',
          limits,
          properties,
        })
        expect(result).toMatchObject({ exhausted: true, violated: null })
        expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
      }
  })

  it.each(graphsOfFew)('every path of one source has the same length: %s', (topology, [ids]) => {
    const { world } = preparation(wireless, { topology, ids })
    const { n, links } = world.topology
    for (const order of ['fifo', 'any'] as const)
      for (const source of ids.keys())
        expect(possibleTotals(world, { mode: 'untimed', order, wake: [source] })).toEqual([
          2 * (2 * links - (n - 1)) + n - 1,
        ])
  })
})
