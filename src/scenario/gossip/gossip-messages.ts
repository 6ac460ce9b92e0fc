import type { Aggregation } from '../../algorithms/aggregation.ts'
import { Random, UsageError } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { text, trueOrFalse, word } from '../../options/reading.ts'
import {
  type Delay,
  type FaultPlan,
  largestDelay,
  type NodeSchedule,
  PeriodSimulation,
  simulationOf,
} from '../../sim/index.ts'
import {
  type FaultFields,
  NO_FAULT_FIELDS,
  type PlannedFaults,
  parseFaults,
  readFaultFields,
} from '../faults/fault-fields.ts'
import { crashSchedule, faultPlanOf, overridesOf } from '../faults/fault-plan.ts'
import { validateFaults } from '../faults/fault-validation.ts'
import { coinScript } from '../fields/coins.ts'
import { delayOf } from '../fields/delay.ts'
import { refuseUncountable } from '../fields/sized-network.ts'
import { CYCLES, TIME } from '../fields/time-unit.ts'
import { wakeSchedule } from '../fields/wake.ts'
import { messageRunBytes } from '../memory-need.ts'
import type { FieldLocator, ScenarioInput } from '../scenario.ts'
import { needsRounds, reliesOnDetector } from './gossip-settings.ts'
import type { AggregationScenario, GossipNetwork, GossipSetup } from './prepare-gossip.ts'

/** The fields that only gossip by messages has. */
export interface MessageFields
  extends Pick<FaultFields, 'recover' | 'duplicate' | 'partition' | 'cut' | 'tamper'> {
  readonly delay: string
  readonly order: 'fifo' | 'any'
  readonly wake: string
  readonly coins?: string
  /** Where nodes rely on a failure detector: its delay. */
  readonly detect?: number | 'off'
  /** Where nodes need rounds. */
  readonly 'allow-weaker'?: boolean
}

export function readMessageFields(
  given: ScenarioInput,
  aggregation: Aggregation,
  where: FieldLocator,
): MessageFields {
  const { delay = 'unit', order = 'fifo', wake = 'all' } = given
  const { recover, duplicate, partition, cut, tamper, detect } = readFaultFields(
    given,
    'async',
    where,
  )
  return {
    delay: text(where('delay'), delay, 'unit'),
    order: word(where('order'), order, ['fifo', 'any']),
    wake: text(where('wake'), wake, 'all or 0,4@3'),
    ...(given.coins !== undefined && { coins: text(where('coins'), given.coins, '0:2,5;1:7') }),
    recover,
    duplicate,
    partition,
    cut,
    tamper,
    ...(reliesOnDetector(aggregation) && { detect }),
    ...(needsRounds(aggregation) && {
      'allow-weaker': trueOrFalse(where('allow-weaker'), given['allow-weaker'] ?? false),
    }),
  }
}

/** Rejects a world without the rounds that an aggregation needs, unless it is asked for. */
function refuseWithoutRounds(
  { aggregation, scenario, where }: GossipNetwork,
  delay: Delay,
  { nodes, times }: NodeSchedule,
  n: number,
): void {
  if (!needsRounds(aggregation) || scenario['allow-weaker']) return
  const weaker = `or add ${where('allow-weaker')} to see the sum drift.`
  const period = Number(scenario.set.period)
  const longest = largestDelay(delay)
  const { name } = aggregation
  if (longest > period) {
    const found = Number.isFinite(longest) ? `delays are up to ${longest}` : 'delays have no bound'
    const longer = Number.isFinite(longest) ? `, ${where('set')} period=${longest}` : ''
    throw new UsageError(
      where('delay'),
      `${name} needs messages to arrive within a round of ${period}, but ${found}.`,
      `Use a delay up to ${period}${longer}, ${weaker}`,
    )
  }
  if (nodes.length < n || times.some((time) => time !== times[0]))
    throw new UsageError(
      where('wake'),
      `${name} needs all nodes to start at the same time, not ${scenario.wake}.`,
      `Use all, ${weaker}`,
    )
}

/** Gossip by messages: delays apply, and every node begins one exchange per period. */
export function gossipByMessages(network: GossipNetwork): GossipSetup {
  const { scenario, topology, changes, leader, where } = network
  refuseUncountable(topology, where('topology'))
  const random = Random.from(scenario.seed).split('messages')
  const conditions = conditionsOf(network)
  return {
    // The theory is that of immediate exchanges: delays make the variance shrink more slowly.
    expected: null,
    bytes: () => messageRunBytes(worldOf(network), conditions),
    begin(watching = {}) {
      const simulation = simulationOf(worldOf(network), conditions, [], watching)
      return new PeriodSimulation(simulation, { changes, leader, random })
    },
    messages: () => ({ world: worldOf(network), conditions, changes }),
  }
}

/** The world owns its values, which may change. The leader and the nodes after it hold a 1. */
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
  const algorithm = aggregation.algorithm({ ...set, n })
  const chosen = new Int32Array(n).fill(-1)
  for (let place = 0; place < aggregate.chosen; place++) chosen[((leader ?? 0) + place) % n] = place
  const deaf = deafNodes(n, Number(set.deaf ?? 0), Random.from(seed).split('deaf'))
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

/** By position, 1 for nodes that are never picked; null if every node may be picked. */
function deafNodes(n: number, share: number, random: Random): Uint8Array | null {
  const count = Math.round(share * n)
  if (count === 0) return null
  const marks = new Uint8Array(n)
  for (const node of random.permutation(n).subarray(0, count)) marks[node] = 1
  return marks
}

function conditionsOf(network: GossipNetwork) {
  const { scenario, topology, where, readFile } = network
  const { n } = topology
  const { delay, order, wake, coins, ...fields } = scenario as AggregationScenario & MessageFields
  const period = Number(scenario.set.period)
  const random = Random.from(scenario.seed)
  // Most need no failure detector. New ids have no place, since gossip does not compare ids.
  const faults = parseFaults({ ...NO_FAULT_FIELDS, ...fields }, where)
  validateFaults(faults, { topology, unit: CYCLES, overrideUnit: TIME, keyed: true }, where)
  const woken = wakeSchedule(where('wake'), wake, n, CYCLES, random.split('wake'))
  const crashes = crashSchedule(faults, n, CYCLES, random.split('crash'))
  const delays = delayOf(where('delay'), delay, { topology, readFile })
  refuseWithoutRounds(network, delays, woken, n)
  return {
    synchronous: false,
    delay: delays,
    fifo: order === 'fifo',
    starts: { nodes: woken.nodes, times: woken.times.map((cycle) => cycle * period) },
    crashes: { ...crashes, times: crashes.times.map((cycle) => beginningOf(cycle, period)) },
    faults: faultPlanIn(faults, period),
    random: random.split('messages'),
    ...(coins && { coins: coinScript(where('coins'), coins, n) }),
    until: Number.MAX_SAFE_INTEGER,
    maxMessages: Number.MAX_SAFE_INTEGER,
  }
}

/** Faults happen at the beginning of a cycle, but messages are in flight within one. */
function faultPlanIn(faults: PlannedFaults, period: number): FaultPlan {
  const plan = faultPlanOf(faults, CYCLES, [])
  return {
    ...plan,
    events: plan.events.map((event) => ({ ...event, at: beginningOf(event.at, period) })),
    overrides: overridesOf(faults.tamper, TIME),
  }
}

/** The beginning of a cycle, but after the starts of the first one; before the start stays so. */
function beginningOf(cycle: number, period: number): number {
  return cycle < 0 ? cycle : Math.max(cycle * period, Number.MIN_VALUE)
}
