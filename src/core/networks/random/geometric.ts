import type { Random } from '../../runtime/random.ts'
import { EdgeSet } from '../adjacency.ts'

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
