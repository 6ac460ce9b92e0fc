import { linksOf, type Topology } from '../../core/language/topology.ts'
import { factorial, permutationAt } from '../../core/numbers.ts'

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
    if (!representatives.some((other) => automorphism(topology, other, node) !== null))
      representatives.push(node)
  return representatives
}

/** The images of all nodes under the automorphism that maps one to another; null: there is none. */
function automorphism(
  topology: Topology,
  one: number,
  other: number,
): ReadonlyMap<number, number> | null {
  const image = new Map([[one, other]])
  const taken = new Set([other])
  // The iteration includes entries that are added meanwhile.
  for (const [node, mapped] of image) {
    if (topology.degree(node) !== topology.degree(mapped)) return null
    for (const link of linksOf(topology, node)) {
      if (topology.back(node, link) !== topology.back(mapped, link)) return null
      const [end, mappedEnd] = [topology.neighbor(node, link), topology.neighbor(mapped, link)]
      const known = image.get(end)
      if (known === undefined) {
        if (taken.has(mappedEnd)) return null
        image.set(end, mappedEnd)
        taken.add(mappedEnd)
      } else if (known !== mappedEnd) return null
    }
  }
  return image.size === topology.n ? image : null
}

/** By node: its image. */
export type NodeMap = readonly number[]

/** All automorphisms of a network that preserve port numbers, the identity first. */
export function automorphisms(topology: Topology): NodeMap[] {
  const nodes = [...Array(topology.n).keys()]
  return nodes.flatMap((node) => {
    const image = automorphism(topology, 0, node)
    return image === null ? [] : [nodes.map((it) => image.get(it)!)]
  })
}

/**
 * All automorphisms of a network without port numbers, the identity first; null if there are more
 * than so many.
 */
export function unnumberedAutomorphisms(topology: Topology, most: number): NodeMap[] | null {
  const { n } = topology
  const nodes = [...Array(n).keys()]
  const ends = nodes.map((node) =>
    linksOf(topology, node).map((link) => topology.neighbor(node, link)),
  )
  const joined = (a: number, b: number) => ends[a].filter((end) => end === b).length
  const found: NodeMap[] = []
  const extend = (to: readonly number[]): void => {
    const node = to.length
    if (node === n) found.push(to)
    for (const image of node < n ? nodes : []) {
      if (found.length > most) return
      if (to.includes(image) || ends[node].length !== ends[image].length) continue
      const fits = [...to, image].every((at, other) => joined(node, other) === joined(image, at))
      if (fits) extend([...to, image])
    }
  }
  extend([])
  return found.length > most ? null : found
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
