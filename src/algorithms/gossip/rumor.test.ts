import { describe, expect, it } from 'vitest'
import { sample } from '../../../test/support/campaign.ts'
import { aggregationNamed } from '../../../test/support/gossip-fixture.ts'
import { rumorChain } from '../../../test/support/rumor-chain.ts'
import { checkWorld } from '../../check/index.ts'
import { aggregation } from '../../problems/aggregation.ts'
import { flagged, prepare, type ScenarioInput } from '../../scenario/index.ts'
import { type AggregationRun, aggregationCycles } from '../../sim/index.ts'

const limits = { states: 1_000_000 }
const HOWS = ['push', 'pull', 'pushpull'] as const

function spread(given: ScenarioInput): AggregationRun {
  const { begin, scenario } = prepare(given, aggregationNamed('rumor'), flagged)
  const run = begin()
  for (const _ of aggregationCycles(run, scenario));
  return run
}

const informed = (run: AggregationRun) =>
  Array.from({ length: run.n }, (_, node) => run.valueAt(node, 0)).filter((knows) => knows === 1)
    .length

/** The mean over seeds, and the standard error of it. */
function sampled(count: number, one: (seed: number) => number): [mean: number, error: number] {
  const seen = Array.from({ length: count }, (_, seed) => one(seed + 1))
  const mean = seen.reduce((sum, each) => sum + each, 0) / count
  const squares = seen.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  return [mean, Math.sqrt(squares / (count - 1) / count)]
}

describe('on complete networks', () => {
  it.each([
    ['push', 10, 6.047132, 29.428325],
    ['pull', 10, 5.063386, 40.042998],
    ['pushpull', 10, 3.460514, 40.758692],
    ['push', 100, 12.304524, 561.488459],
    ['pull', 100, 9.793209, 767.963929],
    ['pushpull', 100, 6.528611, 719.08518],
  ] as const)('the chain for %s with n = %i expects the known numbers', (how, n, rounds, sent) => {
    expect(rumorChain(how, n).rounds).toBeCloseTo(rounds, 6)
    expect(rumorChain(how, n).messages).toBeCloseTo(sent, 5)
  })

  const worlds = HOWS.flatMap((how) =>
    [2, 3, 10, 100].flatMap((n) => (['cycles', 'async'] as const).map((t) => [how, n, t] as const)),
  )

  it.each(sample(worlds, 5))(
    '%s, n = %i, %s: rounds and messages are as the chain expects',
    (how, n, timing) => {
      const count = timing === 'cycles' ? 400 : 150
      const runs = Array.from({ length: count }, (_, i) => {
        const { cycle, traffic } = spread({ n, timing, seed: i + 1, set: { how } })
        return [cycle, traffic.total]
      })
      const expected = rumorChain(how, n)
      const [rounds, roundsError] = sampled(count, (seed) => runs[seed - 1][0])
      const [sent, sentError] = sampled(count, (seed) => runs[seed - 1][1])
      expect(Math.abs(rounds - expected.rounds)).toBeLessThanOrEqual(4.5 * roundsError + 1e-9)
      expect(Math.abs(sent - expected.messages)).toBeLessThanOrEqual(4.5 * sentError + 1e-9)
    },
  )

  it('by pull every node but the first is told once', () => {
    for (const timing of ['cycles', 'async'])
      for (let seed = 1; seed <= 20; seed++) {
        const { traffic } = spread({ n: 40, timing, seed, set: { how: 'pull' } })
        expect(traffic.byType.rumor).toBe(39)
        expect(traffic.byType.call + traffic.byType.known).toBe(0)
      }
  })

  it('takes about log2 n + ln n rounds by push, and far fewer by pushpull', () => {
    const n = 10_000
    const rounds = (how: string) =>
      sampled(10, (seed) => spread({ n, timing: 'cycles', seed, set: { how } }).cycle)[0]
    expect(rounds('push')).toBeGreaterThan(21.5)
    expect(rounds('push')).toBeLessThan(25)
    expect(Math.abs(rounds('pull') - 17.9)).toBeLessThan(1.5)
    expect(Math.abs(rounds('pushpull') - 11.8)).toBeLessThan(1)
  })
})

describe('on a star from its centre', () => {
  it('pull and pushpull take one round', () => {
    for (const how of ['pull', 'pushpull'])
      expect(spread({ topology: 'star:20', timing: 'cycles', set: { how } }).cycle).toBe(1)
  })

  it('push collects coupons: (n-1) H_(n-1) rounds', () => {
    const n = 12
    const coupons = Array.from({ length: n - 1 }, (_, i) => (n - 1) / (i + 1)).reduce(
      (a, b) => a + b,
    )
    const [mean, error] = sampled(
      600,
      (seed) => spread({ topology: `star:${n}`, timing: 'cycles', seed }).cycle,
    )
    expect(Math.abs(mean - coupons)).toBeLessThan(4.5 * error)
  })
})

describe('with a limit on useless calls', () => {
  /**
   * For many nodes the shares are certain: those that called k - j times in vain go on calling, and
   * a node that does not know stays so if none of the calls is to it.
   */
  function residue(k: number, n: number): number {
    let unknowing = 1 - 1 / n
    let callers = [1 / n, ...new Array<number>(k - 1).fill(0)]
    while (callers.reduce((sum, share) => sum + share, 0) > 1e-12) {
      const knowing = 1 - unknowing
      const left = unknowing * Math.exp(-callers.reduce((sum, share) => sum + share, 0))
      callers = callers.map((share, j) => share * unknowing + (callers[j - 1] ?? 0) * knowing)
      callers[0] += unknowing - left
      unknowing = left
    }
    return unknowing
  }

  it.each([1, 2, 3])('counter:%i leaves as many nodes uninformed as expected', (k) => {
    const n = 20_000
    const set = { how: 'push', stop: `counter:${k}` }
    const [left, error] = sampled(
      12,
      (seed) => 1 - informed(spread({ n, timing: 'cycles', seed, set })) / n,
    )
    expect(Math.abs(left - residue(k, n))).toBeLessThan(5 * error + 0.02 * residue(k, n))
  })

  it('the calls end, by messages too', () => {
    for (const timing of ['cycles', 'async'])
      for (let seed = 1; seed <= 10; seed++) {
        const run = spread({ n: 50, timing, seed, set: { how: 'push', stop: 'counter:1' } })
        expect(run.cycle).toBeLessThan(60)
        expect(run.traffic.byType.known).toBeGreaterThan(0)
      }
  })

  it('pushpull informs all the same, since those that do not know go on calling', () => {
    const run = spread({ n: 200, timing: 'cycles', set: { how: 'pushpull', stop: 'counter:1' } })
    expect(informed(run)).toBe(200)
  })
})

describe('faults', () => {
  it('loss only delays a rumor', () => {
    for (const how of HOWS)
      for (const timing of ['cycles', 'async']) {
        const run = spread({ topology: 'torus:5x5', timing, loss: 0.4, set: { how } })
        expect(informed(run)).toBe(25)
        expect(run.traffic.lost).toBeGreaterThan(0)
      }
  })

  it('a rumor that only a crashed node knew is lost', () => {
    for (const timing of ['cycles', 'async']) {
      const run = spread({ n: 30, timing, crash: '0@1', loss: 1, until: 20 })
      expect(informed(run)).toBeLessThanOrEqual(1)
    }
  })

  it('nodes that join later are told, too', () => {
    const run = spread({
      ...{ n: 100, timing: 'cycles', until: 60 },
      set: { how: 'pushpull', leave: 0.05, join: 0.05 },
    })
    expect(informed(run)).toBeGreaterThan(90)
  })
})

it('one node knows at once, and two after one round', () => {
  for (const how of HOWS)
    for (const timing of ['cycles', 'async']) {
      expect(spread({ n: 1, timing, set: { how } }).cycle).toBe(0)
      expect(spread({ n: 2, timing, set: { how } }).cycle).toBe(1)
    }
})

it('sleeping nodes are woken by the call', () => {
  for (const how of HOWS) {
    const run = spread({ n: 12, wake: '0', set: { how }, until: 60 })
    expect(informed(run)).toBe(how === 'pull' ? 1 : 12)
  }
})

it.each(HOWS)('in every interleaving of %s nobody knows what nobody has told', (how) => {
  const prepared = prepare({ n: 3, set: { how, exchanges: 1 } }, aggregationNamed('rumor'), flagged)
  const { world: one } = prepared.messages()!
  const { properties } = aggregation(one.algorithm.computes!.aggregate)
  const result = checkWorld(one, {
    mode: 'untimed',
    order: 'fifo',
    wake: 'any',
    properties,
    limits,
  })
  expect(result).toMatchObject({ exhausted: true, violated: null })
})
