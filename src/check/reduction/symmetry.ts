import { linksOf, type Topology } from '../../core/language/topology.ts'
import { factorial, permutationAt } from '../../core/runtime/permutation.ts'

/**
 * A position for each kind of positions that the network itself tells apart, by the numbers of
 * links: two are of one kind if moving one to the other moves the whole network onto itself, every
 * link onto one of the same number at both ends. In a ring, and in a complete network where all
 * number their links alike, all positions are of one kind: it can be turned.
 *
 * Where a link is followed from a node, its number leaves no choice of where it leads. So a motion
 * of a connected network is known by where it takes one node, and only rest leaves one in place.
 */
export function orbitRepresentatives(topology: Topology): number[] {
  const kinds: number[] = []
  for (let node = 0; node < topology.n; node++)
    if (!kinds.some((kind) => movesOnto(topology, kind, node))) kinds.push(node)
  return kinds
}

/** Whether the network can be moved onto itself so that one node comes to lie on another. */
function movesOnto(topology: Topology, one: number, other: number): boolean {
  const image = new Map([[one, other]])
  const taken = new Set([other])
  // A map that is added to while it is gone through is gone through to its new end.
  for (const [node, twin] of image) {
    if (topology.degree(node) !== topology.degree(twin)) return false
    for (const link of linksOf(topology, node)) {
      if (topology.back(node, link) !== topology.back(twin, link)) return false
      const [end, twinEnd] = [topology.neighbor(node, link), topology.neighbor(twin, link)]
      const known = image.get(end)
      if (known === undefined) {
        if (taken.has(twinEnd)) return false
        image.set(end, twinEnd)
        taken.add(twinEnd)
      } else if (known !== twinEnd) return false
    }
  }
  return image.size === topology.n
}

/**
 * Arrangements of the ids 1 to n that stand for all: the largest id is at one position of each
 * kind, since every other arrangement is one of these, moved. What is not the same after a motion,
 * be it who wakes, what links cost or who is dead, must not be given.
 */
export class IdPermutations {
  readonly count: number

  constructor(
    readonly n: number,
    /** Where the largest id is. */
    private readonly places: readonly number[],
    /** How many arrangements of the others are tried. */
    private readonly rests = factorial(n - 1),
  ) {
    this.count = places.length * rests
  }

  /** Where nodes have no ids, one arrangement is as good as any. */
  static single(n: number): IdPermutations {
    return new IdPermutations(n, [0], 1)
  }

  at(number: number): number[] {
    const { n, places, rests } = this
    const rest = permutationAt(n - 1, number % rests)
    return rest.toSpliced(places[Math.floor(number / rests)], 0, n)
  }
}
