import type { Bound, NetworkFacts } from '../core/language/theory.ts'
import { largest, smallest, type World } from '../core/language/world.ts'
import { type Conditions, largestDelay } from './conditions.ts'
import { hasFaults, noFaults } from './faults/faults.ts'
import type { Simulation } from './simulation.ts'

/** A proven bound beside what was measured. */
export interface BoundResult {
  readonly of: 'messages' | 'time'
  readonly formula: string
  readonly value: number
  readonly measured: number
  readonly within: boolean
}

/** Times are sums of delays such as 0.1, which float64s do not add up exactly. */
const ROUNDING = 1e-9

/** What is known of a world before anybody has won. */
export function factsOf(
  { topology, ids }: World,
  { starts: { nodes, times }, crashes, delay }: Pick<Conditions, 'starts' | 'crashes' | 'delay'>,
): NetworkFacts {
  const neverUp = new Set(crashes.nodes.filter((_, i) => crashes.times[i] < 0))
  let starters = 0
  let smallestStarter = Number.POSITIVE_INFINITY
  // One by one: lists of a million would be thrown away at once, and be the peak of memory.
  for (const node of nodes) {
    if (neverUp.has(node)) continue
    starters++
    smallestStarter = Math.min(smallestStarter, ids[node])
  }
  return {
    n: topology.n,
    links: topology.links,
    smallestId: smallest(ids),
    largestId: largest(ids),
    starters,
    smallestStarter: starters === 0 ? 0 : smallestStarter,
    together: nodes.length === topology.n && times[0] === times[times.length - 1],
    largestDelay: largestDelay(delay),
    leaderId: null,
  }
}

/** The bounds that are proven for this run. Nothing is proven for crashes or equal ids. */
export function boundsOf(simulation: Simulation): BoundResult[] {
  const { world, conditions, monitor, algorithm } = simulation
  const { ids } = world
  const equalIds = ids.length > 1 && ids[0] === ids[1]
  const disordered = algorithm.needs.order === 'fifo' && !conditions.fifo
  const { crashes, faults = noFaults } = conditions
  if (crashes.nodes.length > 0 || hasFaults(faults) || equalIds || disordered) return []
  const [leader] = monitor.leaders
  const facts = {
    ...factsOf(world, conditions),
    leaderId: leader === undefined ? null : (monitor.state(leader).id ?? null),
  }
  return algorithm.theory.bounds
    .filter((bound) => bound.kind === 'worst' && (bound.when?.(facts) ?? true))
    .flatMap((bound) => compare(bound, facts, measure(simulation, bound.of)))
}

function compare(bound: Bound, facts: NetworkFacts, measured: number | null): BoundResult[] {
  if (measured === null) return []
  const { of, formula } = bound
  const value = bound.value(facts)
  return [{ of, formula, value, measured, within: measured <= value * (1 + ROUNDING) }]
}

/** Messages without the announcement; time since the first start in units of the largest delay. */
function measure(simulation: Simulation, of: Bound['of']): number | null {
  const { conditions, monitor, algorithm, counters } = simulation
  if (of === 'messages') {
    return algorithm.kinds.reduce(
      (sum, kind) => sum - (kind.announces ? counters.sent[kind.index] : 0),
      counters.total,
    )
  }
  const longest = largestDelay(conditions.delay)
  if (monitor.elected < 0 || longest === Number.POSITIVE_INFINITY) return null
  return (monitor.elected - conditions.starts.times[0]) / longest
}
