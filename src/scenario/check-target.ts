import type { Aggregation } from '../algorithms/aggregation.ts'
import { byMessages, offers, withAlgorithm } from '../algorithms/kinds.ts'
import { type Algorithm, UsageError } from '../core/index.ts'
import type { Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import { settingPairs } from '../options/reading.ts'
import { aggregation as aggregationProblem } from '../problems/aggregation.ts'
import { exploredProperties, propertiesOf } from '../problems/algorithm-properties.ts'
import type { Conditions } from '../sim/index.ts'
import {
  electionProperties,
  type Preparation,
  refuseAnyStart,
} from './election/prepare-election.ts'
import { gossipSettings } from './gossip/gossip-settings.ts'
import { prepare } from './prepare.ts'
import type { FieldLocator, ScenarioInput } from './scenario.ts'

/** An election or aggregation to check, with its author's own properties. */
export interface Explorable {
  readonly definition: Algorithm | Aggregation
  readonly ownProperties: readonly Property[]
}

/** A definition as the checker takes it: what its author demands is apart from the problem. */
export function explorable(definition: Algorithm | Aggregation): Explorable {
  const { demands } = byMessages(definition)
  if (demands.length === 0) return { definition, ownProperties: [] }
  return { definition: withAlgorithm(definition, withoutDemands), ownProperties: demands }
}

function withoutDemands(algorithm: Algorithm): Algorithm {
  return { ...algorithm, demands: [] }
}

/** A world to check, and the properties that must hold in it. */
export interface CheckTarget {
  readonly scenario: Pick<
    Preparation['scenario'],
    'topology' | 'order' | 'wake' | 'crash' | 'seed'
  > &
    ScenarioInput
  readonly world: World
  readonly conditions: Conditions
  /** The delay of the failure detector. */
  readonly detect: number | 'off'
  /** Additional properties of the author; they may depend on positions. */
  readonly ownProperties: readonly Property[]
  properties(faulty: boolean): readonly Property[]
  /** Whether ids are an option: those of an aggregation are 1 to n in order. */
  readonly arranges: boolean
  /** The same target with another permutation of the ids. */
  permuted(ids: readonly number[]): CheckTarget
  /** Rejects a world that is too weak for any nodes to start. */
  refuseAnyStart(): void
}

/** The default number of exchanges of a node; with two, states are many millions. */
const EXCHANGES = 1

/** The election or aggregation in the given world. */
export function checkTargetOf(
  { definition, ownProperties }: Explorable,
  given: ScenarioInput,
  where: FieldLocator,
  readFile?: (path: string) => string,
): CheckTarget {
  if (given.coins !== undefined) throw noCoins(where('coins'))
  return offers(definition, 'lead')
    ? electionTarget(definition, ownProperties, given, where, readFile)
    : aggregationTarget(definition, given, where, readFile)
}

function aggregationTarget(
  aggregation: Aggregation,
  given: ScenarioInput,
  where: FieldLocator,
  readFile?: (path: string) => string,
): CheckTarget {
  const limited = 'exchanges' in gossipSettings(aggregation) && { exchanges: EXCHANGES }
  const set = { ...limited, ...Object.fromEntries(settingPairs(given.set ?? {})) }
  const preparation = prepare({ ...given, set }, aggregation, where, readFile)
  const messages = preparation.messages()
  if (messages === null) throw noMessages(where('timing'))
  const { world, conditions } = messages
  const { order = 'fifo', wake = 'all' } = preparation.scenario
  if (world.params.exchanges === 0) throw endless(where('set'))
  // Evaporation preserves neither sums nor extremes.
  const forgets = (world.params.evaporation ?? 0) !== 0
  const { computes, problem: own } = world.algorithm
  const usual = aggregationProblem(computes!.aggregate)
  return {
    scenario: { ...preparation.scenario, order, wake },
    world,
    conditions,
    detect: preparation.scenario.detect ?? 'off',
    ownProperties: [],
    properties: (faulty) =>
      own === null ? (forgets ? [] : usual.properties) : propertiesOf(world.algorithm, faulty),
    arranges: false,
    permuted: (ids) =>
      aggregationTarget(aggregation, { ...given, ids: ids.join() }, where, readFile),
    refuseAnyStart() {},
  }
}

function electionTarget(
  algorithm: Algorithm,
  ownProperties: readonly Property[],
  given: ScenarioInput,
  where: FieldLocator,
  readFile?: (path: string) => string,
): CheckTarget {
  const preparation = prepare(given, algorithm, where, readFile)
  const { scenario, conditions, properties } = preparation
  const world = withoutMessages(preparation.world)
  // Otherwise nothing that was read or rejected depends on the order of the ids.
  const ordered = world.names !== undefined || conditions.starts.nodes.length < world.topology.n
  const target: CheckTarget = {
    scenario: { ...scenario },
    world,
    conditions,
    detect: scenario.detect,
    ownProperties,
    properties: (faulty) => [
      ...exploredProperties(
        algorithm,
        faulty,
        faulty ? electionProperties(scenario, algorithm, true) : properties,
      ),
      ...ownProperties,
    ],
    arranges: true,
    permuted: (ids) => {
      const listed = ids.join()
      if (ordered)
        return electionTarget(algorithm, ownProperties, { ...given, ids: listed }, where, readFile)
      const permuted = { ...world, ids: Float64Array.from(ids) }
      return { ...target, scenario: { ...scenario, ids: listed }, world: permuted }
    },
    refuseAnyStart: () => refuseAnyStart(preparation, where),
  }
  return target
}

/** An exploration of a corrupted start begins with its states; nothing is in flight. */
function withoutMessages(world: World): World {
  const { corrupted } = world
  return corrupted === undefined ? world : { ...world, corrupted: { ...corrupted, messages: [] } }
}

function noCoins(where: string): UsageError {
  return new UsageError(
    where,
    'the checker explores every random choice.',
    'Leave the choices out, or simulate the run.',
  )
}

function noMessages(where: string): UsageError {
  return new UsageError(
    where,
    'the checker explores messages, and in cycles exchanges are atomic.',
    'Use async, or leave it out.',
  )
}

function endless(where: string): UsageError {
  return new UsageError(
    where,
    'with exchanges=0 nodes never stop exchanging, so the state space is infinite.',
    'Use 1 or 2 exchanges per node.',
  )
}
