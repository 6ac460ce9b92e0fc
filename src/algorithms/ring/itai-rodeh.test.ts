import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allDraws,
  type Draws,
  expectationInRounds,
  survivorsOf,
  tokensOf,
} from '../../../test/support/anonymous-rings.ts'
import { campaign, sample } from '../../../test/support/campaign.ts'
import { sum } from '../../../test/support/oracles.ts'
import {
  observe,
  preparation,
  simulate,
  violationsIn,
} from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import { runInMemory } from '../../cluster/index.ts'
import { type Algorithm, harmonic, type Property, Random } from '../../core/index.ts'
import { itaiRodeh } from './itai-rodeh.ts'

const theory = (n: number) => itaiRodeh.theory.bounds[0].value({ n } as never)

describe('the expected number of tokens', () => {
  it('is 7 for n = 2: a round that decides takes 3, one that does not takes 4', () => {
    const rounds = allDraws(2, [0, 1]).map((draws) => [
      survivorsOf(draws).length,
      tokensOf(2, draws),
    ])
    expect(rounds.toSorted()).toEqual([
      [1, 3],
      [1, 3],
      [2, 4],
      [2, 4],
    ])
    // E = 3/2 + (4 + E)/2.
    expect(expectationInRounds(2)).toBe(7)
  })

  it('is 163/16 for n = 3, and what theory says for every n that can be enumerated', () => {
    expect(expectationInRounds(3)).toBeCloseTo(163 / 16, 12)
    for (const n of [1, 2, 3, 4, 5]) expect(theory(n)).toBeCloseTo(expectationInRounds(n), 10)
  })

  it('is n H_n and less than 2n more', () => {
    for (const n of [2, 3, 10, 24, 25, 26, 27, 100, 1000]) {
      expect(theory(n)).toBeGreaterThan(n * harmonic(n))
      expect(theory(n)).toBeLessThanOrEqual(n * harmonic(n) + 2 * n)
      expect(theory(n + 1)).toBeGreaterThan(theory(n))
    }
  })

  const worlds = [
    [2, 4000],
    [3, 4000],
    [5, 2000],
    [64, 300],
  ]

  it.each(sample(worlds, 3))('is met on average: n = %i, %i seeds', (n, runs) => {
    const counts = Array.from(
      { length: runs },
      (_, seed) => simulate(itaiRodeh, { n, seed }).messages.byType.token,
    )
    const mean = sum(counts) / runs
    const variance = sum(counts.map((count) => (count - mean) ** 2)) / (runs - 1)
    // Three standard errors: the seeds are fixed, so the result is always the same.
    expect(Math.abs(mean - theory(n))).toBeLessThan(3 * Math.sqrt(variance / runs))
  })
})

/** What the nodes drew, round by round, read off the tokens at their first hop. */
function roundsOf(sends: ReturnType<typeof observe>['sends']): Draws[] {
  const rounds: Map<number, number>[] = []
  for (const { type, node, body } of sends) {
    if (type !== 'token' || body.hop !== 1) continue
    rounds[Number(body.round) - 1] ??= new Map()
    rounds[Number(body.round) - 1].set(node, Number(body.id))
  }
  return rounds
}

const worlds = fc.integer({ min: 1, max: 30 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    seed: fc.nat(),
    wake: fc.oneof(
      fc.constant('all'),
      fc.subarray([...Array(n).keys()], { minLength: 1 }).map(String),
      fc.integer({ min: 0, max: n - 1 }).map((node) => `${node}@3,${(node + 1) % n}@5`),
    ),
    delay: fc.constantFrom('unit', 'uniform:1:10', 'exponential:2'),
  }),
)

describe('itai-rodeh in random worlds', () => {
  it('elects the only node with the largest id, with the tokens that follow from the draws', () => {
    fc.assert(
      fc.property(worlds, ({ n, wake, ...given }) => {
        const { result, sends } = observe(itaiRodeh, {
          ...given,
          n,
          wake: n === 1 ? 'all' : wake,
        })
        const rounds = roundsOf(sends)
        const all = [...Array(n).keys()]
        const survivors = rounds.map(survivorsOf)
        const active = rounds.map((draws) => [...draws.keys()].toSorted((a, b) => a - b))
        expect(active).toEqual([
          all,
          ...survivors.slice(0, -1).map((set) => set.toSorted((a, b) => a - b)),
        ])
        const leader = survivors.at(-1)!
        expect(result.leaders).toEqual(leader)
        expect(result.leader).toEqual({ node: leader[0], id: null })
        expect(result.verdict.properties.filter(({ holds }) => holds !== true)).toEqual([])
        expect(result.messages.byType).toEqual({
          token: sum(rounds.map((draws) => tokensOf(n, draws))),
          leader: n,
        })
        expect(result.nodes?.map(({ id, leader: view }) => [id, view])).toEqual(
          all.map(() => [null, null]),
        )
      }),
      { numRuns: campaign(1200) },
    )
  })

  it('draws every id from 1 to n', () => {
    const drawn = new Set<number>()
    for (let seed = 0; seed < 40; seed++)
      for (const draws of roundsOf(observe(itaiRodeh, { n: 5, seed }).sends))
        for (const id of draws.values()) drawn.add(id)
    expect([...drawn].toSorted()).toEqual([1, 2, 3, 4, 5])
  })

  it('takes one token and one announcement on a ring of one', () => {
    const { messages, time, leader } = simulate(itaiRodeh, { n: 1, timing: 'sync' })
    expect(messages.byType).toEqual({ token: 1, leader: 1 })
    expect({ time, leader }).toMatchObject({ time: { elected: 2, last: 3 }, leader: { node: 0 } })
  })

  it('elects one leader among members with independent random choices', async () => {
    for (const n of [1, 2, 3, 8]) {
      const { world, properties } = preparation(itaiRodeh, { n })
      for (let seed = 1; seed <= 5; seed++) {
        const outcome = await runInMemory(world, { starters: [0], random: Random.from(seed) })
        expect(violationsIn(outcome, properties)).toEqual([])
        expect(outcome.messages.byType.leader).toBe(n)
      }
    }
  })
})

/** A node that would begin a further round falls silent, so that the state space is finite. */
function rounded(most: number): Algorithm {
  return {
    ...itaiRodeh,
    kinds: itaiRodeh.kinds.map((kind) => ({
      ...kind,
      handle(my, body, net) {
        kind.handle(my, body, net)
        if (Number(my.round) > most) (net as { stop(): void }).stop()
      },
    })),
  }
}

/** The same property, but runs that were not decided in time are not judged at their end. */
function inTime(property: Property, most: number): Property {
  if (property.when === 'always') return property
  return {
    ...property,
    broken: (situation) =>
      Array.from({ length: situation.n }, (_, node) => situation.state(node)).some(
        ({ round }) => Number(round) > most,
      )
        ? null
        : property.broken(situation),
  }
}

describe('itai-rodeh in the checker', () => {
  it.each([
    [1, 1],
    [2, 20],
    [3, 4],
    [4, 1],
  ])('n = %i: every interleaving and every draw of %i rounds', (n, most) => {
    const { world, properties } = preparation(itaiRodeh, { n })
    const result = checkWorld(
      { ...world, algorithm: rounded(most) },
      {
        mode: 'untimed',
        order: 'fifo',
        wake: 'any',
        properties: properties.map((property) => inTime(property, most)),
        limits: { states: 400_000 },
      },
    )
    expect(result).toMatchObject({ exhausted: true, violated: null })
    expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
  })

  it('has no last round: nothing wrong is found, but not everything seen', () => {
    const { world, properties } = preparation(itaiRodeh, { n: 2 })
    const limits = { states: 20_000 }
    const result = checkWorld(world, {
      mode: 'untimed',
      order: 'fifo',
      wake: 'any',
      properties,
      limits,
    })
    expect(result).toMatchObject({ exhausted: false, violated: null })
    // A round of two that settles nothing has 4 receipts.
    expect(result.depth).toBeGreaterThan(100 * 4)
  })
})
