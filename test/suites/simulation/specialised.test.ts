import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import { type Algorithm, algorithm, left, message, nat } from '../../../src/core/index.ts'
import { flagged, prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { nodesOf, type Observers, resultOf, simulationOf } from '../../../src/sim/index.ts'
import { specialised } from '../../../src/sim/specialised.ts'
import { sample } from '../../support/campaign.ts'

/** Everything that a run leaves behind; what is observed takes the general way. */
function outcome(algorithm: Algorithm, given: ScenarioInput, observers?: Observers) {
  const { world, conditions, properties } = prepare(given, algorithm, flagged)
  const simulation = simulationOf(world, conditions, properties, observers)
  const result = resultOf(simulation, simulation.finish())
  return { fast: simulation.onRecords !== null, result, nodes: nodesOf(simulation) }
}

const general: Observers = { spoilBodies: true }
const worlds: ScenarioInput[] = [
  { n: 8, seed: 5 },
  { n: 8, seed: 6, delay: 'uniform:1:10' },
  { n: 8, seed: 7, delay: 'exponential:3' },
  { n: 8, seed: 8, delay: 'uniform:1:5', order: 'any', wake: 'rate:0.5', 'allow-weaker': true },
  // Equal delays that are fractions, and delays beyond the timing wheel.
  { n: 8, seed: 15, delay: 'constant:0.5' },
  { n: 8, seed: 16, delay: 'constant:0.07', wake: '0@0.3' },
  { n: 8, seed: 17, delay: 'uniform:5:70000' },
  { n: 8, seed: 18, 'max-messages': 40 },
  // Messages wake nodes, which send before they handle them.
  { n: 8, seed: 11, delay: 'exponential:3', wake: '0' },
  { n: 8, seed: 12, wake: '2,5' },
  { n: 8, seed: 13, delay: 'uniform:1:5', wake: 'rate:0.5' },
  // More messages than delays are drawn at a time.
  { n: 60, seed: 14, delay: 'uniform:1:10' },
  // Ids that do not fit into 32 bits.
  { ids: [2 ** 40, 3, 2 ** 33, 7, 2 ** 31, 1, 2, 9], seed: 9, delay: 'uniform:1:3' },
]

describe('the specialised delivery does the same as the general one', () => {
  let compared = 0

  const tried = sample(
    catalogue.filter(({ meet }) => meet === null),
    2,
  )

  it.each(tried)('$name', (algorithm) => {
    for (const world of worlds) {
      const given = { ...world, until: 200 }
      let expected: ReturnType<typeof outcome>
      try {
        expected = outcome(algorithm, given, general)
      } catch {
        // The algorithm needs another world.
        continue
      }
      compared++
      expect(expected.fast).toBe(false)
      expect({ ...outcome(algorithm, given), fast: false }).toEqual(expected)
    }
  })

  it('in most worlds, and most of the catalogue has one', () => {
    expect(compared).toBeGreaterThan(4 * tried.length)
    const fast = catalogue.filter((algorithm) => specialised(algorithm, true) !== null)
    expect(fast.length).toBeGreaterThan(catalogue.length / 2)
  })
})

describe('states in columns are the same as records', () => {
  it('whatever their fields are called', () => {
    const P = message({})
    const named = algorithm({
      ...{
        name: 'named',
        needs: { topology: 'ring', ids: 'unique' },
        messages: { P },
        wakes: true,
      },
      state: { store: nat, column0: nat, columns: nat },
      start(my, net) {
        my.store = my.column0 = my.columns = 7
        net.send(left, P, {})
      },
      on: {
        P(my) {
          my.store += my.column0 + my.columns
        },
      },
    })
    const { nodes } = outcome(named, { n: 5000 })
    expect(
      nodes.every(({ state }) => JSON.stringify(state) === '{"store":21,"column0":7,"columns":7}'),
    ).toBe(true)
  })

  const ids = (first: number) => Array.from({ length: 4200 }, (_, i) => first + ((i * 7919) % 4200))

  it.each([1, 2 ** 31 - 2100, 2 ** 40])('with ids from %i on', (first) => {
    const lcr = catalogue.find(({ name }) => name === 'lcr')!
    const given = { ids: ids(first), delay: 'uniform:1:4', seed: 3 }
    const { result, nodes } = outcome(lcr, given)
    const largest = first + 4199
    expect([result.leader?.id, result.verdict.ok]).toEqual([largest, true])
    expect(nodes.map(({ id }) => id).join()).toBe(given.ids.join())
    expect(new Set(nodes.map(({ leader }) => leader))).toEqual(new Set([largest]))
    const slow = outcome(lcr, given, general)
    expect(JSON.stringify(slow)).toBe(JSON.stringify({ fast: false, result, nodes }))
  })
})
