import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { graphs, schedules } from '../../../test/support/graphs.ts'
import { necklaces, permutations } from '../../../test/support/oracles.ts'
import { observe, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { shellJson } from '../../../test/support/run-command.ts'
import { iterations } from '../../../test/support/yo-yo-iterations.ts'
import { linksOf } from '../../core/language/topology.ts'
import { yoYo } from './yo-yo.ts'

const RUNS = campaign(1000)

interface Checked {
  readonly exhausted: boolean
  readonly states: number
  readonly violated: { readonly property: string } | null
}

const asked = (...words: string[]) => shellJson<Checked>('check', 'yo-yo', ...words)

const worlds = graphs.chain(({ topology, n }) =>
  fc.record({
    topology: fc.constant(topology),
    schedule: schedules(n, ['fifo', 'any']),
    ids: fc.uniqueArray(fc.nat(500), { minLength: n, maxLength: n }),
  }),
)

function fibonacci(index: number): number {
  return index <= 2 ? 1 : fibonacci(index - 1) + fibonacci(index - 2)
}

describe('yo-yo', () => {
  it('elects the largest; sources fall like Fibonacci numbers; two messages per link left', () => {
    fc.assert(
      fc.property(worlds, ({ topology, schedule, ids }) => {
        const { result, sends } = observe(yoYo, { topology, ids, ...schedule })
        const { links: E, n, leader, messages, verdict, bounds, tree } = result
        expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(leader?.id).toBe(Math.max(...ids))
        const { sources, links } = iterations(sends, ids)
        const T = sources.length
        const sum = links.reduce((a, b) => a + b, 0)
        expect(messages.byType).toEqual({ id: 2 * E, value: sum, vote: sum, leader: n - 1 })
        expect(links[0]).toBe(E)
        expect(sources.at(-1)).toBe(1)
        for (let i = 0; i < T; i++)
          expect(sources[i]).toBeGreaterThanOrEqual((sources[i + 1] ?? 0) + (sources[i + 2] ?? 0))
        expect(fibonacci(T + 1)).toBeLessThanOrEqual(sources[0])
        expect(messages.total - messages.byType.leader).toBeLessThanOrEqual(2 * E * (T + 1))
        expect(bounds.every(({ within }) => within)).toBe(true)
        // n - 1 edges over which the announcement reached everybody: a spanning tree.
        expect(tree?.links).toBe(n - 1)
      }),
      { numRuns: RUNS },
    )
  })

  it('attains the bound on a row whose losers meet again and again', () => {
    const ids = [9, 1, 5, 2, 7, 3, 6, 4, 8]
    const { result, sends } = observe(yoYo, { topology: 'path:9', ids })
    expect(result.messages.byType).toEqual({ id: 16, value: 32, vote: 32, leader: 8 })
    expect(iterations(sends, ids)).toEqual({ sources: [5, 3, 2, 1], links: [8, 8, 8, 8] })
  })

  it('takes exactly 4E messages where one node is larger than its neighbours', () => {
    for (const topology of ['path:7', 'star:7', 'complete:7', 'tree:7:2', 'grid:2x4']) {
      const { messages, links } = simulate(yoYo, { topology, ids: 'decreasing' })
      expect(messages.total - messages.byType.leader, topology).toBe(4 * links)
    }
  })

  it('keeps the first of equal links: counts depend on their numbers, not on delays', () => {
    const ids = [21, 22, 14, 46, 58, 28, 12, 40, 26, 8, 34, 1]
    const { topology } = preparation(yoYo, { topology: 'torus:3x4' }).world
    const edges = Array.from({ length: topology.n }, (_, node) =>
      linksOf(topology, node).map((link) => [node, topology.neighbor(node, link)] as const),
    ).flatMap((pairs) => pairs.filter(([a, b]) => a < b))
    const sorted = `edges:${edges.map((edge) => edge.join('-')).join()}`
    for (let seed = 1; seed <= 10; seed++) {
      const world = { ids, seed, delay: 'uniform:1:9' }
      const totals = ['torus:3x4', sorted].map(
        (network) => simulate(yoYo, { ...world, topology: network }).messages.total,
      )
      expect(totals).toEqual([141, 139])
    }
  })

  it('is alone, and two', () => {
    expect(simulate(yoYo, { topology: 'path:1' })).toMatchObject({
      ...{ leader: { node: 0 }, messages: { total: 0 } },
      verdict: { ok: true },
    })
    expect(() => simulate(yoYo, { topology: 'ring:1' })).toThrow('Use path:1')
    for (const [topology, value] of [
      ['path:2', 1],
      ['ring:2', 2],
    ] as const)
      for (const wake of ['0', '1', 'all'])
        expect(simulate(yoYo, { topology, ids: [1, 2], wake }).messages.byType).toEqual({
          ...{ id: 2 * value, value, vote: value, leader: 1 },
        })
  })

  it('is right in every order of messages, whoever starts', async () => {
    for (const order of ['fifo', 'any'])
      for (const ids of permutations(3))
        for (const topology of ['path:3', 'complete:3']) {
          const report = await asked('--topology', topology, '--ids', `${ids}`, '--order', order)
          expect(report).toMatchObject({ exhausted: true, violated: null })
        }
    for (const ids of necklaces(4)) {
      const report = await asked('--topology', 'ring:4', '--ids', `${ids}`, '--order', 'any')
      expect(report).toMatchObject({ exhausted: true, violated: null })
    }
  })

  it('fails with a crash and with equal ids', async () => {
    const { violated } = await asked('--topology', 'path:3', '--crashes', '1')
    expect(violated).not.toBeNull()
    const equal = (topology: string) =>
      simulate(yoYo, { topology, ids: 'same', 'allow-weaker': true }).leading
    expect(equal('path:2')).toEqual([])
    expect(equal('complete:3')).toEqual([])
  })
})
