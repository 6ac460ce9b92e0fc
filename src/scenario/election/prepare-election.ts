import {
  type Algorithm,
  ceilLog2,
  floorLog2,
  type Needs,
  Random,
  type Topology,
  UsageError,
} from '../../core/index.ts'
import type { Property } from '../../core/language/problem.ts'
import { neededNetworks } from '../../core/language/validation/needed-networks.ts'
import type { World } from '../../core/language/world.ts'
import { isConnected } from '../../core/networks/components.ts'
import { refuse } from '../../core/networks/parameter.ts'
import { electingLargest } from '../../core/runtime/election-keys.ts'
import { isRestartable, restarting } from '../../core/runtime/restart.ts'
import { propertiesOf } from '../../problems/algorithm-properties.ts'
import { amongStanding } from '../../problems/leader-election.ts'
import { factsForBounds } from '../../sim/bounds.ts'
import {
  type Conditions,
  type Delay,
  largestDelay,
  type NodeSchedule,
} from '../../sim/conditions.ts'
import { changesOverTime, reportsCrashes } from '../../sim/faults/faults.ts'
import { parseFaults } from '../faults/fault-fields.ts'
import { crashSchedule, faultPlanOf, mobilityOf, namesWithRetired } from '../faults/fault-plan.ts'
import {
  refuseRecoveryOfLive,
  refuseRetirement,
  validateFaults,
} from '../faults/fault-validation.ts'
import { attributesOf } from '../fields/attributes.ts'
import { coinScript } from '../fields/coins.ts'
import { corruptedStart } from '../fields/corruption.ts'
import { delayOf } from '../fields/delay.ts'
import { knownDiameter } from '../fields/diameter.ts'
import { idsOf } from '../fields/ids.ts'
import { refuseUncountable, sizedNetwork } from '../fields/sized-network.ts'
import { wakeSchedule } from '../fields/wake.ts'
import { weightsOf } from '../fields/weights.ts'
import { messageRunBytes } from '../memory-need.ts'
import type { MessageWorld, PreparedRun, Watching } from '../run.ts'
import {
  completeScenario,
  type FieldLocator,
  type ReadScenario,
  readScenario,
  type Scenario,
  type ScenarioInput,
} from '../scenario.ts'
import { type ElectionRun, electionRun } from './election-run.ts'

/** An election ready to run: its complete scenario, and what the engines need. */
export interface Preparation extends PreparedRun, MessageWorld {
  readonly scenario: Scenario
  readonly properties: readonly Property[]
  messages(): MessageWorld
  run(watching?: Watching): ElectionRun
}

/**
 * Reads the scenario of an election, rejects what is impossible, and builds the world. Long, since
 * each part of the world depends on those before it: parts of it would take most of them.
 */
export function prepareElection(
  given: ScenarioInput,
  algorithm: Algorithm,
  where: FieldLocator,
  readFile?: (path: string) => string,
): Preparation {
  const read = readScenario(given, algorithm, where)
  const network = topologyOf(given, read, algorithm, where, readFile)
  refuseUncountable(network, where('topology'))
  const { n } = network
  const asked = completeScenario(withListedWeights(read, given, network), network, algorithm)
  const ids = idsOf(where('ids'), asked.ids, n, asked.seed)
  const random = Random.from(asked.seed)
  // Roles share the network and its faults; each has a random stream for its own election.
  const own = asked.role === undefined ? random : random.split(`role ${asked.role}`)
  const { topology, events: moves } = mobilityOf(
    where('mobility'),
    asked.mobility,
    network,
    asked.until,
    random.split('mobility'),
  )
  const synchronous = asked.timing === 'sync'
  const unit = { synchronous }
  const planned = parseFaults(asked, where)
  const retired = planned.retire.length
  const attributes = attributesOf(where, asked, topology, ids, random.split('values'), retired)
  const { names: keyed } = attributes
  validateFaults(planned, { topology, unit, keyed: keyed !== undefined }, where)
  refuseRecoveryOfLive(planned, where)
  refuseRetirement(planned, algorithm, where)
  const crashes = crashSchedule(planned, n, unit, random.split('crash'))
  const faults = faultPlanOf(planned, unit, moves)
  const scenario = given.wake === undefined ? wokenByLiveNode(asked, algorithm, crashes, n) : asked
  const starts = wakeSchedule(where('wake'), scenario.wake, n, unit, own.split('wake'))
  const weights = algorithm.needs.knows?.includes('weights')
    ? weightsOf(where('weights'), scenario.weights ?? 'random', topology, random.split('weights'))
    : null
  const names = keyed && namesWithRetired(faults, keyed, ids)
  const bare = {
    algorithm,
    topology,
    ...attributes,
    ...(names && { names }),
    params: knownDiameter(algorithm, topology, scenario, where),
    ...(weights && { weights }),
  }
  const delay = delayOf(where('delay'), scenario.delay ?? 'unit', { topology, weights, readFile })
  const facts = factsForBounds(bare, { starts, crashes, delay, synchronous })
  const defaults = Object.entries(algorithm.params).map(([name, { value }]) => [name, value(facts)])
  const params = { ...Object.fromEntries(defaults), ...scenario.set }
  const decided =
    (scenario['elect-by'] ?? 'id') === 'id'
      ? algorithm
      : electingLargest(where('elect-by'), algorithm)
  const variant = decided.variant(params) ?? decided
  const closes = topology.kind === 'ring' && isRestartable(variant)
  const restarts = closes && reportsCrashes(crashes, faults)
  const corrupted = corruptedStart(where, scenario, variant, bare, own)
  const world: World = {
    ...bare,
    algorithm: restarts ? restarting(variant) : variant,
    params,
    ...(corrupted && { corrupted }),
  }
  const together = facts.together && starts.times[0] === 0
  refuseWeaker(scenario, world.algorithm, { together, bounded: isBounded(delay) }, where)
  refuseUnbounded(algorithm, params, where)
  refuseBeyond(variant, { ...facts, settings: params }, scenario, where)
  const conditions: Conditions = {
    synchronous,
    delay,
    fifo: scenario.order === 'fifo',
    starts,
    crashes,
    faults,
    random: own,
    ...(scenario.coins && { coins: coinScript(where('coins'), scenario.coins, n) }),
    until: scenario.until - (synchronous ? 1 : 0),
    maxMessages: scenario['max-messages'],
  }
  const properties = electionProperties(
    scenario,
    { ...decided, problem: variant.problem },
    crashes.nodes.length > 0 || changesOverTime(faults) || !isConnected(topology),
  )
  return preparation(scenario, { world, conditions }, properties)
}

function preparation(
  scenario: Scenario,
  messages: MessageWorld,
  properties: readonly Property[],
): Preparation {
  const { world, conditions } = messages
  const ready = { scenario, world, conditions, properties }
  return {
    ...ready,
    topology: world.topology,
    messages: () => messages,
    bytes: () => messageRunBytes(world, conditions),
    run: (watching) => electionRun(ready, watching),
  }
}

/** What is judged in a world, which may elect by an attribute. */
export function electionProperties(
  { 'elect-by': by = 'id', retire }: Scenario,
  algorithm: Algorithm,
  faults: boolean,
): readonly Property[] {
  const properties =
    by === 'id'
      ? propertiesOf(algorithm, faults)
      : propertiesOf(electingLargest('elect-by', algorithm), faults, by)
  return retire === 'none' ? properties : properties.map(amongStanding)
}

/** If the only starter was never up, the first node that was up starts instead. */
function wokenByLiveNode(
  scenario: Scenario,
  { starters }: Algorithm,
  crashes: NodeSchedule,
  n: number,
): Scenario {
  const neverUp = new Set(crashes.nodes.filter((_, i) => crashes.times[i] < 0))
  let first = 0
  while (neverUp.has(first)) first++
  return starters === 'all' || first === n ? scenario : { ...scenario, wake: String(first) }
}

/** Weights of the network's file are the default where the file has some. */
function withListedWeights(
  read: ReadScenario,
  given: ScenarioInput,
  { listed }: Topology,
): ReadScenario {
  const listing = listed?.weights !== undefined && given.weights === undefined
  return listing && read.weights !== undefined ? { ...read, weights: 'file' } : read
}

/** The given network, or the algorithm's default network of the given size. */
function topologyOf(
  given: ScenarioInput,
  read: ReadScenario,
  algorithm: Algorithm,
  where: FieldLocator,
  readFile?: (path: string) => string,
): Topology {
  const { knows = [], topology: needed } = algorithm.needs
  const options = {
    // Link numbers must tell nothing to a node that knows neither directions nor neighbours.
    shuffled: !['direction', 'peers'].some((what) => knows.includes(what as never)),
    allowComponents: algorithm.lasting,
    ...(readFile && { readFile }),
  }
  const topology = sizedNetwork(given, read, (n) => defaultNetwork(algorithm, n), options, where)
  const { words, why = '', fits, runsOn } = neededNetworks[needed]
  if (fits(topology)) return topology
  const weaker = runsOn(topology)
  if (weaker && read['allow-weaker']) return topology
  const { n, name } = topology
  throw new UsageError(
    where('topology'),
    `${algorithm.name} needs ${words}, not ${name}${why}.`,
    `Use ${networkNear(needed, n)}${weaker ? `, or add ${where('allow-weaker')} to see the algorithm fail` : ''}.`,
  )
}

function defaultNetwork({ name, needs }: Algorithm, n: number): string {
  const { words, sized } = neededNetworks[needs.topology]
  const sizes = [2 ** floorLog2(n), 2 ** ceilLog2(n)]
  return (
    sized(n) ??
    refuse(
      `${name} needs ${words}, whose size is a power of two, not ${n}.`,
      `Use ${sizes.join(' or ')} nodes.`,
    )
  )
}

/** The usual network of n nodes, or of the next possible size. */
function networkNear(needed: Needs['topology'], n: number): string {
  const { sized } = neededNetworks[needed]
  return sized(n) ?? sized(2 ** ceilLog2(n))!
}

function isBounded(delay: Delay): boolean {
  return largestDelay(delay) < Number.POSITIVE_INFINITY
}

/** Rejects a world that is weaker than the algorithm needs, unless it is asked for. */
function refuseWeaker(
  scenario: Scenario,
  { name, needs }: Algorithm,
  { together, bounded }: { readonly together: boolean; readonly bounded: boolean },
  where: FieldLocator,
): void {
  if (scenario['allow-weaker']) return
  const weaker: [field: string, needed: string, given: string, remedy: string][] = []
  if (needs.time === 'rounds' && scenario.timing === 'async') {
    weaker.push(['timing', 'synchronous rounds', 'async', 'sync'])
  }
  if (needs.time === 'bounded delay' && !bounded) {
    weaker.push(['delay', 'bounded delays', scenario.delay ?? 'unit', 'uniform:1:10'])
  }
  if (needs.order === 'fifo' && scenario.order === 'any') {
    weaker.push(['order', 'FIFO links', 'any', 'fifo'])
  }
  if (needs.ids !== undefined && needs.topology !== 'ring' && scenario.ids === 'same') {
    weaker.push(['ids', 'distinct ids', 'same', 'random'])
  }
  if (needs.start === 'together' && !together) {
    weaker.push(['wake', 'all nodes to start at the same time', scenario.wake, 'all'])
  }
  for (const [field, needed, given, remedy] of weaker) {
    throw new UsageError(
      where(field),
      `${name} needs ${needed}, not ${given}.`,
      `Set ${where(field)} to ${remedy}, or add ${where('allow-weaker')} to see the algorithm fail.`,
    )
  }
}

/** Checks the worst case of any start: only the nodes with the two largest ids start. */
export function refuseAnyStart(
  { world, conditions, scenario }: Preparation,
  where: FieldLocator,
): void {
  const { algorithm, ids } = world
  const facts = factsForBounds(world, conditions)
  const [, second = ids[0]] = Float64Array.from(ids).sort().reverse()
  refuseBeyond(
    algorithm,
    { ...facts, starters: ids.length, smallestStarter: second },
    scenario,
    where,
  )
}

/** A parameter that is derived from the bound on delays must be given where there is no bound. */
function refuseUnbounded({ name }: Algorithm, params: World['params'], where: FieldLocator): void {
  const unbounded = Object.keys(params).find((param) => params[param] === Number.POSITIVE_INFINITY)
  if (unbounded === undefined) return
  throw new UsageError(
    where('set'),
    `${name} cannot derive ${unbounded}, because delays are unbounded.`,
    `Set it, for example ${where('set')} ${unbounded}=2.`,
  )
}

function refuseBeyond(
  algorithm: Algorithm,
  facts: Parameters<Algorithm['beyond']>[0],
  { 'allow-weaker': allowed }: Scenario,
  where: FieldLocator,
): void {
  const reason = algorithm.beyond(facts)
  if (reason === null || (reason.weaker && allowed)) return
  const { field = 'ids', problem, hint, weaker } = reason
  const shown = weaker
    ? `${hint.replace(/\.$/, '')}, or add ${where('allow-weaker')} to see the algorithm fail.`
    : hint
  throw new UsageError(where(field), problem, shown)
}
