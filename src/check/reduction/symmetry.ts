import { linksOf, type Topology } from '../../core/language/topology.ts'
import { factorial, permutationAt } from '../../core/runtime/permutation.ts'

/**
 * Orbit representatives of the positions under automorphisms that preserve port numbers: every link
 * is mapped to a link with the same number at both ends. In a ring, and in a complete network with
 * uniform port numbers, all positions form one orbit, by rotation.
 *
 * A port number determines where a link leads. So an automorphism of a connected network is
 * determined by the image of one node, and only the identity has a fixed point.
 */
export function orbitRepresentatives(topology: Topology): number[] {
  const representatives: number[] = []
  for (let node = 0; node < topology.n; node++)
    if (!representatives.some((other) => automorphismTakes(topology, other, node)))
      representatives.push(node)
  return representatives
}

/** Whether some automorphism maps one node to another. */
function automorphismTakes(topology: Topology, one: number, other: number): boolean {
  const image = new Map([[one, other]])
  const taken = new Set([other])
  // The iteration includes entries that are added meanwhile.
  for (const [node, mapped] of image) {
    if (topology.degree(node) !== topology.degree(mapped)) return false
    for (const link of linksOf(topology, node)) {
      if (topology.back(node, link) !== topology.back(mapped, link)) return false
      const [end, mappedEnd] = [topology.neighbor(node, link), topology.neighbor(mapped, link)]
      const known = image.get(end)
      if (known === undefined) {
        if (taken.has(mappedEnd)) return false
        image.set(end, mappedEnd)
        taken.add(mappedEnd)
      } else if (known !== mappedEnd) return false
    }
  }
  return image.size === topology.n
}

/**
 * Symmetry reduction over the permutations of the ids 1 to n: the largest id is placed only at
 * orbit representatives, since an automorphism maps every other permutation to one of these. It is
 * sound only if nothing else breaks the symmetry: given starters, link weights, nodes that are
 * dead.
 */
export class IdPermutations {
  readonly count: number

  constructor(
    readonly n: number,
    /** The positions of the largest id. */
    private readonly largestAt: readonly number[],
    /** The number of permutations of the other ids. */
    private readonly others = factorial(n - 1),
  ) {
    this.count = largestAt.length * others
  }

  /** For anonymous nodes one permutation stands for all. */
  static single(n: number): IdPermutations {
    return new IdPermutations(n, [0], 1)
  }

  at(number: number): number[] {
    const { n, largestAt, others } = this
    const rest = permutationAt(n - 1, number % others)
    return rest.toSpliced(largestAt[Math.floor(number / others)], 0, n)
  }
}
