import { type Algorithm, Random, type Topology, UsageError } from '../core/index.ts'
import type { Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import { isConnected } from '../core/networks/components.ts'
import { isRestartable, restarting } from '../core/runtime/restart.ts'
import { propertiesOf } from '../problems/demands.ts'
import {
  type Conditions,
  changesOverTime,
  factsOf,
  type NodeSchedule,
  reportsCrashes,
} from '../sim/index.ts'
import {
  countOf,
  faultPlanOf,
  namesWith,
  refuseRetirement,
  refuseTheLiving,
} from './faults/fault-plan.ts'
import { attributesOf } from './fields/attributes.ts'
import { readDelay } from './fields/delay.ts'
import { idsOf } from './fields/ids.ts'
import { mobilityOf } from './fields/mobility.ts'
import { crashPlan, wakePlan } from './fields/schedule-text.ts'
import { sizedNetwork } from './fields/sized-network.ts'
import { weightsOf } from './fields/weights.ts'
import {
  complete,
  type FieldLocator,
  type ReadScenario,
  readScenario,
  type Scenario,
  type ScenarioInput,
} from './scenario.ts'

/** A scenario made ready to run: the whole of it in words, and what the drivers need. */
export interface Preparation {
  readonly scenario: Scenario
  readonly world: World
  readonly conditions: Conditions
  readonly properties: readonly Property[]
}

/** Reads what was given, refuses what cannot be, and builds the world. */
export function prepare(
  given: ScenarioInput,
  algorithm: Algorithm,
  where: FieldLocator,
  readFile?: (path: string) => string,
): Preparation {
  const read = readScenario(given, algorithm, where)
  const network = topologyOf(given, read, algorithm, where, readFile)
  const { n } = network
  const asked = complete(read, network)
  const ids = idsOf(where('ids'), asked.ids, n, asked.seed)
  const random = Random.from(asked.seed)
  // A role draws by itself what happens in its election, and shares the network and its faults.
  const own = asked.role === undefined ? random : random.split(`role ${asked.role}`)
  const { topology, changes: moves } = mobilityOf(
    where('mobility'),
    asked.mobility,
    network,
    asked.until,
    random.split('mobility'),
  )
  const synchronous = asked.timing === 'sync'
  const clock = { synchronous }
  const crashes = crashPlan(where('crash'), asked.crash, n, clock, random.split('crash'))
  const scenario = given.wake === undefined ? wokenByTheLiving(asked, algorithm, crashes, n) : asked
  const starts = wakePlan(where('wake'), scenario.wake, n, clock, own.split('wake'))
  const weights = algorithm.needs.knows?.includes('weights')
    ? weightsOf(where('weights'), scenario.weights ?? 'random', topology, random.split('weights'))
    : null
  const retiring = countOf(scenario.retire)
  const attributes = attributesOf(where, scenario, topology, ids, random.split('values'), retiring)
  const { names: keyed } = attributes
  const faults = faultPlanOf(scenario, topology, clock, keyed !== undefined, moves, where)
  const names = keyed && namesWith(faults, keyed, ids)
  const bare = {
    algorithm,
    topology,
    ...attributes,
    ...(names && { names }),
    params: {},
    ...(weights && { weights }),
  }
  const delay = readDelay(where('delay'), scenario.delay ?? 'unit')
  const facts = factsOf(bare, { starts, crashes, delay })
  const defaults = Object.entries(algorithm.params).map(([name, { value }]) => [name, value(facts)])
  const params = { ...Object.fromEntries(defaults), ...scenario.set }
  const variant = algorithm.variant(params) ?? algorithm
  const closes = topology.kind === 'ring' && isRestartable(variant)
  const renews = closes && reportsCrashes(crashes, faults)
  const world: World = { ...bare, algorithm: renews ? restarting(variant) : variant, params }
  refuseWeaker(scenario, world.algorithm, facts.together && starts.times[0] === 0, where)
  refuseEndless(algorithm, params, where)
  refuseBeyond(variant, facts, where)
  refuseRetirement(scenario, algorithm, where)
  refuseTheLiving(faults, crashes, scenario.crash, where)
  return {
    scenario,
    world,
    conditions: {
      synchronous,
      delay,
      fifo: scenario.order === 'fifo',
      starts,
      crashes,
      faults,
      random: own,
      until: scenario.until - (synchronous ? 1 : 0),
      maxMessages: scenario['max-messages'],
    },
    properties: propertiesOf(
      algorithm,
      crashes.nodes.length > 0 || changesOverTime(faults) || !isConnected(topology),
    ),
  }
}

/** Where one node starts, and it was never up, the first that was starts in its place. */
function wokenByTheLiving(
  scenario: Scenario,
  { starters }: Algorithm,
  crashes: NodeSchedule,
  n: number,
): Scenario {
  const dead = new Set(crashes.nodes.filter((_, i) => crashes.times[i] < 0))
  let first = 0
  while (dead.has(first)) first++
  return starters === 'all' || first === n ? scenario : { ...scenario, wake: String(first) }
}

/** The network that was named, or the algorithm's own at the size that was given. */
function topologyOf(
  given: ScenarioInput,
  read: ReadScenario,
  algorithm: Algorithm,
  where: FieldLocator,
  readFile?: (path: string) => string,
): Topology {
  const { knows = [], topology: needed } = algorithm.needs
  const options = {
    // Where neither directions nor neighbours are known, the numbers of links tell nothing.
    shuffled: !['direction', 'peers'].some((what) => knows.includes(what as never)),
    allowComponents: algorithm.lasting,
    ...(readFile && { readFile }),
  }
  const topology = sizedNetwork(given, read, (n) => defaultNetwork(algorithm, n), options, where)
  if (needed !== 'any' && needed !== topology.kind) {
    throw new UsageError(
      where('topology'),
      `${algorithm.name} needs a ${needed} network, but ${topology.name} was given.`,
      `Use ${needed}:${topology.n}.`,
    )
  }
  return topology
}

function defaultNetwork(algorithm: Algorithm, n: number): string {
  const { topology } = algorithm.needs
  if (topology !== 'any') return `${topology}:${n}`
  // Three digits can be read and copied; twice as many links as are needed leave room for that.
  const probability = Number(Math.min(1, (2 * Math.log(n)) / n).toPrecision(3))
  return `random:${n}:${probability}`
}

/** A world weaker than the algorithm needs is refused, unless it is asked for. */
function refuseWeaker(
  scenario: Scenario,
  { name, needs }: Algorithm,
  together: boolean,
  where: FieldLocator,
): void {
  if (scenario['allow-weaker']) return
  const weaker: [field: string, needed: string, given: string, remedy: string][] = []
  if (needs.time === 'rounds' && scenario.timing === 'async') {
    weaker.push(['timing', 'synchronous rounds', 'async', 'Use --timing sync'])
  }
  if (needs.time === 'bounded delay' && scenario.delay?.startsWith('exponential')) {
    weaker.push(['delay', 'delays with a bound', scenario.delay, 'Use --delay uniform:1:10'])
  }
  if (needs.order === 'fifo' && scenario.order === 'any') {
    weaker.push(['order', 'links that keep the order of messages', 'any', 'Use --order fifo'])
  }
  if (needs.ids !== undefined && needs.topology !== 'ring' && scenario.ids === 'same') {
    weaker.push(['ids', 'nodes with different ids', 'same', 'Use --ids random'])
  }
  if (needs.start === 'together' && !together) {
    weaker.push(['wake', 'all nodes to start at the beginning', scenario.wake, 'Use --wake all'])
  }
  for (const [field, needed, given, remedy] of weaker) {
    throw new UsageError(
      where(field),
      `${name} needs ${needed}, but ${given} was given.`,
      `${remedy}, or add --allow-weaker to see it break.`,
    )
  }
}

/** Where any nodes may start, the two largest ids may be the only ones. */
export function refuseAnyStart({ world, conditions }: Preparation, where: FieldLocator): void {
  const { algorithm, ids } = world
  const facts = factsOf(world, conditions)
  const [, second = ids[0]] = Float64Array.from(ids).sort().reverse()
  refuseBeyond(algorithm, { ...facts, starters: ids.length, smallestStarter: second }, where)
}

/** A parameter that follows from a bound must be given where there is no bound. */
function refuseEndless({ name }: Algorithm, params: World['params'], where: FieldLocator): void {
  const endless = Object.keys(params).find((param) => params[param] === Number.POSITIVE_INFINITY)
  if (endless === undefined) return
  throw new UsageError(
    where('set'),
    `${name} needs a ${endless} where delays have no bound, but none was given.`,
    `Add for example --set ${endless}=2.`,
  )
}

function refuseBeyond(
  algorithm: Algorithm,
  facts: Parameters<Algorithm['beyond']>[0],
  where: FieldLocator,
): void {
  const reason = algorithm.beyond(facts)
  if (reason === null) return
  throw new UsageError(where('ids'), `${reason.needed}, but ${reason.given}.`, reason.remedy)
}
