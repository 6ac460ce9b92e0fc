import { type Bound, isUpperBound, type NetworkFacts } from '../core/language/theory.ts'
import { largestOf, smallest, type World } from '../core/language/world.ts'
import { diameterOf } from '../core/networks/distances/diameter.ts'
import { isWithin } from '../core/numbers.ts'
import { type Conditions, largestDelay } from './conditions.ts'
import { hasFaults, noFaults } from './faults/faults.ts'
import type { Simulation } from './simulation.ts'

/** A proven bound and the measured value. */
export interface BoundResult {
  readonly of: Bound['of']
  readonly formula: string
  readonly value: number
  readonly measured: number
  readonly within: boolean
}

/** Whether an election that may fail did, and the chance of that. */
export interface FailureResult {
  readonly failed: boolean
  readonly chance: number
}

/** The proven bounds of a run. There are none for runs with faults or equal ids. */
export function boundsOf(simulation: Simulation): BoundResult[] {
  const facts = provenFacts(simulation)
  if (facts === null) return []
  return simulation.algorithm.theory.bounds
    .filter((bound) => isUpperBound(bound) && (bound.when?.(facts) ?? true))
    .flatMap((bound) => compare(bound, facts, measure(simulation, bound.of)))
}

/** The outcome of an election whose theory states a chance to fail; null where there is none. */
export function failureResult(simulation: Simulation): FailureResult | null {
  const { algorithm, monitor, conditions } = simulation
  const { fails } = algorithm.theory
  const facts = fails === undefined ? null : provenFacts(simulation)
  const inRounds = conditions.synchronous || algorithm.needs.time !== 'rounds'
  const together = facts?.together || algorithm.needs.start !== 'together'
  if (fails === undefined || facts === null || !inRounds || !together) return null
  return { failed: monitor.leaderHistory.length !== 1, chance: fails(facts) }
}

/** What theory speaks of; null where there are faults or equal ids, of which nothing is proven. */
function provenFacts({ world, conditions, monitor, algorithm }: Simulation): NetworkFacts | null {
  const { ids } = world
  const equalIds = ids.length > 1 && ids[0] === ids[1]
  const disordered = algorithm.needs.order === 'fifo' && !conditions.fifo
  const { crashes, faults = noFaults } = conditions
  if (crashes.nodes.length > 0 || hasFaults(faults) || equalIds || disordered) return null
  const [leader] = monitor.leaders
  return {
    ...factsForBounds(world, conditions),
    leaderId: leader === undefined ? null : (monitor.state(leader).id ?? null),
  }
}

/** What is expected of a run in which nodes meet, where that is known exactly. */
export interface ExpectedMeetings {
  readonly formula: string
  readonly value: number
  readonly deviation?: number
}

export function expectedMeetings({ world, conditions }: Simulation): ExpectedMeetings | null {
  const facts = factsForBounds(world, conditions)
  const bound = world.algorithm.theory.bounds.find(
    ({ of, kind, when }) => of === 'interactions' && kind === 'average' && (when?.(facts) ?? true),
  )
  if (bound === undefined) return null
  const { formula, deviation } = bound
  return {
    formula,
    value: bound.value(facts),
    ...(deviation && { deviation: deviation(facts) }),
  }
}

function compare(bound: Bound, facts: NetworkFacts, measured: number | null): BoundResult[] {
  if (measured === null) return []
  const { of, formula } = bound
  const value = bound.value(facts)
  return [{ of, formula, value, measured, within: isWithin(measured, value) }]
}

/**
 * Messages without the announcement; from the first start, the time in largest delays, and since
 * when the outcome is stable.
 */
function measure(simulation: Simulation, of: Bound['of']): number | null {
  const { conditions, monitor, algorithm, counters } = simulation
  if (of === 'messages') {
    return algorithm.kinds.reduce(
      (sum, kind) => sum - (kind.announces ? counters.sent[kind.index] : 0),
      counters.total,
    )
  }
  if (of === 'interactions') return monitor.stableSince
  const [start] = conditions.starts.times
  if (of === 'stability') return monitor.stableSince === null ? null : monitor.stableSince - start
  const longest = largestDelay(conditions.delay)
  if (monitor.elected < 0 || longest === Number.POSITIVE_INFINITY) return null
  return (monitor.elected - start) / longest
}

/** So many steps may be taken to find the diameter of a network for a bound: a moment. */
const DIAMETER_WORK = 2e7

/** The facts about a world that bounds may depend on, as they are known before the election. */
export function factsForBounds(
  { topology, ids, params }: World,
  {
    starts: { nodes, times },
    crashes,
    delay,
    synchronous,
  }: Pick<Conditions, 'starts' | 'crashes' | 'delay' | 'synchronous'>,
): NetworkFacts {
  const neverUp = new Set(crashes.nodes.filter((_, i) => crashes.times[i] < 0))
  const smallestId = smallest(ids)
  let starters = 0
  let smallestStarter = Number.POSITIVE_INFINITY
  if (nodes.length === topology.n && neverUp.size === 0) {
    starters = nodes.length
    smallestStarter = smallestId
  } else {
    // A loop, since temporary lists of a million nodes would be the peak of memory.
    for (const node of nodes) {
      if (neverUp.has(node)) continue
      starters++
      smallestStarter = Math.min(smallestStarter, ids[node])
    }
  }
  return {
    n: topology.n,
    links: topology.links,
    smallestId,
    largestId: largestOf(ids),
    starters,
    smallestStarter: starters === 0 ? 0 : smallestStarter,
    together: nodes.length === topology.n && times[0] === times[times.length - 1],
    largestDelay: largestDelay(delay),
    diameter: typeof params.diameter === 'number' ? params.diameter : Number.NaN,
    rounds: synchronous,
    networkDiameter: () => diameterOf(topology, DIAMETER_WORK).most,
    leaderId: null,
    ids,
    settings: params,
  }
}
