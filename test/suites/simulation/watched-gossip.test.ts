import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregations } from '../../../src/algorithms/index.ts'
import { prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { estimator } from '../../../src/sim/index.ts'
import { campaign } from '../../support/campaign.ts'
import { aggregationNamed, type Observer, outcome } from '../../support/gossip-fixture.ts'

/** Reads all that an observer can reach, the first node last. */
const everything: Observer = (run) => {
  const { simulation, n, population, aggregate } = run
  const estimate = estimator(run)
  const stateOf = simulation.states.cursor()
  simulation.states.all().map((state) => simulation.algorithm.layout.json(state))
  for (let node = n - 1; node >= 0; node--) {
    estimate(node)
    stateOf(node)
    simulation.monitor.name(node)
    simulation.monitor.state(node)
    for (const part of aggregate.parts.keys()) run.valueAt(node, part)
  }
  for (const part of aggregate.parts.keys()) run.average(part)
  expect(population.active + population.waiting).toBe(population.alive)
}

const scenarios = fc.record(
  {
    algorithm: fc.constantFrom(...aggregations.map(({ name }) => name)),
    topology: fc.constantFrom('complete:9', 'ring:9', 'small-world:12:4:0.3', 'scale-free:10:2'),
    seed: fc.nat(1000),
    timing: fc.constant('async'),
    until: fc.integer({ min: 2, max: 6 }),
    delay: fc.constantFrom('constant:0.1', 'uniform:1:9', 'exponential:4'),
    values: fc.constantFrom('index', 'peak', 'uniform:1:5'),
    crash: fc.constantFrom('none', '1@3', '0.3@12'),
    loss: fc.constantFrom(0, 0.2),
    order: fc.constantFrom('fifo', 'any'),
    set: fc.constantFrom({}, { epoch: 2 }, { period: 5 }),
  },
  { requiredKeys: ['algorithm', 'topology', 'seed', 'until', 'timing'] },
)

/** Some settings do not go together. */
function accepted(given: ScenarioInput): boolean {
  try {
    prepare(given, aggregationNamed(given.algorithm), String).begin()
    return true
  } catch {
    return false
  }
}

const SCENARIOS = campaign(400)

describe('gossip by messages that is watched', () => {
  it.each(aggregations)('$name comes out as it does unwatched', ({ name }) => {
    const values = Array.from({ length: 10 }, (_, node) => 0.1 + node / 20)
    const world = { topology: 'complete:10', values, until: 6, seed: 3, timing: 'async' }
    const given = { algorithm: name, ...world }
    expect(outcome(given, everything)).toEqual(outcome(given, null))
  })

  it('comes out the same in any scenario', () => {
    let run = 0
    fc.assert(
      fc.property(scenarios, (given) => {
        if (!accepted(given)) return
        run++
        expect(outcome(given, everything)).toEqual(outcome(given, null))
      }),
      { numRuns: SCENARIOS },
    )
    expect(run).toBeGreaterThan(SCENARIOS / 3)
  })
})
