import type { Random } from '../../runtime/random.ts'
import { EdgeSet } from '../adjacency.ts'

/**
 * Watts and Strogatz, 1998: a ring where everybody is linked to the k nearest; then the far end of
 * each link is moved, with probability beta, to a uniformly drawn node that is no neighbour yet.
 */
export function smallWorld(n: number, k: number, beta: number, random: Random): EdgeSet {
  const world = new SmallWorld(n, k / 2, beta, random)
  for (let v = 0; v < n; v++) world.takeTurn(v)
  return world.edges
}

/**
 * A link belongs to its near end for good, and nodes take their turns by position. So the
 * neighbours of the node whose turn it is are the far ends of its own links, earlier nodes whose
 * links have come to it, and later nodes that the lattice still links to it.
 */
class SmallWorld {
  readonly edges = new EdgeSet()
  private readonly ends: Int32Array
  /** The last node in whose turn this one was its neighbour. */
  private readonly neighborOf: Int32Array
  /** The links that have come to a node, as a list: the last one, and before each the previous. */
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
    const degree = this.meetNeighbors(v)
    if (degree < this.n - 1) this.rewire(v, degree)
    for (let i = 0; i < ends.length; i++) {
      previous[edges.length] = lastTo[ends[i]]
      lastTo[ends[i]] = edges.length
      edges.add(v, ends[i])
    }
  }

  private meetNeighbors(v: number): number {
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
    // Where most nodes are neighbours already, drawing until one is not would take too long.
    const strangers = 2 * degree > n ? this.strangersOf(v) : null
    for (let i = 0; i < ends.length; i++) {
      if (random.unit() >= this.beta) continue
      const freed = ends[i]
      if (strangers) {
        const drawn = random.below(strangers.length)
        ends[i] = strangers[drawn]
        strangers[drawn] = freed
      } else {
        do ends[i] = random.below(n)
        while (ends[i] === v || neighborOf[ends[i]] === v)
        neighborOf[freed] = -1
        neighborOf[ends[i]] = v
      }
    }
  }

  private strangersOf(v: number): number[] {
    const strangers: number[] = []
    for (let w = 0; w < this.n; w++) {
      if (w !== v && this.neighborOf[w] !== v) strangers.push(w)
    }
    return strangers
  }
}
