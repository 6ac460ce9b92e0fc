import { describe, expect, it } from 'vitest'
import { gossiping, of } from '../../../test/support/cycles.ts'
import { aggregationNamed, gossiped } from '../../../test/support/gossip-fixture.ts'
import { checkWorld } from '../../check/index.ts'
import { half } from '../../core/index.ts'
import { aggregation } from '../../problems/aggregation.ts'
import { flagged, prepare, type ScenarioInput } from '../../scenario/index.ts'
import { type AggregationRun, type CycleEntry, observe } from '../../sim/index.ts'

const limits = { states: 1_000_000 }

function cycles(given: ScenarioInput, until: number) {
  const run = prepare({ timing: 'cycles', ...given }, aggregationNamed('push-sum'), flagged).begin()
  const entries: CycleEntry[] = [observe(run, 0.01, null)]
  for (let round = 1; round <= until; round++) {
    run.run()
    entries.push(observe(run, 0.01, entries[round - 1]))
  }
  return { run, entries }
}

const squares = (run: AggregationRun) =>
  Array.from({ length: run.n }, (_, node) => run.valueAt(node, 0) ** 2).reduce((a, b) => a + b)

const formula = (n: number) => 1 / 2 - (3 * n - 4) / (4 * (n - 1) ** 2)

/** All ways in which n nodes call one other each: where the half of each goes. */
function* calls(n: number, chosen: readonly number[] = []): Generator<readonly number[]> {
  if (chosen.length === n) yield chosen
  else for (let to = 0; to < n; to++) if (to !== chosen.length) yield* calls(n, [...chosen, to])
}

describe('the squared deviation', () => {
  it.each([2, 3, 4, 5])('over all calls of %i nodes shrinks by the formula', (n) => {
    const d = Array.from({ length: n }, (_, node) => node ** 2 - ((n - 1) * (2 * n - 1)) / 6)
    let [sum, ways] = [0, 0]
    for (const to of calls(n)) {
      const next = d.map((each) => each / 2)
      for (const [from, node] of to.entries()) next[node] += d[from] / 2
      sum += next.reduce((total, each) => total + each * each, 0)
      ways++
    }
    const before = d.reduce((total, each) => total + each * each, 0)
    expect(sum / ways / before).toBeCloseTo(formula(n), 12)
  })

  it.each([3, 10, 100])('in rounds of %i nodes shrinks by the formula', (n) => {
    const runs = Math.ceil(60_000 / n)
    const factors = Array.from({ length: runs }, (_, seed) => {
      const simulated = gossiping(`complete:${n}`, { order: 'together' }, of(half as never), seed)
      const column = simulated.numbers
      const mean = column.reduce((sum, each) => sum + each, 0) / n
      for (let node = 0; node < n; node++) column[node] -= mean
      const before = squares(simulated)
      simulated.run()
      return squares(simulated) / before
    })
    const mean = factors.reduce((sum, each) => sum + each, 0) / runs
    const spread = factors.reduce((sum, each) => sum + (each - mean) ** 2, 0) / runs
    expect(Math.abs(mean - formula(n))).toBeLessThan(4.5 * Math.sqrt(spread / runs))
  })
})

it('converges with the factor of the literature: .515 in 30 rounds, 1 % after 21 to 23', () => {
  const { entries } = cycles({ n: 10_000, seed: 3 }, 30)
  const error = ({ mean, variance, truth }: CycleEntry) => variance! + (mean! - truth) ** 2
  expect((error(entries[30]) / error(entries[0])) ** (1 / 30)).toBeCloseTo(0.515, 1)
  const reached = entries.findIndex(({ within }) => within === 1)
  expect(reached).toBeGreaterThanOrEqual(20)
  expect(reached).toBeLessThanOrEqual(24)
})

it.each([
  ['hypercube:10', 0.712],
  ['torus:32x32', 0.864],
])('on %s by %f in 30 rounds', (topology, known) => {
  const factors = [1, 2, 3, 4].map((seed) => {
    const { entries } = cycles({ topology, seed }, 30)
    return (entries[30].variance! / entries[0].variance!) ** (1 / 30)
  })
  expect(factors.reduce((sum, one) => sum + one, 0) / 4).toBeCloseTo(known, 1.6)
})

it.each(['average', 'sum', 'count'])('%s is right in every form', (what) => {
  for (const topology of ['complete:20', 'torus:4x4', 'star:6', 'path:2', 'complete:1']) {
    const given = { topology, values: 'uniform:1:9', set: { of: what } }
    const byMessages = gossiped('push-sum', 300, given).last
    const { entries } = cycles(given, 300)
    for (const { truth, min, max, massError } of [byMessages, entries[300]]) {
      expect(min! / truth).toBeCloseTo(1, 3)
      expect(max! / truth).toBeCloseTo(1, 3)
      expect(massError).toBeLessThan(1e-13)
    }
  }
})

it('keeps both sums over nodes and messages, at every moment and with any delays', () => {
  for (const delay of ['unit', 'uniform:1:30', 'exponential:15'])
    for (let seed = 1; seed <= 20; seed++) {
      const { cycles } = gossiped('push-sum', 20, { topology: 'grid:3x4', delay, seed })
      for (const { massError } of cycles) expect(massError).toBeLessThan(1e-13)
    }
})

it('sends one message per node and round', () => {
  expect(cycles({ n: 50 }, 7).run.traffic).toMatchObject({ total: 350, byType: { share: 350 } })
  expect(gossiped('push-sum', 7, { n: 50 }).run.traffic.byType).toEqual({ share: 350 })
})

it('agrees with messages in bits', () => {
  expect(cycles({ n: 50 }, 7).run.bits).toBe(gossiped('push-sum', 7, { n: 50 }).run.bits)
})

describe('what breaks it', () => {
  it('with loss all nodes agree on a wrong value, off by .002 of the sum', () => {
    const off = Array.from({ length: 60 }, (_, seed) => {
      const { entries } = cycles({ n: 1000, loss: 0.1, seed }, 40)
      expect(entries[40].variance).toBeLessThan(1e-10)
      expect(entries[40].massError).toBeGreaterThan(0.8)
      return entries[40].mean! - entries[0].mean!
    })
    const deviation = Math.sqrt(off.reduce((sum, each) => sum + each * each, 0) / off.length)
    expect(deviation).toBeGreaterThan(0.0014)
    expect(deviation).toBeLessThan(0.0028)
  })

  it('a share that arrives twice adds mass', () => {
    const { last } = gossiped('push-sum', 30, { n: 20, duplicate: 0.2 })
    expect(last.massError).toBeGreaterThan(0.1)
  })

  it.each(['--losses 1', '--duplicates 1'])(
    'the checker finds a sum that is not kept: %s',
    (flag) => {
      const given = { n: 2, values: [1, 3], set: { exchanges: 1 } }
      const { world: one } = prepare(given, aggregationNamed('push-sum'), flagged).messages()!
      const { properties } = aggregation(one.algorithm.computes!.aggregate)
      const options = { mode: 'untimed', order: 'fifo', wake: 'any', properties, limits } as const
      expect(checkWorld(one, options)).toMatchObject({ exhausted: true, violated: null })
      const faults = flag === '--losses 1' ? { losses: 1 } : { duplicates: 1 }
      expect(checkWorld(one, { ...options, faults }).violated?.property).toBe('the sum is kept')
    },
  )

  it('crashes take their share along', () => {
    const { entries } = cycles({ n: 100, crash: '0.5@2', values: 'peak', seed: 2 }, 30)
    expect(entries[30].massError).not.toBeNull()
    expect(entries[30].alive).toBe(50)
  })
})
