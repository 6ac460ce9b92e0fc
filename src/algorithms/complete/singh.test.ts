import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign, sample } from '../../../test/support/campaign.ts'
import { necklaces, permutations, sum } from '../../../test/support/oracles.ts'
import { cost, preparation, simulate } from '../../../test/support/random-worlds.ts'
import { checkWorld } from '../../check/index.ts'
import { harmonic, Random } from '../../core/index.ts'
import { complete } from '../../core/networks/complete.ts'
import type { RunResult } from '../../sim/index.ts'
import { singh } from './singh.ts'

const variants = ['forward', 'two-sided'] as const

/** The figures of the text, by its own formulas. */
function figures(n: number): { k: number; teeth: number; steps: number } {
  const m = 2 ** Math.ceil(Math.log2(n))
  const k = n === 1 ? 1 : m / 2 ** Math.ceil(Math.log2(Math.log2(n)))
  return { k, teeth: Math.floor((n - 1) / k), steps: Math.log2(k) }
}

function expectElection({ n, verdict, nodes, leaders, leader, messages, bounds }: RunResult): void {
  expect({
    broken: verdict.properties.filter(({ holds }) => holds !== true),
    exceeded: bounds.filter(({ within }) => !within),
    leaders: leaders.length,
    known: nodes?.every((node) => node.leader === leader?.id),
    elected: messages.byType.elected,
  }).toEqual({ broken: [], exceeded: [], leaders: 1, known: true, elected: n - 1 })
}

const SIZES = sample(
  Array.from({ length: 127 }, (_, i) => i + 2),
  3,
)

describe('one candidate of singh', () => {
  it('sends 4S + 2(k-1) messages and is elected at 2S + 2 + 2 log2 k, n = 2 to 128', () => {
    for (const n of SIZES) {
      const { k, teeth, steps } = figures(n)
      const result = simulate(singh, { n, wake: `${n >> 1}@0` })
      expectElection(result)
      expect(result.messages.byType).toEqual({
        ...{ capture1: teeth, accept1: teeth, owner: teeth, ack: teeth },
        ...{ capture2: k - 1, inform: 0, accept2: k - 1, elected: n - 1 },
      })
      const elected = n === 2 ? 2 : 2 * teeth + 2 + 2 * steps
      expect(result.time).toEqual({ unit: 'time', elected, last: elected + 1 })
      expect(result.leader?.node).toBe(n >> 1)
    }
  })

  it('costs what the text says of 8 and of 64 nodes', () => {
    expect(cost(singh, simulate(singh, { n: 8, wake: '0' }).messages)).toBe(14)
    expect(cost(singh, simulate(singh, { n: 64, wake: '0' }).messages)).toBe(42)
  })

  it('leads a network of one node at once, without a message', () => {
    for (const variant of variants) {
      const { time, messages, leader } = simulate(singh, { n: 1, set: { variant } })
      expect([time.elected, messages.total, leader?.node]).toEqual([0, 0, 0])
    }
  })

  it('two-sided asks as many nodes behind if k does not divide n, and no others otherwise', () => {
    for (const n of SIZES) {
      const { k, teeth, steps } = figures(n)
      const set = { variant: 'two-sided' }
      const { messages, time } = simulate(singh, { n, wake: '0', set })
      const forward = simulate(singh, { n, wake: '0' })
      const odd = n % k > 0
      // Of the k - 1 nodes next behind one is a tooth of its own comb.
      const more = odd ? 2 * teeth + 2 * (k - 2) : 0
      expect(messages.total).toBe(forward.messages.total + more)
      expect(time.elected).toBeGreaterThanOrEqual(forward.time.elected! + (odd ? 2 : 0))
      expect(time.elected).toBeLessThanOrEqual(2 * teeth + 4 + 2 * steps)
    }
  })

  it('need not have the largest id', () => {
    expect(simulate(singh, { n: 9, ids: 'increasing', wake: '0' }).leader?.id).toBe(1)
  })
})

const worlds = fc.record({
  n: fc.integer({ min: 2, max: 64 }),
  seed: fc.nat(),
  delay: fc.constantFrom('unit', 'uniform:1:10', 'uniform:1:100', 'exponential:1'),
  order: fc.constantFrom('fifo', 'any'),
  variant: fc.constantFrom(...variants),
  rate: fc.constantFrom(0.1, 0.5, 0.8, 1),
  spread: fc.constantFrom(1, 3, 20, 200),
})

/** Each node starts with that probability, at some moment before the spread. */
function wakes(n: number, seed: number, rate: number, spread: number): string {
  const random = Random.from(seed).split('test')
  const starts = Array.from({ length: n }, (_, node) =>
    random.unit() < rate ? [`${node}@${random.below(spread)}`] : [],
  ).flat()
  return starts.length === 0 ? 'all' : starts.join()
}

describe('singh', () => {
  it('elects exactly one leader known to all, in random worlds', {
    timeout: 60_000,
  }, () => {
    fc.assert(
      fc.property(worlds, ({ n, seed, delay, order, variant, rate, spread }) => {
        const wake = wakes(n, seed, rate, spread)
        const result = simulate(singh, { n, seed, delay, order, wake, set: { variant } })
        expectElection(result)
        const { k, teeth, steps } = figures(n)
        const most = 2 * n * harmonic(teeth) + 2 * n + 8 * k * steps
        if (variant === 'forward') expect(cost(singh, result.messages)).toBeLessThanOrEqual(most)
      }),
      { numRuns: campaign(10_000) },
    )
  })

  it.each(variants)('%s elects in every interleaving of up to four nodes', (variant) => {
    for (const ids of [1, 2, 3, 4].flatMap(permutations)) expectExplored(ids, variant)
  })

  it.each(variants)('%s elects in every interleaving of some networks of five', (variant) => {
    for (const ids of necklaces(5).filter((_, i) => i % 8 === 0)) expectExplored(ids, variant)
  })

  it('needs links that tell distances: the checker finds what happens without', () => {
    const { world, properties } = preparation(singh, { ids: [1, 2, 3, 4, 5] })
    const topology = complete(5, { shuffled: Random.from(3) })
    const result = checkWorld({ ...world, topology }, { ...rules, properties })
    expect(result.violated?.property).toMatch(/leader/)
  })
})

const rules = { mode: 'untimed', order: 'any', wake: 'any', limits: { states: 1_000_000 } } as const

function expectExplored(ids: number[], variant: string): void {
  const { world, properties } = preparation(singh, { ids, set: { variant } })
  const result = checkWorld(world, { ...rules, properties })
  expect(result).toMatchObject({ exhausted: true, violated: null })
  expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
}

const sizes = sample(
  Array.from({ length: 99 }, (_, i) => i + 2),
  3,
)

/** Ten runs each at wake rate 0.8 and unit delay, for n from 2 to 100. */
function experiment(variant: string): RunResult[][] {
  return sizes.map((n) =>
    Array.from({ length: 10 }, (_, i) => {
      const given = { n, wake: 'rate:0.8', seed: 100 * n + i, set: { variant } }
      return simulate(singh, given, { traffic: variant === 'two-sided' })
    }),
  )
}

/** The straight line through the means that is nearest to them, by least squares. */
function line(xs: readonly number[], runs: RunResult[][], read: (result: RunResult) => number) {
  const ys = runs.map((repeats) => sum(repeats.map(read)) / repeats.length)
  const [x, y] = [sum(xs) / xs.length, sum(ys) / ys.length]
  const slope =
    sum(xs.map((one, i) => (one - x) * (ys[i] - y))) / sum(xs.map((one) => (one - x) ** 2))
  return { slope, height: y - slope * x }
}

describe('the experiment of Liu, Li and Huang', () => {
  it('takes about 5.96n - 15 messages in all and about 3.35 log2 n units of time', () => {
    const runs = experiment('forward')
    const total = line(sizes, runs, ({ messages }) => messages.total)
    expect(Math.abs(total.slope - 5.96)).toBeLessThan(0.3)
    expect(Math.abs(total.height + 15)).toBeLessThan(8)
    const time = line(sizes.map(Math.log2), runs, (result) => result.time.elected!)
    expect(Math.abs(time.slope - 3.35)).toBeLessThan(0.3)
  })

  it('is near to its 0.613n + 7.3 in what the leader alone sends on two sides', () => {
    const sent = line(
      sizes,
      experiment('two-sided'),
      ({ n, nodes, leader }) => nodes![leader!.node].sent! - (n - 1),
    )
    expect(Math.abs(sent.slope - 0.55)).toBeLessThan(0.06)
    expect(Math.abs(sent.height - 5.4)).toBeLessThan(2.5)
  })
})

it.each([
  [38, '3@6,4@7', '3@8,4@15'],
  [346, '1@2,2@4', '1@5,2@10'],
  [366, '1@7,2@1', '1@11,2@5'],
])('a recovered node captures what it owned before its crash, seed %i', (seed, crash, recover) => {
  const given = { n: 5, seed, delay: 'uniform:1:4', crash, recover, 'allow-weaker': true }
  expect(simulate(singh, given).messages.total).toBeGreaterThan(0)
})
