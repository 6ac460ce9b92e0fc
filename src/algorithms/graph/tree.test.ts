import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { graphs, schedules, trees } from '../../../test/support/graphs.ts'
import { observe, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import { propertiesOf } from '../../problems/algorithm-properties.ts'
import { tree } from './tree.ts'

const limits = { states: 1_000_000 }

const worlds = trees.chain(({ topology, n }) =>
  fc.record({
    topology: fc.constant(topology),
    schedule: schedules(n, ['fifo', 'any']),
    ids: fc.uniqueArray(fc.nat(500), { minLength: n, maxLength: n }),
  }),
)

/** The longest of the shortest ways between two nodes. */
function diameter(topology: string): number {
  const { topology: network } = preparation(tree, { topology }).world
  const farthest = (from: number) => {
    const distance = new Map([[from, 0]])
    for (const [node, far] of distance)
      for (let link = 0; link < network.degree(node); link++) {
        const next = network.neighbor(node, link)
        if (!distance.has(next)) distance.set(next, far + 1)
      }
    return [...distance].at(-1)!
  }
  return farthest(farthest(0)[0])[1]
}

describe('the election on a tree', () => {
  it('costs the same in every run: n + k - 2 WAKE, n VALUE and n - 2 LEADER', () => {
    fc.assert(
      fc.property(worlds, ({ topology, schedule, ids }) => {
        const { result, starts } = observe(tree, { topology, ids, ...schedule })
        const { n, leader, messages, verdict, bounds } = result
        expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(leader?.id).toBe(Math.max(...ids))
        const k = starts.size
        const counts =
          n === 1 ? { wake: 0, value: 0, leader: 0 } : { wake: n + k - 2, value: n, leader: n - 2 }
        expect(messages.byType).toEqual(counts)
        expect(messages.total).toBe(n === 1 ? 0 : 3 * n + k - 4)
        expect(bounds.filter(({ within }) => !within)).toEqual([])
      }),
      { numRuns: campaign(1000) },
    )
  })

  it('saturates two neighbours, which are each other’s parent', () => {
    fc.assert(
      fc.property(worlds, ({ topology, schedule, ids }) => {
        const { nodes, n } = simulate(tree, { topology, ids, ...schedule })
        if (n === 1) return
        const parents = nodes!.map(({ state }) => ids.indexOf(state.parent as number))
        const saturated = [...parents.keys()].filter((node) => parents[parents[node]] === node)
        expect(saturated).toHaveLength(2)
      }),
      { numRuns: campaign(800) },
    )
  })

  it('takes at most the diameter, or twice as long if one node starts', () => {
    fc.assert(
      fc.property(trees, fc.nat(), ({ topology, n }, draw) => {
        const far = diameter(topology)
        expect(simulate(tree, { topology }).time.last ?? 0).toBeLessThanOrEqual(far)
        const one = simulate(tree, { topology, wake: String(draw % n) })
        expect(one.time.last ?? 0).toBeLessThanOrEqual(2 * far)
      }),
      { numRuns: campaign(1000) },
    )
  })

  it.each([
    ['path:1', [1], 0],
    ['path:2', [1, 2], 3],
    ['star:6', [1, 2, 3, 4, 5, 6], 15],
  ] as const)('of %s needs %j and %i messages with one starter', (topology, ids, total) => {
    for (const wake of ids.keys())
      expect(simulate(tree, { topology, ids, wake: String(wake) }).messages.total).toBe(total)
  })
})

/** All trees of up to five nodes, up to the names of positions. */
const SHAPES = ['path:1', 'path:2', 'path:3', 'path:4', 'star:4']
const LARGER = ['path:5', 'star:5', 'edges:0-1,1-2,2-3,2-4']

describe('every run of the election on a tree', () => {
  it.each([...SHAPES, ...(process.env.LONG_TESTS ? LARGER : [])])(
    'elects on %s, in any order of messages, whoever has the largest id',
    (topology) => {
      const { n } = preparation(tree, { topology }).world.topology
      for (let turn = 0; turn < n; turn++) {
        const ids = Array.from({ length: n }, (_, i) => 1 + ((i + turn) % n))
        const { world, properties } = preparation(tree, { topology, ids })
        const result = checkWorld(world, {
          order: 'any',
          mode: 'untimed',
          wake: 'any',
          properties,
          limits,
        })
        expect(result).toMatchObject({ exhausted: true, violated: null })
      }
    },
  )
})

describe('what breaks it', () => {
  it('a cycle: nobody on it is left with one neighbour, and nobody leads', () => {
    const cyclic = graphs.filter(({ topology }) => !/^(path|star|tree|edges)/.test(topology))
    fc.assert(
      fc.property(cyclic, fc.nat(), ({ topology }, seed) => {
        const given = { topology, seed, 'allow-weaker': true }
        const { links, n, leaders } = simulate(tree, given)
        expect(leaders.length).toBe(links < n ? 1 : 0)
      }),
      { numRuns: campaign(480) },
    )
    expect(() => simulate(tree, { topology: 'ring:5' })).toThrow(
      'tree needs a tree, not ring:5, which has a cycle. Use tree:5:2, or add --allow-weaker',
    )
  })

  it.each([{ losses: 1 }, { crashes: 1 }])('%o: neighbours wait for ever', (faults) => {
    const { world } = preparation(tree, { topology: 'path:3' })
    const properties = propertiesOf(tree, true)
    const rules = { order: 'fifo', mode: 'untimed', wake: 'any', properties, limits } as const
    const { violated } = checkWorld(world, { ...rules, faults: { detect: 'off', ...faults } })
    expect(violated?.property).toBe('all live nodes follow the largest')
  })
})
