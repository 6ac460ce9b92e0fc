import type { Random } from '../../runtime/random.ts'
import { EdgeSet } from '../adjacency.ts'

/**
 * Watts and Strogatz, 1998: a ring in which every node is linked to its k nearest; then the far end
 * of each link is rewired, with probability beta, to a uniformly drawn node that is no neighbour.
 */
export function smallWorld(n: number, k: number, beta: number, random: Random): EdgeSet {
  const world = new SmallWorld(n, k / 2, beta, random)
  for (let v = 0; v < n; v++) world.takeTurn(v)
  return world.edges
}

/**
 * A link belongs to its near end, and nodes rewire their links in order of position. So the
 * neighbours of the current node are the far ends of its own links, earlier nodes whose links were
 * rewired to it, and later nodes that the lattice still links to it.
 */
class SmallWorld {
  readonly edges = new EdgeSet()
  private readonly ends: Int32Array
  /** The last node that had this one as a neighbour in its turn. */
  private readonly neighborOf: Int32Array
  /** The links to a node as a linked list: the last one, and the previous one of each. */
  private readonly lastTo: Int32Array
  private readonly previous: Int32Array

  constructor(
    private readonly n: number,
    half: number,
    private readonly beta: number,
    private readonly random: Random,
  ) {
    this.ends = new Int32Array(half)
    this.neighborOf = new Int32Array(n).fill(-1)
    this.lastTo = new Int32Array(n).fill(-1)
    this.previous = new Int32Array(n * half)
  }

  takeTurn(v: number): void {
    const { edges, ends, lastTo, previous } = this
    const degree = this.markNeighbors(v)
    if (degree < this.n - 1) this.rewire(v, degree)
    for (let i = 0; i < ends.length; i++) {
      previous[edges.length] = lastTo[ends[i]]
      lastTo[ends[i]] = edges.length
      edges.add(v, ends[i])
    }
  }

  private markNeighbors(v: number): number {
    const { n, edges, ends, neighborOf, lastTo, previous } = this
    let degree = 0
    for (let i = 0; i < ends.length; i++) {
      ends[i] = (v + 1 + i) % n
      neighborOf[ends[i]] = v
      degree++
      const later = v - 1 - i + n
      if (later >= n) continue
      neighborOf[later] = v
      degree++
    }
    for (let e = lastTo[v]; e >= 0; e = previous[e]) {
      neighborOf[edges.near[e]] = v
      degree++
    }
    return degree
  }

  private rewire(v: number, degree: number): void {
    const { n, ends, neighborOf, random } = this
    // With many neighbours, drawing until a node is no neighbour would take too long.
    const candidates = 2 * degree > n ? this.nonNeighborsOf(v) : null
    for (let i = 0; i < ends.length; i++) {
      if (random.unit() >= this.beta) continue
      const freed = ends[i]
      if (candidates) {
        const drawn = random.below(candidates.length)
        ends[i] = candidates[drawn]
        candidates[drawn] = freed
      } else {
        do ends[i] = random.below(n)
        while (ends[i] === v || neighborOf[ends[i]] === v)
        neighborOf[freed] = -1
        neighborOf[ends[i]] = v
      }
    }
  }

  private nonNeighborsOf(v: number): number[] {
    const candidates: number[] = []
    for (let w = 0; w < this.n; w++) {
      if (w !== v && this.neighborOf[w] !== v) candidates.push(w)
    }
    return candidates
  }
}
