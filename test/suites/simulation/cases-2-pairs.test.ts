import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pairwise } from '../../../src/algorithms/graph/pairwise.ts'
import { checkWorld, defaultOptions } from '../../../src/check/index.ts'
import { Random } from '../../../src/core/index.ts'
import { resultOf, simulationOf } from '../../../src/sim/index.ts'
import { sample } from '../../support/campaign.ts'
import { expectedMeetings } from '../../support/meeting-chain.ts'
import { preparation } from '../../support/random-worlds.ts'

interface Case {
  readonly input: { readonly topology: string; readonly walk?: boolean }
  readonly expected: {
    readonly expected_interactions: number
    readonly sd?: number
    readonly formula?: string
    readonly exact?: string
    readonly without_walk?: string
  }
}

const path = new URL('../../fixtures/cases-2/pairwise.json', import.meta.url)
const cases = JSON.parse(readFileSync(path, 'utf8')) as Case[]
const seeds = 300

describe('pairwise in the shared cases', () => {
  it.each(sample(cases, 3).map((one) => [one.input.topology, one] as const))(
    'on %s',
    (topology, one) => {
      const { walk } = one.input
      const { expected_interactions: interactions, sd, formula, exact, without_walk } = one.expected
      const set = walk === undefined ? {} : { set: { walk: walk ? 'on' : 'off' } }
      const { world, conditions, properties } = preparation(pairwise, { topology, ...set })
      const counts = Array.from({ length: seeds }, (_, seed) => {
        const simulation = simulationOf(
          world,
          { ...conditions, random: Random.from(seed) },
          properties,
        )
        const { time } = resultOf(simulation, simulation.finish())
        if (formula !== undefined) {
          expect(time.expected).toMatchObject({ formula, value: interactions })
          expect(time.expected?.deviation).toBeCloseTo(sd!, 6)
        }
        return time.stable!
      })
      const mean = counts.reduce((sum, count) => sum + count, 0) / seeds
      const square = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (seeds - 1)
      const error = Math.sqrt(square / seeds)
      // Five standard errors: a wrong mean is found, and chance fails once in a million seeds.
      expect(Math.abs(mean - interactions)).toBeLessThan(5 * error)
      if (exact !== undefined) {
        const expectation = expectedMeetings(topology)
        expect(`${expectation}`).toBe(exact)
        expect(expectation.value).toBeCloseTo(interactions, 9)
      }
      if (without_walk === undefined) return
      expect(without_walk).toBe('may stay with several leaders for ever')
      const still = preparation(pairwise, { topology, set: { walk: 'off' } })
      const model = defaultOptions(pairwise, conditions.starts.nodes)
      const limits = { states: 10_000 }
      const { violated } = checkWorld(still.world, { ...model, properties, limits })
      expect(violated?.property).toBe('exactly one leader from some time on')
    },
  )
})
