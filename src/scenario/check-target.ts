import type { Aggregation } from '../algorithms/index.ts'
import { type Algorithm, UsageError } from '../core/index.ts'
import type { Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import { aggregation as aggregationProblem } from '../problems/aggregation.ts'
import { propertiesOf } from '../problems/demands.ts'
import { everyFairRunElects } from '../problems/leader-election.ts'
import type { Conditions } from '../sim/index.ts'
import { settingPairs } from './fields/settings.ts'
import { prepareAggregation } from './gossip/prepare-gossip.ts'
import { type Preparation, prepare, refuseAnyStart } from './prepare.ts'
import type { FieldLocator, ScenarioInput } from './scenario.ts'

/** What can be explored: an election, with what its author demands besides, or an aggregation. */
export type Explorable =
  | { readonly algorithm: Algorithm; readonly demands: readonly Property[] }
  | { readonly aggregation: Aggregation }

/** What is explored: a world, and what must hold in it. */
export interface CheckTarget {
  readonly scenario: Pick<
    Preparation['scenario'],
    'topology' | 'order' | 'wake' | 'crash' | 'seed'
  > &
    ScenarioInput
  readonly world: World
  readonly conditions: Conditions
  /** To whom the detector speaks, and when. */
  readonly detect: number | 'off'
  /** What its author demands besides the usual; that may look at single positions. */
  readonly demands: readonly Property[]
  properties(faulty: boolean): readonly Property[]
  /** The same ids in another order, and nothing else. */
  arranged(ids: readonly number[]): CheckTarget
  /** Where any nodes may start: refuses a world that is too weak for that. */
  refuseAnyStart(): void
}

/** Without an end to the exchanges there would be no end to the states. */
const EXCHANGES = 2

/** The election or aggregation in the world that was given. */
export function checkTargetOf(
  what: Explorable,
  given: ScenarioInput,
  where: FieldLocator,
  readFile: (path: string) => string,
): CheckTarget {
  return 'aggregation' in what
    ? aggregationSubject(what.aggregation, given, where, readFile)
    : electionSubject(what.algorithm, what.demands, given, where, readFile)
}

function aggregationSubject(
  aggregation: Aggregation,
  given: ScenarioInput,
  where: FieldLocator,
  readFile: (path: string) => string,
): CheckTarget {
  const set = { exchanges: EXCHANGES, ...Object.fromEntries(settingPairs(given.set ?? {})) }
  const preparation = prepareAggregation({ ...given, set }, aggregation, where, readFile)
  if (preparation.world === undefined) throw noMessages(where('timing'))
  const { world, conditions } = preparation.world()
  const { order = 'fifo', wake = 'all' } = preparation.scenario
  if (world.params.exchanges === 0) throw endless(where('set'))
  // Who forgets, keeps no sum and no extreme.
  const forgets = world.params.evaporation !== 0
  const problem = aggregationProblem(world.algorithm.computes!.aggregate)
  return {
    scenario: { ...preparation.scenario, order, wake },
    world,
    conditions,
    detect: 'off',
    demands: [],
    properties: (faulty) => (forgets ? [] : problem.properties(faulty)),
    arranged: (ids) =>
      aggregationSubject(aggregation, { ...given, ids: ids.join() }, where, readFile),
    refuseAnyStart() {},
  }
}

function electionSubject(
  algorithm: Algorithm,
  demands: readonly Property[],
  given: ScenarioInput,
  where: FieldLocator,
  readFile: (path: string) => string,
): CheckTarget {
  const preparation = prepare(given, algorithm, where, readFile)
  const { scenario, world, conditions, properties } = preparation
  // Else nothing that was read or refused depends on the order of the ids.
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
    arranged: (ids) => {
      const listed = ids.join()
      if (ordered)
        return electionSubject(algorithm, demands, { ...given, ids: listed }, where, readFile)
      const arranged = { ...world, ids: Float64Array.from(ids) }
      return { ...subject, scenario: { ...scenario, ids: listed }, world: arranged }
    },
    refuseAnyStart: () => refuseAnyStart(preparation, where),
  }
  return subject
}

function noMessages(where: string): UsageError {
  return new UsageError(
    where,
    'the explorer needs exchanges by messages, but cycles were given.',
    'Write async, or leave it out.',
  )
}

function endless(where: string): UsageError {
  return new UsageError(
    where,
    'the explorer needs an end to the exchanges, but exchanges=0 was given.',
    'Let each node begin one or two.',
  )
}
