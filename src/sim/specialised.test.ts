import { describe, expect, it } from 'vitest'
import { catalogue } from '../algorithms/index.ts'
import type { Algorithm } from '../core/index.ts'
import { flagged, prepare, type ScenarioInput } from '../scenario/index.ts'
import { nodesOf, type Observers, resultOf, simulate } from './index.ts'
import { specialised } from './specialised.ts'

/** Everything that a run leaves behind; what is observed takes the general way. */
function outcome(algorithm: Algorithm, given: ScenarioInput, observers?: Observers) {
  const { world, conditions, properties } = prepare(given, algorithm, flagged)
  const simulation = simulate(world, conditions, properties, observers)
  const result = resultOf(simulation, simulation.finish())
  return { fast: simulation.onRecord !== null, result, nodes: nodesOf(simulation) }
}

const general: Observers = { spoilBodies: true }
const worlds: ScenarioInput[] = [
  { n: 8, seed: 5 },
  { n: 8, seed: 6, delay: 'uniform:1:10' },
  { n: 8, seed: 7, delay: 'exponential:3' },
  { n: 8, seed: 8, delay: 'uniform:1:5', order: 'any', wake: 'rate:0.5', 'allow-weaker': true },
  // Ids that do not fit into 32 bits.
  { ids: [2 ** 40, 3, 2 ** 33, 7, 2 ** 31, 1, 2, 9], seed: 9, delay: 'uniform:1:3' },
]

describe('the specialised delivery does the same as the general one', () => {
  it.each(catalogue.filter(({ meet }) => meet === null))('$name', (algorithm) => {
    for (const world of worlds) {
      const given = { ...world, until: 200 }
      let expected: ReturnType<typeof outcome>
      try {
        expected = outcome(algorithm, given, general)
      } catch {
        // The algorithm needs another world.
        continue
      }
      expect(expected.fast).toBe(false)
      expect({ ...outcome(algorithm, given), fast: false }).toEqual(expected)
    }
  })

  it('and most of the catalogue has one', () => {
    const fast = catalogue.filter((algorithm) => specialised(algorithm) !== null)
    expect(fast.length).toBeGreaterThan(catalogue.length / 2)
  })
})

describe('states in columns are the same as records', () => {
  const ids = (first: number) => Array.from({ length: 5000 }, (_, i) => first + ((i * 7919) % 5000))

  it.each([1, 2 ** 31 - 2500, 2 ** 40])('with ids from %i on', (first) => {
    const lcr = catalogue.find(({ name }) => name === 'lcr')!
    const given = { ids: ids(first), delay: 'uniform:1:4', seed: 3 }
    const { result, nodes } = outcome(lcr, given)
    const largest = first + 4999
    expect([result.leader?.id, result.verdict.ok]).toEqual([largest, true])
    expect(nodes.map(({ id }) => id)).toEqual(given.ids)
    expect(new Set(nodes.map(({ leader }) => leader))).toEqual(new Set([largest]))
    expect({ ...outcome(lcr, given, general), fast: true }).toEqual({ result, nodes, fast: true })
  })
})
