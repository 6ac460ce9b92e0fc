import { type Algorithm, Complaint } from '../core/index.ts'
import type { Property } from '../core/problem.ts'
import type { World } from '../core/world.ts'
import { aggregation as aggregationProblem } from '../problems/aggregation.ts'
import { demandsOn } from '../problems/demands.ts'
import {
  flagged,
  type Given,
  type Preparation,
  prepare,
  prepareAggregation,
  refuseAnyStart,
} from '../scenario/index.ts'
import { settingPairs } from '../scenario/settings.ts'
import type { Conditions } from '../sim/index.ts'
import { readText } from './files.ts'
import { aggregationNamed } from './lookup.ts'
import { electionOf } from './user-algorithm.ts'

/** What is explored: a world, and what must hold in it. */
export interface Subject {
  readonly scenario: Pick<Preparation['scenario'], 'order' | 'wake' | 'crash'> & Given
  readonly world: World
  readonly conditions: Conditions
  /** To whom the detector speaks, and when. */
  readonly detect: number | 'off'
  properties(faulty: boolean): readonly Property[]
  /** Where any nodes may start: refuses a world that is too weak for that. */
  refuseAnyStart(): void
}

/** Without an end to the exchanges there would be no end to the states. */
const EXCHANGES = 2

const readNetwork = (path: string) => readText(path, '--topology')

/** The election or aggregation of a name, in the world that the flags describe. */
export async function subjectOf(
  name: string,
  given: Given,
  also: (algorithm: Algorithm) => Given,
): Promise<Subject> {
  const aggregation = aggregationNamed(name)
  if (aggregation === undefined) {
    const algorithm = await electionOf(name)
    return electionSubject(algorithm, { ...given, ...also(algorithm) })
  }
  const set = { exchanges: EXCHANGES, ...Object.fromEntries(settingPairs(given.set ?? {})) }
  const document = { ...given, set }
  const preparation = prepareAggregation(document, aggregation, flagged, readNetwork)
  const { world, conditions } = preparation.world!()
  const { order = 'fifo', wake = 'all' } = preparation.scenario
  if (world.params.exchanges === 0) throw endless()
  // Who forgets, keeps no sum and no extreme.
  const forgets = world.params.evaporation !== 0
  const problem = aggregationProblem(world.algorithm.computes!.aggregate)
  return {
    scenario: { ...preparation.scenario, order, wake },
    world,
    conditions,
    detect: 'off',
    properties: (faulty) => (forgets ? [] : problem.properties(faulty)),
    refuseAnyStart() {},
  }
}

function electionSubject(algorithm: Algorithm, given: Given): Subject {
  const preparation = prepare(given, algorithm, flagged, readNetwork)
  const { scenario, world, conditions, properties } = preparation
  return {
    scenario: { ...scenario },
    world,
    conditions,
    detect: scenario.detect,
    properties: (faulty) => (faulty ? demandsOn(algorithm, true) : properties),
    refuseAnyStart: () => refuseAnyStart(preparation, flagged),
  }
}

function endless(): Complaint {
  return new Complaint(
    '--set',
    'the explorer needs an end to the exchanges',
    'exchanges=0 was given',
    'Let each node begin one or two.',
  )
}
