import { type Aggregation, type AggregationName, offers } from '../algorithms/index.ts'
import {
  anyFault,
  type CheckOptions,
  FAULT_KINDS,
  type FaultKind,
  type FaultOptions,
  type Mode,
  modeText,
  overallVerdict,
  validateOptions,
} from '../check/index.ts'
import type { Algorithm, Property, StateOf } from '../core/index.ts'
import { unexpected } from '../options/reading.ts'
import { optionNamed, scenarioInput } from '../options/scenario.ts'
import type { ScenarioOptions } from '../options/scenario-options.ts'
import type { Explorable } from '../scenario/check-target.ts'
import { type ArrangedResult, exploreArranged, limitsIn, PAIRS } from './arrangements.ts'
import { checkModel, searchBudget } from './check-model.ts'
import { refuseOptions } from './option-checks.ts'
import { ownProperties } from './own-properties.ts'
import type { SettingsOf } from './simulate.ts'
import { type AlgorithmOf, definitionOf, type ElectionTarget, runnable } from './targets.ts'

/** The options of a scenario that an exploration has; faults and delays are its own. */
const WORLD = [
  'topology',
  'n',
  'ids',
  'wake',
  'order',
  'seed',
  'set',
  'allowWeaker',
  'crash',
  'detect',
  'values',
  'electBy',
  'weights',
  'corrupt',
  'tables',
] as const satisfies readonly (keyof ScenarioOptions)[]

const OPTIONS = [
  ...WORLD,
  ...FAULT_KINDS,
  'reappear',
  'oneWay',
  'drift',
  'draws',
  'bound',
  'timeouts',
  'links',
  'mode',
  'reduction',
  'exact',
  'states',
  'memory',
  'seconds',
  'walk',
  'properties',
  'onProgress',
  'unchecked',
]

const TYPES = {
  onProgress: 'function',
  exact: 'boolean',
  reappear: 'boolean',
  oneWay: 'boolean',
  unchecked: 'boolean',
} as const

/**
 * The world that is explored, the faults that may occur in it, and what the search may take. All
 * options have a default: without faults, every interleaving of a network of 4 nodes (a complete
 * one of 3), for every arrangement of the ids, over links as the definition needs them.
 */
export interface ExplorationOptions<A extends Algorithm = Algorithm>
  extends Omit<Pick<ScenarioOptions, (typeof WORLD)[number]>, 'set' | 'wake' | 'crash'>,
    Partial<Readonly<Record<FaultKind, number>>> {
  /** Parameters of the algorithm, by name. */
  readonly set?: SettingsOf<A> | string | readonly string[]
  /** `'any'`: any nodes start by themselves, at any time; or these, at the beginning. */
  readonly wake?: 'any' | 'all' | readonly number[] | (string & {})
  /** Nodes that are down from the beginning. */
  readonly crash?: readonly number[] | string
  /** A recovering node takes the id of another node. */
  readonly reappear?: boolean
  /** Cuts and partitions may also be of one direction. */
  readonly oneWay?: boolean
  /** In mode clocked: each timer fires up to so many units of time early or late. */
  readonly drift?: number
  /** The most random choices of a node; runs with more are cut. */
  readonly draws?: number
  /** The largest values of state fields; runs that exceed one are cut. Terms: 2 by default. */
  readonly bound?: Readonly<Record<string, number>> | string | readonly string[]
  /** With a clock: the most values that are tried of each random delay; all by default. */
  readonly timeouts?: number
  /** `'lossy'`: a message that was sent may arrive never, once or often, in any order. */
  readonly links?: 'reliable' | 'lossy'
  /** When timers fire and messages arrive; by default what the algorithm needs. */
  readonly mode?: Mode | 'untimed' | 'patient' | `clocked:${number}` | 'clocked:any'
  /** `'auto'` leaves out interleavings that make no difference. */
  readonly reduction?: 'off' | 'auto'
  /** Whether to keep every state whole, instead of a hash of 64 bits. */
  readonly exact?: boolean
  /** The search stops after this many states, 2 million by default. */
  readonly states?: number
  /** The search stops when it needs more memory, in megabytes; 4000 by default. */
  readonly memory?: number
  /** The search stops after this time. */
  readonly seconds?: number
  /** How many random walks follow a search that was stopped. */
  readonly walk?: number | boolean
  /** What must hold besides the properties of an election. */
  readonly properties?: readonly Property<StateOf<A>>[]
  /** Called now and then with the number of states found so far. */
  readonly onProgress?: CheckOptions['onProgress']
  /** Runs own definitions without checking what their handlers do: faster, for very large runs. */
  readonly unchecked?: boolean
}

/** What an exploration found: what `conclave check --json` prints, but for the speed. */
export interface ExplorationResult extends ArrangedResult {
  /**
   * true: every property holds in every run. false: one is violated, see `violated`. null: some
   * property is not decided, since the search was stopped or does not apply.
   */
  readonly holds: boolean | null
  readonly algorithm: string
  readonly topology: string
  readonly mode: string
  readonly order: 'fifo' | 'any' | 'lossy'
  /** The limits within which it was explored: `{ term: 2 }`. */
  readonly explored: Readonly<Record<string, number>>
  readonly wake: string
  /** Only where faults may occur. */
  readonly faults?: FaultOptions
}

/**
 * Explores every interleaving of a small world, up to the limits or the first violation, of which a
 * shortest counterexample is returned.
 *
 * `check(mine, { n: 4, crashes: 1 })`
 */
export function check<const T extends ElectionTarget | AggregationName | Aggregation>(
  algorithm: T,
  options?: T extends infer E extends ElectionTarget
    ? ExplorationOptions<AlgorithmOf<E>>
    : ExplorationOptions,
): ExplorationResult
export function check(
  what: ElectionTarget | AggregationName | Aggregation,
  given: unknown = {},
): ExplorationResult {
  const begun = performance.now()
  refuseOptions(given, OPTIONS, TYPES)
  refuseNumberOfCrashes(given as ExplorationOptions)
  const options = given as ExplorationOptions
  const { properties = [], onProgress } = options
  const definition = runnable(definitionOf(what), options.unchecked)
  const explorable: Explorable = {
    definition,
    ownProperties: offers(definition, 'properties') ? ownProperties(properties, definition) : [],
  }
  const surroundings = { where: optionNamed }
  const checked = checkModel(explorable, scenarioInput(options), options, surroundings)
  const { target, model, arrangements } = checked
  const { world, scenario } = target
  validateOptions(world, model, optionNamed)
  const { mode, faults = {}, wake } = model
  const faulty = anyFault(faults)
  const budget = searchBudget(options, scenario.seed, optionNamed, () => performance.now() - begun)
  const result = exploreArranged(target, arrangements, (one) => ({
    ...model,
    ...budget,
    properties: one.properties(faulty),
    fairRuns: true,
    ...(onProgress && { onProgress }),
  }))
  return {
    ...result,
    holds: overallVerdict(result),
    algorithm: world.algorithm.name,
    topology: world.topology.name,
    mode: world.algorithm.meet === null ? modeText(mode) : PAIRS,
    order: model.order,
    explored: limitsIn(world, model),
    wake: wake === 'any' ? wake : scenario.wake,
    ...(faulty && { faults }),
  }
}

/** How many nodes may crash is another option than which nodes are down. */
function refuseNumberOfCrashes({ crash }: ExplorationOptions): void {
  if (typeof crash !== 'number') return
  const hint = `Write crash: [${crash}], or crashes: ${crash} for crashes at any time.`
  throw unexpected('crash', 'the nodes that are down from the beginning', crash, hint)
}
