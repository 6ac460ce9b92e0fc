import { type Aggregate, average } from '../../src/core/language/aggregate.ts'
import { network } from '../../src/core/networks/network.ts'
import { Random } from '../../src/core/runtime/random.ts'
import {
  type CycleConditions,
  type CycleEntry,
  CycleSimulation,
  observe,
} from '../../src/sim/index.ts'

export const NO_CRASHES = { nodes: new Uint32Array(), times: new Float64Array() }

/** Of one number, by its rule. */
export function of(rule: typeof average): Aggregate {
  const mean = (values: Float64Array) => values.reduce((sum, each) => sum + each, 0) / values.length
  return {
    parts: [{ rule, start: ({ value }) => value }],
    chosen: 0,
    estimate: (parts) => parts[0],
    truth: rule.better ? (values) => Math.max(...values) : mean,
  }
}

/** Values are uniform from 0 to 1, and nothing happens but what the conditions say. */
export function gossiping(
  text: string,
  conditions: Partial<CycleConditions> = {},
  aggregate = of(average),
  seed = 1,
) {
  const random = Random.from(seed)
  const topology = network(text, { random: random.split('topology') })
  const values = Float64Array.from({ length: topology.n }, () => random.unit())
  return new CycleSimulation(aggregate, topology, values, {
    ...{ order: 'fresh', loss: 0, deaf: 0, epoch: 0, evaporation: 0 },
    ...{ view: 0, leader: null, leave: 0, join: 0 },
    ...{ crashes: NO_CRASHES, changes: { steps: [], drift: 0 }, random },
    ...conditions,
  })
}

/** What is seen at the beginning and after each cycle. */
export function cycled(simulated: CycleSimulation, cycles: number): CycleEntry[] {
  const entries = [observe(simulated, 0.01, null)]
  for (let cycle = 1; cycle <= cycles; cycle++) {
    simulated.run()
    entries.push(observe(simulated, 0.01, entries[cycle - 1]))
  }
  return entries
}
