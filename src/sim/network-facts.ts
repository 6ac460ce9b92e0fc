import type { NetworkFacts } from '../core/language/theory.ts'
import { largestOf, smallest, type World } from '../core/language/world.ts'
import { diameterOf } from '../core/networks/distances/diameter.ts'
import { type Conditions, largestDelay } from './conditions.ts'

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
