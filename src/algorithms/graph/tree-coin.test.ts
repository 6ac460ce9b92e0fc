import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { schedules, trees } from '../../../test/support/graphs.ts'
import { observe, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import { TransitionSystem } from '../../check/model/transition-system.ts'
import { treeCoin } from './tree-coin.ts'

const limits = { states: 1_000_000 }

const worlds = trees.chain(({ topology, n }) =>
  fc.record({ topology: fc.constant(topology), schedule: schedules(n, ['fifo']) }),
)

describe('the election on an anonymous tree', () => {
  it('costs what the election with ids costs, and 2j coins', () => {
    fc.assert(
      fc.property(worlds, ({ topology, schedule }) => {
        const { result, starts } = observe(treeCoin, { topology, ...schedule })
        const { n, leaders, messages, verdict, bounds } = result
        expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(leaders).toHaveLength(1)
        const k = starts.size
        const { coin, ...others } = messages.byType
        if (n > 1) {
          expect(others).toEqual({ wake: n + k - 2, value: n, leader: n - 2 })
          expect(coin % 2 === 0 && coin >= 2).toBe(true)
        } else expect(messages.total).toBe(0)
        expect(bounds.filter(({ within }) => !within)).toEqual([])
      }),
      { numRuns: campaign(1000) },
    )
  })

  it.each([
    ['0:1;1:0', 2, 0],
    ['0:0;1:1', 2, 1],
    ['0:1,0,1;1:1,0,0', 6, 0],
    ['0:1,1,1,0;1:1,1,1,1', 8, 1],
  ])('with the coins %s tosses until they differ, and 1 leads', (coins, messages, node) => {
    const result = simulate(treeCoin, { topology: 'path:2', coins })
    expect(result.messages.byType.coin).toBe(messages)
    expect(result.leader).toEqual({ node, id: null })
  })

  it('tosses 2j coins with probability 2^-j, 4 on average', () => {
    const runs = 2000
    const counts = Array.from(
      { length: runs },
      (_, seed) => simulate(treeCoin, { topology: 'star:5', seed }).messages.byType.coin,
    )
    for (const j of [1, 2, 3, 4]) {
      const share = 2 ** -j
      const seen = counts.filter((coins) => coins === 2 * j).length
      const deviation = Math.sqrt(runs * share * (1 - share))
      expect(Math.abs(seen - runs * share)).toBeLessThan(5 * deviation)
    }
    const mean = counts.reduce((a, b) => a + b) / runs
    expect(Math.abs(mean - 4)).toBeLessThan(5 * Math.sqrt(8 / runs))
  })
})

/** How many states there are, and from how many of them no quiet state can be reached. */
function deadEnds(topology: string): { states: number; dead: number } {
  const { world } = preparation(treeCoin, { topology })
  const system = new TransitionSystem(world, { mode: 'untimed', order: 'fifo', wake: 'any' })
  const { vector } = system
  const before = new Map<string, string[]>()
  const ends: string[] = []
  const todo: Uint32Array[] = []
  const meet = (from: string | null) => {
    const key = vector.cells.join()
    const known = before.get(key)
    if (known === undefined) {
      before.set(key, from === null ? [] : [from])
      todo.push(vector.cells.slice())
      if (system.quiescent) ends.push(key)
    } else if (from !== null) known.push(from)
  }
  meet(null)
  for (let cells = todo.pop(); cells !== undefined; cells = todo.pop()) {
    const from = cells.join()
    vector.cells.set(cells)
    vector.rehash()
    system.successors(() => meet(from))
  }
  const good = new Set(ends)
  for (const state of good) for (const earlier of before.get(state)!) good.add(earlier)
  return { states: before.size, dead: before.size - good.size }
}

describe('every run of the election on an anonymous tree', () => {
  const larger = process.env.LONG_TESTS ? ['path:5', 'star:5', 'edges:0-1,1-2,2-3,2-4'] : []
  it.each(['path:1', 'path:2', 'path:3', 'path:4', 'star:4', ...larger])(
    'on %s violates nothing, and can still end in every state',
    (topology) => {
      const { world, properties } = preparation(treeCoin, { topology })
      const result = checkWorld(world, {
        order: 'fifo',
        mode: 'untimed',
        wake: 'any',
        fairRuns: true,
        properties,
        limits,
      })
      expect(result).toMatchObject({ exhausted: true, violated: null })
      // With probability 1 every run ends.
      expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
      const { states, dead } = deadEnds(topology)
      expect(states).toBeGreaterThanOrEqual(result.states)
      expect(dead).toBe(0)
    },
  )
})

describe('what breaks it', () => {
  it('links that are not FIFO: a coin overtakes the value, and nobody leads', () => {
    const { world, properties } = preparation(treeCoin, {
      topology: 'path:2',
      order: 'any',
      'allow-weaker': true,
    })
    const { violated } = checkWorld(world, {
      order: 'any',
      mode: 'untimed',
      wake: 'any',
      properties,
      limits,
    })
    expect(violated?.property).toBe('exactly one leader at the end')
    expect(() => simulate(treeCoin, { order: 'any' })).toThrow('tree-coin needs FIFO links')
  })

  it('coins that never differ: no end', () => {
    const given = { topology: 'path:2', coins: '0:1;1:1', 'max-messages': 500 }
    expect(simulate(treeCoin, given).leaders).toEqual([])
  })
})
