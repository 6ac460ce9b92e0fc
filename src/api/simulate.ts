import type { Aggregation } from '../algorithms/index.ts'
import { type AggregationName, byMessages, isCapability, offers } from '../algorithms/index.ts'
import type { Algorithm, JsonValues, Property, StateOf, TraceEvent } from '../core/index.ts'
import type { Fields } from '../core/language/value-types.ts'
import { optionNamed, SCENARIO_OPTIONS, scenarioInput } from '../options/scenario.ts'
import type { ScenarioOptions } from '../options/scenario-options.ts'
import type { ElectionResult } from '../scenario/election/election-run.ts'
import { type AggregationResult, finished, prepare, type StartedRun } from '../scenario/index.ts'
import { type CycleResult, type NodeResult, nodesOf } from '../sim/index.ts'
import { refuseOptions } from './option-checks.ts'
import { ownProperties } from './own-properties.ts'
import { type AlgorithmOf, definitionOf, type ElectionTarget, runnable } from './targets.ts'

/** The world of a simulation, and what is watched in it. */
export interface SimulateOptions<A extends Algorithm = Algorithm>
  extends Omit<ScenarioOptions, 'set'> {
  /** Parameters of the algorithm, by name. */
  readonly set?: SettingsOf<A> | string | readonly string[]
  /** What must hold besides the properties of an election. */
  readonly properties?: readonly Property<StateOf<A>>[]
  /** Called with every event. */
  readonly trace?: (event: TraceEvent) => void
  /** Whether to count the messages of each node and link: `sent`, `received` and `traffic`. */
  readonly traffic?: boolean
  /** Runs own definitions without checking what their handlers do: faster, for very large runs. */
  readonly unchecked?: boolean
}

/** The world of an aggregation, in which an average, a maximum or a count is computed by gossip. */
export interface GossipOptions extends Omit<ScenarioOptions, 'timing'> {
  /** `'async'`: exchanges are messages. `'cycles'`: they take no time, for very many nodes. */
  readonly timing?: 'async' | 'cycles'
  /** The number of cycles, 30 by default. */
  readonly until?: number
  /** Called with every event; there are none in cycles. */
  readonly trace?: (event: TraceEvent) => void
  /** Runs own definitions without checking what their handlers do: faster, for very large runs. */
  readonly unchecked?: boolean
}

/** The values of an algorithm's parameters that a caller may set. */
export type SettingsOf<A extends Algorithm> =
  A extends Algorithm<Fields, string, infer P>
    ? [keyof P] extends [never]
      ? Readonly<Record<string, unknown>>
      : Partial<P>
    : never

/** The names of an algorithm's message types, in lower case. */
export type MessageTypeOf<A extends Algorithm> = A extends Algorithm<Fields, infer M> ? M : string

/** A node at the end of a run, with the types of its own state. */
export interface SimulatedNode<A extends Algorithm = Algorithm> extends Omit<NodeResult, 'state'> {
  /** Its own fields as JSON has them: sets and maps are arrays. */
  readonly state: A extends Algorithm<infer S> ? JsonValues<S> : Readonly<Record<string, unknown>>
}

/** What came out of a run: what `conclave run --json` prints, but for the speed. */
export interface SimulationResult<A extends Algorithm = Algorithm>
  extends Omit<ElectionResult, 'messages' | 'nodes'> {
  /** How many messages were sent, of each type, and what became of some of them. */
  readonly messages: Omit<ElectionResult['messages'], 'byType'> & {
    readonly byType: Readonly<Record<MessageTypeOf<A>, number>>
  }
  /** All nodes, by position. */
  readonly nodes: readonly SimulatedNode<A>[]
}

/** What came out of an aggregation: what `conclave run --json` prints, but for the speed. */
export interface GossipResult extends Omit<AggregationResult, 'nodes'> {
  /** All nodes, by position. */
  readonly nodes: NonNullable<CycleResult['nodes']>
}

/** What is watched, besides the scenario, and the types of what is no list. */
const WATCHED = ['properties', 'trace', 'traffic', 'unchecked'] as const
const TYPES = { trace: 'function', traffic: 'boolean', unchecked: 'boolean' } as const

/**
 * Simulates one run: of an election, by its definition or by a name of the catalogue, or of an
 * aggregation. The same options give the same run, on every machine.
 *
 * `simulate(lcr, { ids: [3, 1, 2], crash: [{ node: 1, at: 4 }] })`
 */
export function simulate<const T extends ElectionTarget | AggregationName | Aggregation>(
  algorithm: T,
  options?: T extends infer E extends ElectionTarget
    ? SimulateOptions<AlgorithmOf<E>>
    : GossipOptions,
): T extends infer E extends ElectionTarget ? SimulationResult<AlgorithmOf<E>> : GossipResult
export function simulate(
  what: ElectionTarget | AggregationName | Aggregation,
  given: unknown = {},
): SimulationResult | GossipResult {
  const found = definitionOf(what)
  const own = WATCHED.filter((name) => !isCapability(name) || offers(found, name))
  refuseOptions(given, [...SCENARIO_OPTIONS, ...own], TYPES)
  const options = given as SimulateOptions
  const definition = runnable(found, options.unchecked)
  const { properties = [], trace, traffic = false } = options
  const run = prepare(scenarioInput(options), definition, optionNamed).run({
    properties: ownProperties(properties, byMessages(definition)),
    listed: true,
    traffic,
    ...(trace && { trace }),
  })
  const { nodes, ...result } = finished<StartedRun>(run).result()
  const whole = withNodes(result, nodes ?? (() => nodesOf(run.simulation!)))
  return whole as SimulationResult | GossipResult
}

/** Adds the nodes; where there are very many, only when they are asked for. */
function withNodes<R extends object, N>(result: R, nodes: N | (() => N)): R & { nodes: N } {
  if (typeof nodes !== 'function') return { ...result, nodes }
  let listed: N | undefined
  return Object.defineProperty(result as R & { nodes: N }, 'nodes', {
    enumerable: true,
    get() {
      listed ??= (nodes as () => N)()
      return listed
    },
  })
}
