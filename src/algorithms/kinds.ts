import { type Algorithm, UsageError } from '../core/index.ts'
import { type Aggregation, type AggregationSettings, defaultsOf } from './aggregation.ts'

/* The two kinds of definition: what both have, and what only an election can do. */

export function isAggregation(what: Algorithm | Aggregation): what is Aggregation {
  return 'aggregate' in what
}

/** The algorithm that runs by messages; that of an aggregation has these settings. */
export function byMessages(
  definition: Algorithm | Aggregation,
  settings?: AggregationSettings,
): Algorithm {
  if (!isAggregation(definition)) return definition
  return definition.algorithm(settings ?? defaultsOf(definition.settings))
}

/** The family in which lists have a definition, and the network that it usually runs on. */
export function usualPlace(definition: Algorithm | Aggregation): Place {
  if (isAggregation(definition)) return { family: 'aggregations', network: 'complete' }
  const { topology } = definition.needs
  return { family: topology, network: topology }
}

interface Place {
  /** The network that elections need, or `aggregations`. */
  readonly family: string
  readonly network: Algorithm['needs']['topology']
}

/** The definition with another algorithm in place of the one that runs by messages. */
export function withAlgorithm<D extends Algorithm | Aggregation>(
  definition: D,
  change: (algorithm: Algorithm) => Algorithm,
): D {
  if (!isAggregation(definition)) return change(definition) as D
  return { ...definition, algorithm: (settings) => change(definition.algorithm(settings)) }
}

/** What only elections can do, and how an aggregation is refused where it is asked for it. */
const ELECTIONS_ONLY = {
  /** Nodes elect a leader. */
  lead: ['expected an election; NAME is an aggregation.'],
  /** A member of a cluster elects at once, and aggregates when it is asked to. */
  join: [
    'expected an election; NAME is an aggregation.',
    'Join an election, and call aggregate of the member.',
  ],
  proof: ['expected an election; NAME is an aggregation.', 'Proofs are about elections.'],
  /** The author of a definition demands more than the problem. */
  properties: ['the properties of an aggregation are its own.'],
  /** The messages of each node and link are counted. */
  traffic: ['messages are counted by link for elections only.'],
  /** Several run side by side on the same nodes. */
  roles: ['an aggregation has no roles.'],
  steps: [
    'steps are those of an election; an aggregation has cycles.',
    'Use --trace -, or explore it: conclave check.',
  ],
} satisfies Record<string, readonly [problem: string, hint?: string]>

/** Something that not every definition can do. */
export type Capability = keyof typeof ELECTIONS_ONLY

export function isCapability(name: string): name is Capability {
  return Object.hasOwn(ELECTIONS_ONLY, name)
}

/** Whether a definition can do something that not every definition can. */
export function offers(
  definition: Algorithm | Aggregation,
  capability: Capability,
): definition is Algorithm {
  return !(isAggregation(definition) && isCapability(capability))
}

/** The election that can do what is asked for; an aggregation is refused, under the given name. */
export function electionFor(
  capability: Capability,
  definition: Algorithm | Aggregation,
  where: string,
  name: unknown = definition.name,
): Algorithm {
  if (offers(definition, capability)) return definition
  const [problem, hint]: readonly [string, string?] = ELECTIONS_ONLY[capability]
  throw new UsageError(where, problem.replace('NAME', String(name)), hint)
}
