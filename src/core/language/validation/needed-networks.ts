import { components } from '../../networks/components.ts'
import { ceilLog2, floorLog2 } from '../../numbers.ts'
import type { Needs } from '../algorithm.ts'
import type { Topology } from '../topology.ts'

/** A kind of network that an algorithm may need. */
interface NeededNetwork {
  /** What it is, to follow "needs": `a tree`. */
  readonly words: string
  /** The usual network of n nodes, as text; null where there is none of that size. */
  sized(n: number): string | null
  fits(topology: Topology): boolean
  /** Whether handlers can run on a network that does not fit: what they address exists. */
  runsOn(topology: Topology): boolean
  /** Why a network does not fit, to follow its name; where that is not obvious. */
  readonly why?: string
}

/** The words of `needs.topology`. */
export const neededNetworks: Readonly<Record<Needs['topology'], NeededNetwork>> = {
  ring: {
    words: 'a ring network',
    sized: (n) => `ring:${n}`,
    fits: ({ kind }) => kind === 'ring',
    runsOn: () => false,
  },
  complete: {
    words: 'a complete network',
    sized: (n) => `complete:${n}`,
    fits: ({ kind }) => kind === 'complete',
    runsOn: () => false,
  },
  tree: {
    words: 'a tree',
    sized: (n) => `tree:${n}:2`,
    fits: (topology) => topology.links === topology.n - componentCount(topology),
    runsOn: () => true,
    why: ', which has a cycle',
  },
  hypercube: {
    words: 'a hypercube',
    sized: (n) => (floorLog2(n) === ceilLog2(n) ? `hypercube:${floorLog2(n)}` : null),
    fits: ({ dimensions }) => dimensions !== undefined,
    runsOn: (topology) => topology.firstLink === 0 && hasLinksOfHypercube(topology),
    why: ', whose link numbers are not coordinates',
  },
  any: {
    words: 'any network',
    sized(n) {
      // Three digits are easy to copy; rounding is safe with twice the links that are needed.
      const probability = Number(Math.min(1, (2 * Math.log(n)) / n).toPrecision(3))
      return `random:${n}:${probability}`
    },
    fits: () => true,
    runsOn: () => true,
  },
}

function componentCount(topology: Topology): number {
  return components(topology, () => true).reduce((most, label) => Math.max(most, label + 1), 0)
}

/** Whether every node has as many links as in a hypercube of this size. */
function hasLinksOfHypercube(topology: Topology): boolean {
  const { n } = topology
  const dimensions = floorLog2(n)
  for (let node = 0; node < n; node++) if (topology.degree(node) !== dimensions) return false
  return 2 ** dimensions === n
}
