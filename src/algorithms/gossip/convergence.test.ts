import { describe, expect, it } from 'vitest'
import { campaign } from '../../../test/support/campaign.ts'
import { simulate } from '../../api/simulate.ts'
import { prepare } from '../../scenario/index.ts'
import type { CycleSimulation } from '../../sim/index.ts'
import { aggregationNamed, aggregations } from '../index.ts'
import { convergenceFactor } from './convergence.ts'

type Pair = readonly [number, number]
/** Pairs that exchange one after another, or all with the numbers they had before. */
type Cycle = readonly Pair[]

/** Every cycle that may happen, each with the same probability. */
const CYCLES: Readonly<Record<string, (n: number) => Cycle[]>> = {
  fresh: (n) => permutations(n).flatMap((order) => choices(order, n)),
  together: (n) => choices([...Array(n).keys()], n),
  pairs: (n) => sequences(n, pairsOf(n)),
  matchings: (n) =>
    permutations(n).map((nodes) => {
      const at = (place: number) => nodes[place % n]
      const begin = (from: number): Pair[] =>
        Array.from({ length: n / 2 }, (_, i) => [at(2 * i + from), at(2 * i + from + 1)])
      return [...begin(0), ...begin(1)]
    }),
}

function permutations(n: number): number[][] {
  if (n === 0) return [[]]
  return permutations(n - 1).flatMap((short) =>
    Array.from({ length: n }, (_, place) => short.toSpliced(place, 0, n - 1)),
  )
}

function pairsOf(n: number): Pair[] {
  const all = [...Array(n).keys()]
  return all.flatMap((a) => all.filter((b) => b !== a).map((b): Pair => [a, b]))
}

function sequences(length: number, from: readonly Pair[]): Pair[][] {
  if (length === 0) return [[]]
  return sequences(length - 1, from).flatMap((short) => from.map((pair) => [...short, pair]))
}

/** Each node in an order picks any other one. */
function choices(order: readonly number[], n: number): Pair[][] {
  return order.reduce<Pair[][]>(
    (all, node) => {
      const others = pairsOf(n).filter(([a]) => a === node)
      return all.flatMap((short) => others.map((pair) => [...short, pair]))
    },
    [[]],
  )
}

function after(cycle: Cycle, before: readonly number[], together: boolean): number[] {
  const numbers = [...before]
  for (const [a, b] of cycle) {
    const from = together ? before : numbers
    const moved = (from[b] - from[a]) / 2
    numbers[a] += moved
    numbers[b] -= moved
  }
  return numbers
}

function variance(numbers: readonly number[]): number {
  const mean = numbers.reduce((a, b) => a + b) / numbers.length
  return numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length
}

/** By all cycles, and all ways to lose exchanges of each. */
function exactFactor(order: string, values: readonly number[], loss: number): number {
  const all = CYCLES[order](values.length)
  let sum = 0
  for (const cycle of all)
    for (let lost = 0; lost < (loss > 0 ? 2 ** cycle.length : 1); lost++) {
      const kept = cycle.filter((_, i) => ((lost >> i) & 1) === 0)
      const chance = (1 - loss) ** kept.length * loss ** (cycle.length - kept.length)
      sum += chance * variance(after(kept, values, order === 'together'))
    }
  return sum / all.length / variance(values)
}

const VALUES = [
  [0, 0, 0, 1],
  [3, -1, 4, 1.5],
  [1e3, 1, -20, 7],
]
const ORDERS = ['fresh', 'pairs', 'together', 'matchings']

describe('the factor of theory', () => {
  // With losses, pairs at n = 4 have 331,776 cycles.
  for (const order of ORDERS)
    for (const n of order === 'matchings' ? [4] : [2, 3, 4])
      for (const loss of order === 'pairs' && n === 4 && !process.env.LONG_TESTS ? [0] : [0, 0.25])
        it(`is that of all possible cycles: ${order}, n = ${n}, loss ${loss}`, () => {
          const theory = convergenceFactor({ n, complete: true, order, loss })
          for (const values of VALUES)
            expect(theory).toBeCloseTo(exactFactor(order, values.slice(-n), loss), 12)
        })

  it('is the one of the paper for many nodes, as far as 1/n', () => {
    const limits: [string, number, number][] = [
      ['fresh', 0, 1 / (2 * Math.sqrt(Math.E))],
      ['fresh', 0.2, 0.6 * Math.exp(-0.4)],
      ['pairs', 0.2, Math.exp(-0.8)],
      ['matchings', 0.2, 0.36],
      ['together', 0.2, 0.2 + 0.75 * 0.64],
    ]
    for (const [order, loss, limit] of limits)
      for (const n of [100, 1000, 100_000]) {
        const factor = convergenceFactor({ n, complete: true, order, loss })!
        expect(Math.abs(factor - limit)).toBeLessThan(1.5 / n)
        expect(factor).not.toBe(limit)
      }
  })

  it('says nothing for one node, a fixed order, and networks that are not complete', () => {
    for (const order of [...ORDERS, 'fixed'])
      expect(convergenceFactor({ n: 1, complete: true, order, loss: 0 })).toBeNull()
    expect(convergenceFactor({ n: 8, complete: true, order: 'fixed', loss: 0 })).toBeNull()
    expect(convergenceFactor({ n: 8, complete: false, order: 'fresh', loss: 0 })).toBeNull()
  })

  it.each([
    [5, 'fresh', 0],
    [8, 'fresh', 0],
    [8, 'fresh', 0.3],
    [16, 'fresh', 0],
    [100, 'fresh', 0],
    [8, 'pairs', 0],
    [30, 'pairs', 0.3],
    [8, 'matchings', 0],
    [20, 'matchings', 0.3],
    [7, 'together', 0],
    [50, 'together', 0.3],
  ])('is what the engine does on average: n = %i, %s, loss %s', (n, order, loss) => {
    const runs = campaign(12_000)
    let [sum, squares] = [0, 0]
    for (let seed = 1; seed <= runs; seed++) {
      const { begin, expected } = prepare(
        { n, seed, loss, timing: 'cycles', set: { order } },
        aggregationNamed('gossip-average')!,
        (field) => field,
      )
      expect(expected).toBe(convergenceFactor({ n, complete: true, order, loss }))
      const run = begin() as CycleSimulation
      const before = variance([...run.numbers])
      run.run()
      const ratio = variance([...run.numbers]) / before
      sum += ratio
      squares += ratio * ratio
    }
    const mean = sum / runs
    const deviation = Math.sqrt((squares / runs - mean ** 2) / runs)
    const theory = convergenceFactor({ n, complete: true, order, loss })!
    expect(Math.abs(mean - theory)).toBeLessThan(4.5 * deviation)
  })
})

describe('what a run says about its convergence', () => {
  it('has a factor of theory only if estimates are averages', () => {
    const named = aggregations.filter(({ name, settings }) => {
      const given = { n: 8, timing: 'cycles', values: '0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8' }
      const power = 'p' in settings ? { set: { p: 3 } } : {}
      return prepare({ ...given, ...power }, aggregationNamed(name)!, (at) => at).expected !== null
    })
    expect(named.map(({ name }) => name)).toEqual([
      ...['gossip-average', 'gossip-average-naive', 'histogram'],
    ])
  })

  it('is 0 for two nodes, and less for few nodes than for many', () => {
    const expected = (n: number) => simulate('gossip-average', { n, timing: 'cycles' }).expected!
    expect(expected(2)).toBe(0)
    const rounded = [3, 4, 5, 8, 16, 100].map((n) => expected(n).toFixed(n === 100 ? 3 : 2))
    expect(rounded).toEqual(['0.08', '0.14', '0.18', '0.23', '0.27', '0.298'])
  })

  it('is exactly 0 for four nodes in matchings', () => {
    const set = { order: 'matchings' }
    const { expected, cycles } = simulate('gossip-average', { n: 4, timing: 'cycles', set })
    expect([expected, cycles[1].variance]).toEqual([0, 0])
  })

  it('has no factor of theory by messages, whose delays make it larger', () => {
    for (const delay of ['unit', 'exponential:2'])
      expect(simulate('gossip-average', { n: 2, timing: 'async', delay }).expected).toBeNull()
  })

  it('takes its mean factor over the cycles before the variance is 0', () => {
    let ended = 0
    for (const name of ['gossip-average', 'gossip-max', 'top-k', 'extrema'] as const)
      for (let n = 2; n <= 12; n++) {
        const { factor, cycles } = simulate(name, { n, seed: n, timing: 'cycles', until: 40 })
        const variances = cycles.map(({ variance }) => variance!)
        const last = variances.findLastIndex((variance) => variance > 0)
        if (last < cycles.length - 1) ended++
        if (last < 1) expect(factor).toBe(last === 0 ? 0 : null)
        else expect(factor! ** last * variances[0]).toBeCloseTo(variances[last], 12)
        if (last > 0) expect(factor).toBeGreaterThan(0)
      }
    expect(ended).toBeGreaterThan(20)
  })

  it('needs as many cycles as the costs of extremes say', () => {
    for (const name of ['gossip-max', 'gossip-min', 'top-k', 'extrema', 'distinct'] as const) {
      const { cost } = aggregationNamed(name)!.theory
      expect(cost).not.toContain('log2')
      for (const n of [100, 1000]) {
        const [, stated] = new RegExp(
          `([\\d.]+)(?: cycles)? at ${n === 100 ? 'n = 100' : '1,000'}`,
        ).exec(cost)!
        const runs = Array.from({ length: campaign(n === 100 ? 400 : 160) }, (_, seed) =>
          simulate(name, { n, seed, timing: 'cycles', until: 15 }).cycles.findLastIndex(
            ({ min, max }) => min !== max,
          ),
        )
        // They say when all have the same, one cycle after the last difference.
        const mean = 1 + runs.reduce((a, b) => a + b) / runs.length
        expect(Math.abs(mean - Number(stated))).toBeLessThan(0.8)
      }
    }
  })
})
