import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { half } from '../../../src/core/index.ts'
import { Random } from '../../../src/core/runtime/random.ts'
import { flagged, prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import {
  type AggregationRun,
  aggregationCycles,
  type CycleEntry,
  observe,
} from '../../../src/sim/index.ts'
import { sample } from '../../support/campaign.ts'
import { gossiping, of } from '../../support/cycles.ts'
import { aggregationNamed } from '../../support/gossip-fixture.ts'
import { rumorChain } from '../../support/rumor-chain.ts'

/** What an independent program has measured in several runs. */
interface Sampled {
  readonly mean: number
  readonly sd_of_one_run: number
}

type Expected = Readonly<Record<string, unknown>>

interface Case {
  readonly algorithm: string
  readonly input: Readonly<Record<string, never>> & {
    readonly topology: string
    readonly how: 'push' | 'pull' | 'pushpull'
    readonly rounds: number
    readonly seeds: number
    readonly loss: number
  }
  readonly expected: Expected
}

function casesOf(name: string): [title: string, one: Case][] {
  const file = new URL(`../../fixtures/cases-2/${name}.json`, import.meta.url)
  const cases: Case[] = JSON.parse(readFileSync(file, 'utf8'))
  return cases.map((one) => [JSON.stringify(one.input), one])
}

function begun(name: string, given: ScenarioInput): AggregationRun {
  return prepare({ timing: 'cycles', ...given }, aggregationNamed(name), flagged).begin()
}

function observed(run: AggregationRun, rounds: number): CycleEntry[] {
  const entries = [observe(run, 0.01, null)]
  for (let round = 1; round <= rounds; round++) {
    run.run()
    entries.push(observe(run, 0.01, entries[round - 1]))
  }
  return entries
}

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
const meanSquare = ({ mean, variance, truth }: CycleEntry) => variance! + (mean! - truth) ** 2

/** Our mean of so many runs against theirs, in units of the deviation of both. */
function expectNear(
  list: readonly number[],
  { mean: theirs, sd_of_one_run }: Sampled,
  seeds: number,
) {
  const error = sd_of_one_run * Math.sqrt(1 / list.length + 1 / seeds)
  expect(Math.abs(mean(list) - theirs)).toBeLessThanOrEqual(4 * error + 1e-9)
}

/** Every key of what is expected has a test, and nothing else is expected. */
function expectAll(expected: Expected, tests: Readonly<Record<string, (wanted: never) => void>>) {
  expect(Object.keys(tests)).toEqual(expect.arrayContaining(Object.keys(expected)))
  for (const [key, wanted] of Object.entries(expected)) tests[key](wanted as never)
}

const range = (count: number) => Array.from({ length: count }, (_, seed) => seed + 1)

describe.each(sample(casesOf('rumor'), 2))('rumor %s', (_, { input, expected }) => {
  const { topology, how, seeds } = input
  const n = Number(topology.split(':')[1])
  const runs = range(seeds ?? Math.min(1500, 60_000 / n)).map((seed) => {
    const given = { topology, seed, set: { how, order: 'together' } }
    const { begin, scenario } = prepare(given, aggregationNamed('rumor'), flagged)
    const run = begin()
    for (const _ of aggregationCycles(run, scenario));
    return run
  })

  it('as expected', () => {
    const near = (wanted: number, list: number[], exact: number) => {
      expect(exact).toBeCloseTo(wanted, 6)
      const centre = mean(list)
      const sd = Math.sqrt(mean(list.map((one) => (one - centre) ** 2)))
      expect(Math.abs(mean(list) - wanted)).toBeLessThan((4.5 * sd) / Math.sqrt(list.length) + 1e-9)
    }
    expectAll(expected, {
      expected_rounds: (wanted) =>
        near(
          wanted,
          runs.map(({ cycle }) => cycle),
          rumorChain(how, n).rounds,
        ),
      expected_messages: (wanted) =>
        near(
          wanted,
          runs.map(({ traffic }) => traffic.total),
          rumorChain(how, n).messages,
        ),
      rounds: (wanted) =>
        expectNear(
          runs.map(({ cycle }) => cycle),
          wanted,
          seeds,
        ),
    })
  })
})

/** A random graph in which all degrees are equal, as a list of edges: stubs joined at random. */
function regular(n: number, degree: number, random: Random): string {
  const edges = new Set<string>()
  let stubs = Array.from({ length: n * degree }, (_, stub) => Math.floor(stub / degree))
  while (stubs.length > 0) {
    const order = random.permutation(stubs.length)
    const left: number[] = []
    for (let i = 0; i + 1 < stubs.length; i += 2) {
      const [a, b] = [stubs[order[i]], stubs[order[i + 1]]]
      const edge = `${Math.min(a, b)}-${Math.max(a, b)}`
      if (a === b || edges.has(edge)) left.push(a, b)
      else edges.add(edge)
    }
    stubs = left.length < stubs.length ? left : []
  }
  return `edges:${[...edges].join()}`
}

describe.each(sample(casesOf('push-sum'), 2))('push-sum %s', (_, { input, expected }) => {
  const { topology, rounds, loss = 0, seeds } = input
  const [kind, size, degree] = topology.split(':')
  const n = Number(size)

  it('as expected', () => {
    const network = kind === 'regular' ? regular(n, Number(degree), Random.from(5)) : topology
    const runs =
      rounds === undefined
        ? []
        : range(seeds).map((seed) => {
            const run = begun('push-sum', { topology: network, loss, seed, values: 'uniform:0:1' })
            return observed(run, rounds)
          })
    const factors = (from: number, to: number) =>
      runs.map(
        (entries) => (meanSquare(entries[to]) / meanSquare(entries[from])) ** (1 / (to - from)),
      )
    expectAll(expected, {
      expected_factor: (wanted) => expectFactor(n, wanted),
      formula: (formula) => expect(formula).toBe('1/2 - (3n-4)/(4(n-1)^2)'),
      factor_per_round: (wanted: Sampled) => {
        expect(Math.abs(mean(factors(0, 30)) - wanted.mean)).toBeLessThan(0.004)
      },
      factor_rounds_15_to_30: (wanted: Sampled) => {
        expect(Math.abs(mean(factors(15, 30)) - wanted.mean)).toBeLessThan(0.006)
      },
      mass_error_at_most: (most) => {
        for (const entries of runs)
          for (const { massError } of entries) expect(massError).toBeLessThan(most)
      },
      first_round_within_1_percent: (wanted) =>
        expectNear(
          runs.map((entries) => entries.findIndex(({ within }) => within === 1)),
          wanted,
          seeds,
        ),
      bias_sd: (wanted: number) => {
        const off = runs.map((entries) => entries[rounds].mean! - entries[rounds].truth)
        const sd = Math.sqrt(mean(off.map((one) => one * one)))
        // The deviation of a deviation from 40 runs, of ours and of theirs.
        expect(Math.abs(sd / wanted - 1)).toBeLessThan(4 / Math.sqrt(seeds))
      },
      note: () => {
        for (const entries of runs) expect(entries[rounds].variance).toBeLessThan(1e-9)
      },
    })
  })
})

/** The mean of the factor of one round, over many rounds from the same deviations. */
function expectFactor(n: number, wanted: number): void {
  expect(1 / 2 - (3 * n - 4) / (4 * (n - 1) ** 2)).toBeCloseTo(wanted, 12)
  const factors = range(Math.ceil(60_000 / n)).map((seed) => {
    const run = gossiping(`complete:${n}`, { order: 'together' }, of(half as never), seed)
    const { numbers: d } = run
    const centre = mean([...d])
    for (let node = 0; node < n; node++) d[node] -= centre
    const before = mean(Array.from(d, (one) => one * one))
    run.run()
    return mean(Array.from(d, (one) => one * one)) / before
  })
  const centre = mean(factors)
  const sd = Math.sqrt(mean(factors.map((one) => (one - centre) ** 2)))
  expect(Math.abs(centre - wanted)).toBeLessThan((4.5 * sd) / Math.sqrt(factors.length))
}

describe.each(sample(casesOf('metropolis'), 2))('metropolis %s', (_, { input, expected }) => {
  const { topology, rounds } = input

  it('as expected', () => {
    const { topology: built } = prepare({ topology }, aggregationNamed('metropolis'), flagged)
    const values = range(built.n)
    const run = begun('metropolis', { topology, values })
    const entries = observed(run, rounds)
    expectAll(expected, {
      variance_after_rounds_0_1_2_5: (wanted: number[]) => {
        for (const [i, round] of [0, 1, 2, 5].entries())
          expect(Math.abs(entries[round].variance! / wanted[i] - 1)).toBeLessThan(1e-12)
      },
      contraction: (wanted) => expect(Math.sqrt(entries[rounds].factor!)).toBeCloseTo(wanted, 4),
      contraction_formula: (formula: string) => {
        const code = formula.replaceAll('2cos', '2*Math.cos').replaceAll('2pi', '2*Math.PI')
        const value = new Function(`return ${code}`)() as number
        expect(Math.sqrt(entries[rounds].factor!)).toBeCloseTo(value, 4)
      },
      messages_per_round: () => expect(run.traffic.total).toBe(2 * built.links * rounds),
    })
  })
})

describe.each(sample(casesOf('flow-updating'), 2))('flow-updating %s', (_, { input, expected }) => {
  const { topology, rounds, loss, seeds } = input

  it('as expected', () => {
    // Their round 0 is the first one, in which nobody has heard of anybody.
    const runs = range(seeds).map((seed) =>
      observed(begun('flow-updating', { topology, loss, seed, values: 'index' }), rounds + 1).slice(
        1,
      ),
    )
    const errors = runs.map((entries) =>
      entries.map((entry) => Math.sqrt(meanSquare(entry)) / entry.truth),
    )
    expectAll(expected, {
      truth: (wanted) => expect(runs[0][0].truth).toBe(wanted),
      relative_rmse_by_round: (wanted: [number, number][] | null) => {
        for (const [round, error] of wanted ?? [])
          expect(Math.abs(errors[0][round] - error)).toBeLessThan(1e-12)
      },
      rmse_factor_per_round: (wanted: Sampled | null) => {
        if (wanted === null) return
        expectNear(
          errors.map((one) => (one[rounds] / one[0]) ** (1 / rounds)),
          wanted,
          seeds,
        )
      },
      rmse_after_the_rounds: (wanted: number) => {
        if (loss === 0) expect(Math.abs(errors[0][rounds] - wanted)).toBeLessThan(1e-12)
        else
          expect(Math.abs(Math.log(mean(errors.map((one) => one[rounds])) / wanted))).toBeLessThan(
            1,
          )
      },
    })
  })
})
