import { convergenceFactor } from '../../algorithms/index.ts'
import { Random, type Topology } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import {
  type Conditions,
  type FaultPlan,
  hasFaults,
  type NodeSchedule,
  PeriodSimulation,
  simulate,
} from '../../sim/index.ts'
import { type FaultFields, faultPlanOf, readFaults } from '../faults/fault-plan.ts'
import { overridesOf } from '../faults/message-overrides.ts'
import { readDelay } from '../fields/delay.ts'
import { text, word } from '../fields/reading.ts'
import { CYCLES, crashPlan, wakePlan } from '../fields/schedule-text.ts'
import type { FieldLocator, ScenarioInput } from '../scenario.ts'
import type { AggregationScenario, GossipNetwork, GossipSetup } from './prepare-gossip.ts'

/** What only an aggregation by messages has. */
export interface MessageFields extends Pick<FaultFields, (typeof WRONGS)[number]> {
  readonly delay: string
  readonly order: 'fifo' | 'any'
  readonly wake: string
}

const WRONGS = ['recover', 'duplicate', 'partition', 'cut', 'tamper'] as const
export const MESSAGE_FIELDS = ['delay', 'order', 'wake', ...WRONGS]

export function readMessageFields(given: ScenarioInput, where: FieldLocator): MessageFields {
  const { delay = 'unit', order = 'fifo', wake = 'all' } = given
  const { recover, duplicate, partition, cut, tamper } = readFaults(given, 'async', where)
  return {
    delay: text(where('delay'), delay, 'unit'),
    order: word(where('order'), order, ['fifo', 'any']),
    wake: text(where('wake'), wake, 'all or 0,4@3'),
    ...{ recover, duplicate, partition, cut, tamper },
  }
}

/** Messages take their time; a cycle is a period, in which every node begins one exchange. */
export function byMessages(ground: GossipNetwork): GossipSetup {
  const { scenario, aggregate, topology, changes, leader } = ground
  const { set, seed } = scenario
  const random = Random.from(seed).split('messages')
  const conditions = conditionsOf(ground)
  const { faults, crashes } = conditions
  const calm = crashes.nodes.length === 0 && scenario.wake === 'all' && !hasFaults(faults)
  const steady = [set.epoch, set.evaporation, set.deaf, set.exchanges].every((it) => it === 0)
  const averages = aggregate.parts.every(({ rule }) => rule.change !== undefined)
  const complete = topology.kind === 'complete'
  return {
    // Theory speaks of exchanges that are done at once; short delays come near to that.
    expected:
      calm && steady && averages ? convergenceFactor({ complete, order: 'fresh', loss: 0 }) : null,
    begin(watching = {}) {
      const simulation = simulate(worldOf(ground), conditions, [], watching)
      return new PeriodSimulation(simulation, { changes, leader, random })
    },
    world: () => ({ world: worldOf(ground), conditions, changes }),
  }
}

/** The values are the world's own, and may change. The leader and those after it hold a 1. */
function worldOf({
  scenario,
  aggregation,
  aggregate,
  topology,
  leader,
  values,
}: GossipNetwork): World {
  const { n } = topology
  const { set, seed } = scenario
  const settings = set as Readonly<Record<string, number>>
  const algorithm = aggregation.algorithm(settings)
  const chosen = new Int32Array(n).fill(-1)
  for (let place = 0; place < aggregate.chosen; place++) chosen[((leader ?? 0) + place) % n] = place
  const deaf = deafOnes(n, settings.deaf, Random.from(seed).split('deaf'))
  const params = Object.keys(algorithm.params).map((name) => [name, set[name]])
  return {
    algorithm: algorithm.variant(set) ?? algorithm,
    topology,
    ids: Float64Array.from({ length: n }, (_, node) => node),
    values: values(),
    chosen,
    params: Object.fromEntries(params),
    ...(deaf && { deaf }),
  }
}

/** By position, 1 for those that nobody ever picks; null where anybody may be picked. */
function deafOnes(n: number, share: number, random: Random): Uint8Array | null {
  const count = Math.round(share * n)
  if (count === 0) return null
  const marks = new Uint8Array(n)
  for (const node of random.permutation(n).subarray(0, count)) marks[node] = 1
  return marks
}

function conditionsOf({
  scenario,
  topology,
  where,
}: GossipNetwork): Conditions & { readonly faults: FaultPlan } {
  const { n } = topology
  const { delay, order, wake, ...faults } = scenario as AggregationScenario & MessageFields
  const period = Number(scenario.set.period)
  const random = Random.from(scenario.seed)
  const timed = ({ nodes, times }: NodeSchedule): NodeSchedule => ({
    nodes,
    times: times.map((cycle) => happensAt(cycle, period)),
  })
  const woken = wakePlan(where('wake'), wake, n, CYCLES, random.split('wake'))
  return {
    synchronous: false,
    delay: readDelay(where('delay'), delay),
    fifo: order === 'fifo',
    starts: { nodes: woken.nodes, times: woken.times.map((cycle) => cycle * period) },
    crashes: timed(crashPlan(where('crash'), scenario.crash, n, CYCLES, random.split('crash'))),
    faults: faultsIn(faults, topology, period, where),
    random: random.split('messages'),
    until: Number.MAX_SAFE_INTEGER,
    maxMessages: Number.MAX_SAFE_INTEGER,
  }
}

/** Nobody is told of anything: who gossips needs no failure detector. */
const UNTOLD = {
  retire: 'none',
  suspect: 'none',
  detect: 'off',
  again: 'never',
  mobility: 0,
} as const

function faultsIn(
  { loss, recover, duplicate, partition, cut, tamper }: Omit<FaultFields, keyof typeof UNTOLD>,
  topology: Topology,
  period: number,
  where: FieldLocator,
): FaultPlan {
  const fields = { ...UNTOLD, loss, recover, duplicate, partition, cut, tamper: 'none' }
  const faults = faultPlanOf(fields, topology, CYCLES, true, [], where)
  const events = faults.events.map((it) => ({ ...it, at: happensAt(it.at, period) }))
  // A message is on its way for a part of a cycle: its times are those of the trace.
  const overrides = overridesOf(where('tamper'), tamper, { synchronous: false })
  return { ...faults, events, overrides }
}

/**
 * When something happens that happens in a cycle: as it begins, but after those have started who
 * start in the first one. What was so before stays before it.
 */
function happensAt(cycle: number, period: number): number {
  return cycle < 0 ? cycle : Math.max(cycle * period, Number.MIN_VALUE)
}
