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
  /** Nodes elect a leader, and the run ends by itself. */
  lead: ['expected an election; NAME is an aggregation.'],
  /** A member of a cluster elects at once, and aggregates when it is asked to. */
  join: [
    'expected an election; NAME is an aggregation.',
    'Join an election, and call aggregate of the member.',
  ],
  /** It says who should have a lease. */
  nominate: ['NAME elects nobody.', 'Use bully, ring-list or wireless.'],
  proof: ['expected an election; NAME is an aggregation.', 'Proofs are about elections.'],
  fileProof: ['expected an election; this is an aggregation.'],
  pageProof: ['NAME is an aggregation, and proofs are about elections.'],
  grade: ['the file exports an aggregation.'],
  /** The page measures how its messages grow, or explores how an own one is measured. */
  growth: ['The growth is measured for elections only.'],
  measures: [
    'NAME is an aggregation, and the page explores elections only.',
    'Use conclave check.',
  ],
  /** A run of the checker can be repeated by the simulator. */
  repetition: ['gossip works in periods, which the checker has not'],
  steps: [
    'steps are those of an election; an aggregation has cycles.',
    'Use --trace -, or explore it: conclave check.',
  ],
  /** Several run side by side on the same nodes. */
  roles: ['an aggregation has no roles.'],
  /** Its author demands more than the problem. */
  properties: ['an aggregation has no properties of its author.'],
  /** The messages of each node and link are counted. */
  traffic: ['an aggregation counts messages by type only.'],
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
  const [problem, hint] = refusalOf(capability)
  throw new UsageError(where, problem.replace('NAME', String(name)), hint)
}

/** What is said where an aggregation is asked for something that it cannot do. */
export function refusalOf(capability: Capability): readonly [problem: string, hint?: string] {
  return ELECTIONS_ONLY[capability]
}
