import type { Aggregation } from '../algorithms/aggregation.ts'
import { isAggregation } from '../algorithms/kinds.ts'
import type { Algorithm } from '../core/index.ts'
import { type Preparation, prepareElection } from './election/prepare-election.ts'
import { type GossipTiming, gossipSettings } from './gossip/gossip-settings.ts'
import { type AggregationPreparation, prepareGossip } from './gossip/prepare-gossip.ts'
import type { PreparedRun } from './run.ts'
import type { FieldLocator, ScenarioInput } from './scenario.ts'

/** A parameter that `set` changes. */
export interface Parameter {
  readonly name: string
  readonly says: string
  /** The default in the default scenario. */
  readonly otherwise: number | string
  readonly choices?: readonly string[]
  /** The only timing of gossip in which it has a meaning. */
  readonly only?: GossipTiming
}

/** The parameters of a definition, in the order of its author. */
export function parametersOf(definition: Algorithm | Aggregation): readonly Parameter[] {
  if (isAggregation(definition))
    return Object.entries(gossipSettings(definition)).map(
      ([name, { says, otherwise, only }]): Parameter =>
        only === undefined ? { name, says, otherwise } : { name, says, otherwise, only },
    )
  const parameters = Object.entries(definition.params)
  if (parameters.length === 0) return []
  const { params } = prepareElection({}, definition, String).world
  return parameters.map(([name, { says, choices }]) => ({
    name,
    says,
    otherwise: params[name],
    ...(choices && { choices }),
  }))
}

/** Reads a scenario, rejects what is impossible, and prepares the run. */
export function prepare<D extends Algorithm | Aggregation>(
  given: ScenarioInput,
  what: D,
  where: FieldLocator,
  readFile?: (path: string) => string,
): D extends Algorithm ? Preparation : D extends Aggregation ? AggregationPreparation : never
export function prepare(
  given: ScenarioInput,
  what: Algorithm | Aggregation,
  where: FieldLocator,
  readFile?: (path: string) => string,
): PreparedRun {
  return isAggregation(what)
    ? prepareGossip(given, what, where, readFile)
    : prepareElection(given, what, where, readFile)
}
