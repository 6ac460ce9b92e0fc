import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { estimateOfRegisters, placeOf } from '../../../src/algorithms/gossip/distinct.ts'
import { Random } from '../../../src/core/index.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import {
  aggregationCycles,
  type CycleResult,
  cycleResultOf,
  observe,
} from '../../../src/sim/index.ts'
import { aggregationNamed } from '../../support/gossip-fixture.ts'

interface Case<I, E> {
  readonly input: I
  readonly expected: E
}

function casesOf<I, E>(algorithm: string): readonly Case<I, E>[] {
  const file = new URL(`../../fixtures/cases-2/${algorithm}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function ran(algorithm: string, given: ScenarioInput): CycleResult {
  const { scenario, topology, begin } = prepare(given, aggregationNamed(algorithm), String)
  const run = begin()
  const cycles = [observe(run, 0.01, null)]
  for (const _ of aggregationCycles(run, scenario)) cycles.push(observe(run, 0.01, cycles.at(-1)!))
  return cycleResultOf(run, topology.links, cycles)
}

/** How many seeds are tried daily: messages take a while. */
const fewer = (seeds: number) => (process.env.LONG_TESTS ? seeds : Math.ceil(seeds / 5))

function statistics(errors: readonly number[]) {
  const mean = errors.reduce((sum, one) => sum + one, 0) / errors.length
  const variance = errors.reduce((sum, one) => sum + (one - mean) ** 2, 0) / errors.length
  return { mean, sd: Math.sqrt(variance) }
}

interface ExtremaInput {
  readonly topology: string
  readonly K: number
  readonly of: 'count' | 'sum'
  readonly seeds: number
}

interface ExtremaExpected {
  readonly truth: number
  readonly relative_error_mean: number
  readonly relative_error_sd_theory: number
  readonly measured_mean: number
  readonly measured_sd: number
  readonly rounds_at_most_diameter: number
  readonly all_nodes_equal: boolean
}

describe.each(casesOf<ExtremaInput, ExtremaExpected>('extrema'))(
  'extrema: $input.topology, K=$input.K, $input.of',
  ({ input, expected }) => {
    const { topology, K, of, seeds } = input
    const { n } = prepare({ topology }, aggregationNamed('extrema'), String).topology
    const values = Array.from({ length: n }, (_, node) => (of === 'sum' ? (node % 10) + 1 : 1))

    it.each(['cycles', 'async'])(
      '%s: the same numbers everywhere after diameter rounds',
      (timing) => {
        const worlds = timing === 'async' ? fewer(seeds) : seeds
        const errors = Array.from({ length: worlds }, (_, seed) => {
          const { nodes, truth } = ran('extrema', {
            ...{ topology, timing, values, seed, set: { K, of } },
            until: expected.rounds_at_most_diameter,
          })
          expect(truth).toBe(expected.truth)
          const estimates = new Set(nodes!.map(({ estimate }) => estimate))
          expect(estimates.size === 1).toBe(expected.all_nodes_equal)
          return [...estimates][0]! / truth - 1
        })
        const theory = expected.relative_error_sd_theory
        expect(theory).toBeCloseTo(1 / Math.sqrt(K - 2), 12)
        const { mean, sd } = statistics(errors)
        // Four standard errors, around theory; the measured figures of another program are, too.
        for (const one of [mean, expected.measured_mean])
          expect(Math.abs(one - expected.relative_error_mean)).toBeLessThan(
            (4 * theory) / Math.sqrt(worlds),
          )
        for (const one of [sd, expected.measured_sd])
          expect(Math.abs(one / theory - 1)).toBeLessThan(4 / Math.sqrt(2 * worlds))
      },
    )
  },
)

interface DistinctInput {
  readonly registers: number
  readonly distinct: number
  readonly sets: number
}

interface DistinctExpected {
  readonly relative_sd_theory: number
  readonly measured_sd: number
  readonly measured_mean: number
  readonly merging_order_matters: boolean
}

describe.each(casesOf<DistinctInput, DistinctExpected>('distinct'))(
  'distinct: $input.registers registers, $input.distinct values',
  ({ input, expected }) => {
    const { registers: m, distinct: items, sets } = input
    const { rule } = aggregationNamed('distinct').aggregate({ registers: m }).row!

    it('has the relative error that theory says, whatever the order of joining', () => {
      const random = Random.from(m)
      const errors = Array.from({ length: sets }, () => {
        // Four nodes with a quarter of the items each, and the last one with all of the first, too.
        const nodes = Array.from({ length: 4 }, () => new Uint8Array(m))
        for (let i = 0; i < items; i++) {
          const { register, position } = placeOf(random.unit(), m)
          for (const node of i % 4 === 0 ? [0, 3] : [i % 4])
            nodes[node][register] = Math.max(nodes[node][register], position)
        }
        const joined = [nodes, nodes.toReversed(), [...nodes, ...nodes]].map((list) => {
          const all = new Uint8Array(m)
          for (const registers of list) rule.conclude(all, 0, registers, 0)
          return estimateOfRegisters(all, 0, m)
        })
        expect(new Set(joined).size > 1).toBe(expected.merging_order_matters)
        return joined[0] / items - 1
      })
      const theory = expected.relative_sd_theory
      expect(theory).toBeCloseTo(1.04 / Math.sqrt(m), 12)
      const { mean, sd } = statistics(errors)
      // HyperLogLog has a small bias of its own.
      for (const one of [mean, expected.measured_mean])
        expect(Math.abs(one)).toBeLessThan(0.1 * theory + (4 * theory) / Math.sqrt(sets))
      for (const one of [sd, expected.measured_sd])
        expect(Math.abs(one / theory - 1)).toBeLessThan(4 / Math.sqrt(2 * sets))
    })

    it('is the same at all nodes after exchanges', () => {
      const { nodes, truth } = ran('distinct', {
        ...{ n: 200, timing: 'cycles', values: 'uniform:0:1', until: 25, set: { registers: m } },
      })
      expect(truth).toBe(200)
      const [estimate, ...others] = new Set(nodes!.map((node) => node.estimate))
      expect(others).toEqual([])
      expect(Math.abs(estimate! / truth - 1)).toBeLessThan((4 * 1.04) / Math.sqrt(m))
    })
  },
)

interface QuantileInput {
  readonly n: number
  readonly phi: number
  readonly precision: number
  readonly values: string
  readonly seeds: number
}

interface QuantileExpected {
  readonly probes: { readonly min: number; readonly max: number }
  readonly error_at_most: number
  readonly rank: number
}

describe.each(casesOf<QuantileInput, QuantileExpected>('quantile'))(
  'quantile: phi=$input.phi of $input.n values',
  ({ input, expected }) => {
    const { n, phi, precision, values, seeds } = input

    it.each(['cycles', 'async'])('%s: never below, and at most the precision above', (timing) => {
      expect(Math.ceil(phi * n)).toBe(expected.rank)
      // By messages a thousand nodes take a while.
      const worlds = timing === 'cycles' ? fewer(seeds) : n > 500 ? 1 : 5
      for (let seed = 0; seed < worlds; seed++) {
        const { nodes, truth } = ran('quantile', {
          ...{ n, timing, values, seed, set: { phi, precision } },
        })
        const ranked = nodes!.map(({ value }) => value).toSorted((a, b) => a - b)
        expect(truth).toBe(ranked[expected.rank - 1])
        for (const { estimate, found } of nodes!) {
          expect(found!.probes).toBeGreaterThanOrEqual(expected.probes.min)
          expect(found!.probes).toBeLessThanOrEqual(expected.probes.max)
          expect(estimate! - truth).toBeGreaterThanOrEqual(0)
          expect(estimate! - truth).toBeLessThanOrEqual(expected.error_at_most)
        }
      }
    })
  },
)
