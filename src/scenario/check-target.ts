import type { Aggregation } from '../algorithms/index.ts'
import { type Algorithm, UsageError } from '../core/index.ts'
import type { Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import { aggregation as aggregationProblem } from '../problems/aggregation.ts'
import { propertiesOf } from '../problems/demands.ts'
import { everyFairRunElects } from '../problems/leader-election.ts'
import type { Conditions } from '../sim/index.ts'
import { type Preparation, refuseAnyStart } from './election/prepare-election.ts'
import { settingPairs } from './fields/reading.ts'
import { prepare } from './prepare.ts'
import type { FieldLocator, ScenarioInput } from './scenario.ts'

/** What can be checked: an election with its author's own properties, or an aggregation. */
export type Explorable =
  | { readonly algorithm: Algorithm; readonly demands: readonly Property[] }
  | { readonly aggregation: Aggregation }

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
  readonly demands: readonly Property[]
  properties(faulty: boolean): readonly Property[]
  /** The same target with another permutation of the ids. */
  permuted(ids: readonly number[]): CheckTarget
  /** Rejects a world that is too weak for any nodes to start. */
  refuseAnyStart(): void
}

/** The default number of exchanges; without a bound the state space is infinite. */
const EXCHANGES = 2

/** The election or aggregation in the given world. */
export function checkTargetOf(
  what: Explorable,
  given: ScenarioInput,
  where: FieldLocator,
  readFile?: (path: string) => string,
): CheckTarget {
  return 'aggregation' in what
    ? aggregationSubject(what.aggregation, given, where, readFile)
    : electionSubject(what.algorithm, what.demands, given, where, readFile)
}

function aggregationSubject(
  aggregation: Aggregation,
  given: ScenarioInput,
  where: FieldLocator,
  readFile?: (path: string) => string,
): CheckTarget {
  const set = { exchanges: EXCHANGES, ...Object.fromEntries(settingPairs(given.set ?? {})) }
  const preparation = prepare({ ...given, set }, aggregation, where, readFile)
  if (preparation.world === undefined) throw noMessages(where('timing'))
  const { world, conditions } = preparation.world()
  const { order = 'fifo', wake = 'all' } = preparation.scenario
  if (world.params.exchanges === 0) throw endless(where('set'))
  // Evaporation preserves neither sums nor extremes.
  const forgets = world.params.evaporation !== 0
  const problem = aggregationProblem(world.algorithm.computes!.aggregate)
  return {
    scenario: { ...preparation.scenario, order, wake },
    world,
    conditions,
    detect: 'off',
    demands: [],
    properties: (faulty) => (forgets ? [] : problem.properties(faulty)),
    permuted: (ids) =>
      aggregationSubject(aggregation, { ...given, ids: ids.join() }, where, readFile),
    refuseAnyStart() {},
  }
}

function electionSubject(
  algorithm: Algorithm,
  demands: readonly Property[],
  given: ScenarioInput,
  where: FieldLocator,
  readFile?: (path: string) => string,
): CheckTarget {
  const preparation = prepare(given, algorithm, where, readFile)
  const { scenario, world, conditions, properties } = preparation
  // Otherwise nothing that was read or rejected depends on the order of the ids.
  const ordered = world.names !== undefined || conditions.starts.nodes.length < world.topology.n
  const subject: CheckTarget = {
    scenario: { ...scenario },
    world,
    conditions,
    detect: scenario.detect,
    demands,
    properties: (faulty) => [
      ...(faulty ? propertiesOf(algorithm, true) : [...properties, everyFairRunElects]),
      ...demands,
    ],
    permuted: (ids) => {
      const listed = ids.join()
      if (ordered)
        return electionSubject(algorithm, demands, { ...given, ids: listed }, where, readFile)
      const permuted = { ...world, ids: Float64Array.from(ids) }
      return { ...subject, scenario: { ...scenario, ids: listed }, world: permuted }
    },
    refuseAnyStart: () => refuseAnyStart(preparation, where),
  }
  return subject
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
