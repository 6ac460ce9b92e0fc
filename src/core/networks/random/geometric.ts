import type { Random } from '../../runtime/random.ts'
import { EdgeSet } from '../adjacency.ts'

/** Cells are a trifle wider than r, so that no rounding puts a neighbour two cells away. */
const ALMOST = 0.999999

/** Uniform places in the unit square: x at 2 * node, y at 2 * node + 1. */
export function drawPlaces(n: number, random: Random): Float64Array {
  const places = new Float64Array(2 * n)
  for (let i = 0; i < places.length; i++) places[i] = random.unit()
  return places
}

/** Links whoever is at most r apart. Null as soon as a node is known to have no link. */
export function withinReach(places: Float64Array, r: number): EdgeSet | null {
  const n = places.length / 2
  const edges = new EdgeSet()
  const cells = new Cells(places, r)
  for (let v = 0; v < n; v++) {
    const x = places[2 * v]
    const y = places[2 * v + 1]
    let alone = n > 1
    const column = cells.line(x)
    const row = cells.line(y)
    const lastRow = Math.min(row + 1, cells.side - 1)
    for (let beside = Math.max(row - 1, 0); beside <= lastRow; beside++) {
      // The cells next to each other in a row are next to each other in the table too.
      const from = cells.offsets[beside * cells.side + Math.max(column - 1, 0)]
      const to = cells.offsets[beside * cells.side + Math.min(column + 1, cells.side - 1) + 1]
      for (let i = from; i < to; i++) {
        const w = cells.nodes[i]
        const dx = places[2 * w] - x
        const dy = places[2 * w + 1] - y
        if (w === v || dx * dx + dy * dy > r * r) continue
        alone = false
        if (v < w) edges.add(v, w)
      }
    }
    if (alone) return null
  }
  return edges
}

/**
 * The square cut into equal cells at least r wide, so that whoever is in reach lies in the same
 * cell or in one beside it; about as many cells as nodes at most. The nodes are listed cell by
 * cell, row by row.
 */
class Cells {
  readonly side: number
  readonly offsets: Int32Array
  readonly nodes: Int32Array

  constructor(places: Float64Array, r: number) {
    const n = places.length / 2
    this.side = Math.max(1, Math.floor(Math.min(ALMOST / r, Math.sqrt(n))))
    this.offsets = new Int32Array(this.side * this.side + 1)
    const cellOf = new Int32Array(n)
    for (let v = 0; v < n; v++) {
      cellOf[v] = this.line(places[2 * v + 1]) * this.side + this.line(places[2 * v])
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
