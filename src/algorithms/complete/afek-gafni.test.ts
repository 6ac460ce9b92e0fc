import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { permutations } from '../../../test/support/oracles.ts'
import { cost, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import { harmonic } from '../../core/index.ts'
import { afekGafni } from './afek-gafni.ts'

describe('one candidate of afek-gafni', () => {
  it('captures just enough nodes for a majority, one by one', () => {
    for (let n = 1; n <= 40; n++) {
      const { messages, time, leader, verdict } = simulate(afekGafni, { n, wake: `${n >> 1}` })
      const captures = Math.floor(n / 2)
      expect(messages.byType).toEqual({
        ...{ capture: captures, accept: captures, ask: 0, yield: 0, keep: 0 },
        leader: n - 1,
      })
      expect(time.elected).toBe(2 * captures)
      expect(leader?.node).toBe(n >> 1)
      expect(verdict.ok).toBe(true)
    }
  })
})

const worlds = fc.integer({ min: 1, max: 64 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    seed: fc.nat(),
    delay: fc.constantFrom('unit', 'uniform:1:10', 'uniform:1:100', 'exponential:1'),
    order: fc.constantFrom('fifo', 'any'),
    wake: fc.oneof(
      fc.constantFrom('all', 'rate:0.2', 'rate:0.8'),
      fc
        .uniqueArray(fc.nat(n - 1), { minLength: 1, maxLength: n })
        .chain((nodes) => fc.tuple(...nodes.map((node) => fc.nat(60).map((t) => `${node}@${t}`))))
        .map(String),
    ),
  }),
)

describe('afek-gafni', () => {
  it('elects exactly one leader known to all, with at most 4n H_(n/2) messages', () => {
    fc.assert(
      fc.property(worlds, (given) => {
        const result = simulate(afekGafni, given)
        const { n } = given
        const { byType } = result.messages
        // A node is accepted for once when it is free, and once each time its owner yields.
        const owned = result.nodes!.filter(({ state }) => state.owner !== null).length
        expect(byType.accept).toBeGreaterThanOrEqual(owned)
        expect(byType.accept).toBeLessThanOrEqual(owned + byType.yield)
        expect(byType.yield + byType.keep).toBeLessThanOrEqual(byType.ask)
        expect(result.verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(result.bounds.filter(({ within }) => !within)).toEqual([])
        expect(byType.leader).toBe(n - 1)
        const most = 4 * n * harmonic(Math.floor(n / 2))
        expect(cost(afekGafni, result.messages)).toBeLessThanOrEqual(most)
      }),
      { numRuns: campaign(2000) },
    )
  })

  it.each(['fifo', 'any'] as const)('elects in every interleaving, order %s', (order) => {
    for (const ids of [1, 2, 3, 4].flatMap(permutations))
      for (const seed of [1, 2]) {
        const { world, properties } = preparation(afekGafni, { ids, seed })
        const limits = { states: 1_000_000 }
        const rules = { mode: 'untimed', order, wake: 'any', limits, properties } as const
        const result = checkWorld(world, rules)
        expect(result).toMatchObject({ exhausted: true, violated: null })
        expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
      }
  })
})
