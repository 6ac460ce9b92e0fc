import type { Random } from '../../runtime/random.ts'
import { EdgeSet } from '../adjacency.ts'

/**
 * G(n, p): every pair is linked with probability p. The algorithm jumps from one linked pair to the
 * next, row by row (Batagelj and Brandes, 2005). Null as soon as a node has no link.
 */
export function randomGraph(n: number, p: number, random: Random): EdgeSet | null {
  const edges = new EdgeSet()
  const linked = new Uint8Array(n)
  const gap = gaps(p, random)
  let v = 0
  let w = 0
  for (;;) {
    w += 1 + gap()
    while (w >= n) {
      if (!linked[v] && n > 1) return null
      v++
      if (v === n) return edges
      w += v + 1 - n
    }
    edges.add(v, w)
    linked[v] = 1
    linked[w] = 1
  }
}

/**
 * The number of pairs before the next linked pair. A geometric number is the integer part of an
 * exponential one; for large p a draw per pair is as fast.
 */
function gaps(p: number, random: Random): () => number {
  if (p > 0.5) {
    return () => {
      let gap = 0
      while (random.unit() >= p) gap++
      return gap
    }
  }
  const mean = 1 / minusLogOneMinus(p)
  return () => Math.floor(random.exponential(mean))
}

/**
 * -ln(1 - p) for p up to 1/2, by the series of 2 artanh(p / (2 - p)): the last digit of Math.log
 * may differ between machines, and with it the whole network.
 */
function minusLogOneMinus(p: number): number {
  const z = p / (2 - p)
  let sum = 0
  let power = z
  for (let odd = 1; sum + power / odd !== sum; odd += 2) {
    sum += power / odd
    power *= z * z
  }
  return 2 * sum
}

/** Cells are slightly wider than r, so that rounding never puts a neighbour two cells away. */
const ALMOST = 0.999999

/** Uniform coordinates in the unit square: x at 2 * node, y at 2 * node + 1. */
export function drawCoordinates(n: number, random: Random): Float64Array {
  const coordinates = new Float64Array(2 * n)
  for (let i = 0; i < coordinates.length; i++) coordinates[i] = random.unit()
  return coordinates
}

/** Links nodes at a distance of at most r. Null as soon as a node has no link. */
export function withinReach(coordinates: Float64Array, r: number): EdgeSet | null {
  const n = coordinates.length / 2
  const edges = new EdgeSet()
  const cells = new Cells(coordinates, r)
  for (let v = 0; v < n; v++) {
    const x = coordinates[2 * v]
    const y = coordinates[2 * v + 1]
    let isolated = n > 1
    const column = cells.line(x)
    const row = cells.line(y)
    const lastRow = Math.min(row + 1, cells.side - 1)
    for (let nearRow = Math.max(row - 1, 0); nearRow <= lastRow; nearRow++) {
      // Adjacent cells of a row are adjacent in the table.
      const from = cells.offsets[nearRow * cells.side + Math.max(column - 1, 0)]
      const to = cells.offsets[nearRow * cells.side + Math.min(column + 1, cells.side - 1) + 1]
      for (let i = from; i < to; i++) {
        const w = cells.nodes[i]
        const dx = coordinates[2 * w] - x
        const dy = coordinates[2 * w + 1] - y
        if (w === v || dx * dx + dy * dy > r * r) continue
        isolated = false
        if (v < w) edges.add(v, w)
      }
    }
    if (isolated) return null
  }
  return edges
}

/**
 * A grid of equal cells at least r wide, so that all neighbours lie in the same cell or in an
 * adjacent one; at most about as many cells as nodes. The nodes are listed cell by cell, row by
 * row.
 */
class Cells {
  readonly side: number
  readonly offsets: Int32Array
  readonly nodes: Int32Array

  constructor(coordinates: Float64Array, r: number) {
    const n = coordinates.length / 2
    this.side = Math.max(1, Math.floor(Math.min(ALMOST / r, Math.sqrt(n))))
    this.offsets = new Int32Array(this.side * this.side + 1)
    const cellOf = new Int32Array(n)
    for (let v = 0; v < n; v++) {
      cellOf[v] = this.line(coordinates[2 * v + 1]) * this.side + this.line(coordinates[2 * v])
      this.offsets[cellOf[v] + 1]++
    }
    for (let c = 1; c < this.offsets.length; c++) this.offsets[c] += this.offsets[c - 1]
    const next = this.offsets.slice()
    this.nodes = new Int32Array(n)
    for (let v = 0; v < n; v++) this.nodes[next[cellOf[v]]++] = v
  }

  /** The row or column of a coordinate. */
  line(coordinate: number): number {
    return Math.floor(coordinate * this.side)
  }
}

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
