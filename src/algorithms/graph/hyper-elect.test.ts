import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { schedules } from '../../../test/support/graphs.ts'
import { permutations } from '../../../test/support/oracles.ts'
import { preparation, shuffled, simulate } from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import { propertiesOf } from '../../problems/algorithm-properties.ts'
import { hyperElect } from './hyper-elect.ts'

const limits = { states: 1_000_000 }

const ones = (bits: number) => bits.toString(2).replaceAll('0', '').length

/**
 * The duels of a knockout by halves of the cube, without messages. Each duel crosses one
 * coordinate, and then goes from each beaten node the shortest way to the node that has beaten it.
 */
function knockout(ids: readonly number[]): { duels: number; longest: number[] } {
  const beatenBy = new Map<number, number>()
  const longest: number[] = []
  let duels = 0
  let winners = [...ids.keys()]
  for (let stage = 0; winners.length > 1; stage++) {
    const half = (node: number) => node >> (stage + 1)
    const pairs = winners.flatMap((a) =>
      winners.filter((b) => b > a && half(a) === half(b)).map((b) => [a, b] as const),
    )
    const travel = (from: number, to: number) => {
      let [at, hops] = [from ^ (1 << stage), 1]
      for (; at !== to; at = beatenBy.get(at)!) hops += ones(at ^ beatenBy.get(at)!)
      return hops
    }
    const ways = pairs.flatMap(([a, b]) => [travel(a, b), travel(b, a)])
    longest.push(Math.max(...ways))
    duels += ways.reduce((sum, hops) => sum + hops, 0)
    for (const [a, b] of pairs) beatenBy.set(ids[a] < ids[b] ? a : b, ids[a] < ids[b] ? b : a)
    winners = winners.filter((node) => !beatenBy.has(node))
  }
  return { duels, longest }
}

const most = (d: number) => 6 * 2 ** d - d * d - 3 * d - 6

const worlds = fc.integer({ min: 0, max: 6 }).chain((d) =>
  fc.record({
    d: fc.constant(d),
    schedule: schedules(2 ** d, ['fifo', 'any']),
    ids: fc.uniqueArray(fc.nat(5000), { minLength: 2 ** d, maxLength: 2 ** d }),
  }),
)

describe('hyper-elect', () => {
  it('elects the largest with the duels of a knockout, in any order of messages', () => {
    fc.assert(
      fc.property(worlds, ({ d, schedule, ids }) => {
        const result = simulate(hyperElect, { ids, ...schedule })
        const { n, leader, messages, verdict, bounds } = result
        expect(verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(leader?.id).toBe(Math.max(...ids))
        const { duels, longest } = knockout(ids)
        expect(messages.byType).toEqual({ duel: duels, leader: n - 1 })
        expect(duels).toBeGreaterThanOrEqual(2 * n - 2)
        expect(duels).toBeLessThanOrEqual(most(d))
        for (const [i, hops] of longest.entries())
          expect(hops).toBeLessThanOrEqual(1 + (i * (i + 1)) / 2)
        expect(bounds.filter(({ within }) => !within)).toEqual([])
      }),
      { numRuns: campaign(1000) },
    )
  })

  it.each(['increasing', 'decreasing'])('takes 2n - 2 duels of one hop with %s ids', (ids) => {
    for (const d of [0, 1, 2, 3, 7]) {
      const { messages, time } = simulate(hyperElect, { topology: `hypercube:${d}`, ids })
      expect(messages.byType).toEqual({ duel: 2 * 2 ** d - 2, leader: 2 ** d - 1 })
      expect(time.elected).toBe(d)
    }
  })

  it('attains the bound for d = 1, 2, 3, in messages and in time', () => {
    for (const ids of [
      [1, 2],
      [1, 2, 4, 3],
      [1, 2, 4, 3, 8, 5, 6, 7],
    ]) {
      const d = Math.log2(ids.length)
      const { messages, time } = simulate(hyperElect, { ids })
      expect(messages.byType.duel).toBe(most(d))
      expect(time.elected).toBe(d + (d * (d * d - 1)) / 6)
    }
  })

  it('takes 7 duels on average for d = 2 and 18.5 for d = 3, over all permutations', () => {
    for (const [d, mean] of [
      [2, 7],
      [3, 18.5],
    ]) {
      const counts = permutations(2 ** d).map((ids) => knockout(ids).duels)
      expect(counts.reduce((a, b) => a + b) / counts.length).toBe(mean)
      expect(Math.max(...counts)).toBe(most(d))
    }
    const four = permutations(4).map((ids) => simulate(hyperElect, { ids }).messages.byType.duel)
    expect(four).toEqual(permutations(4).map((ids) => knockout(ids).duels))
  })

  it('leads alone where there is one node', () => {
    const { leader, messages } = simulate(hyperElect, { n: 1 })
    expect(leader).toEqual({ node: 0, id: 1 })
    expect(messages.total).toBe(0)
  })
})

describe('every run of hyper-elect', () => {
  it('elects on cubes of up to four nodes, for all ids, in any order of messages', () => {
    for (const n of [1, 2, 4])
      for (const ids of permutations(n)) {
        const { world, properties } = preparation(hyperElect, { ids })
        const result = checkWorld(world, {
          order: 'any',
          mode: 'untimed',
          wake: 'any',
          properties,
          limits,
        })
        expect(result).toMatchObject({ exhausted: true, violated: null })
      }
  })

  it('elects on a cube of eight with the most duels', () => {
    const { world, properties } = preparation(hyperElect, { ids: [1, 2, 4, 3, 8, 5, 6, 7] })
    const result = checkWorld(world, {
      order: 'any',
      mode: 'untimed',
      wake: 'any',
      properties,
      limits,
    })
    expect(result).toMatchObject({ exhausted: true, violated: null })
  })
})

/** A cube whose positions are shuffled, as a list of links: their numbers mean nothing. */
function shuffledCube(d: number, seed: number): string {
  const at = shuffled(2 ** d, seed).map((place) => place - 1)
  const links = at.flatMap((place, node) =>
    Array.from({ length: d }, (_, b) => node ^ (1 << b))
      .filter((other) => other > node)
      .map((other) => `${place}-${at[other]}`),
  )
  return `edges:${links.join()}`
}

describe('what breaks it', () => {
  it('link numbers without meaning: few of 500 shuffled cubes end well, most with nobody', () => {
    const results = Array.from({ length: 500 }, (_, seed) =>
      simulate(hyperElect, {
        ...{ topology: shuffledCube(3, seed), seed, 'allow-weaker': true },
        'max-messages': 1000,
      }),
    )
    const share = (of: (typeof results)[0]['verdict']['ok'][]) => of.filter(Boolean).length / 500
    expect(share(results.map(({ verdict }) => verdict.ok))).toBeLessThan(0.1)
    expect(share(results.map(({ leaders }) => leaders.length === 0))).toBeGreaterThan(0.5)
  })

  it('a list of links is refused, since its numbers are no coordinates', () => {
    const topology = 'edges:0-1,0-2,1-3,2-3'
    expect(() => simulate(hyperElect, { topology })).toThrow(
      'hyper-elect needs a hypercube, not edges:0-1,0-2,1-3,2-3, whose link numbers are not coordinates. Use hypercube:2, or add --allow-weaker',
    )
    const { world, properties } = preparation(hyperElect, { topology, 'allow-weaker': true })
    const { violated } = checkWorld(world, {
      order: 'fifo',
      mode: 'untimed',
      wake: 'any',
      properties,
      limits,
    })
    expect(violated?.property).toBe('exactly one leader at the end')
    const weaker = { topology: 'star:8', 'allow-weaker': true }
    expect(() => simulate(hyperElect, weaker)).toThrow('Use hypercube:3.')
  })

  it.each([3, 6, 12])('%i nodes are refused, since the size is a power of two', (n) => {
    expect(() => simulate(hyperElect, { n })).toThrow(
      /a power of two, not \d+\. Use \d+ or \d+ nodes/,
    )
  })

  it.each([{ losses: 1 }, { crashes: 1 }])('%o: an opponent waits for ever', (faults) => {
    const { world } = preparation(hyperElect, { n: 4 })
    const properties = propertiesOf(hyperElect, true)
    const rules = { order: 'fifo', mode: 'untimed', wake: 'any', properties, limits } as const
    const { violated } = checkWorld(world, { ...rules, faults: { detect: 'off', ...faults } })
    expect(violated?.property).toBe('all live nodes follow the largest')
  })
})
