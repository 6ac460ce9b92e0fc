import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force'
import type { Topology } from '../../../src/core/index.ts'

/** Nodes in one row of a path; a longer path turns back. */
const ROW = 16
/** More nodes than this are not laid out by forces: that would take many seconds. */
const MOST_PUSHED = 20_000
/** Force updates of single nodes that take about a second. */
const PUSHES = 100_000
/** The preferred distance of neighbours, and the least distance of any two nodes. */
const LENGTH = 30
const NEAR = 13
/** The Barnes-Hut approximation; the usual 0.9 takes twice as long. */
const ROUGH = 1.5
/** The share of the ticks in which overlaps are removed. */
const LAST = 0.25

/**
 * The positions of nodes in the unit square, x and y by turns: the same network always has the
 * same layout. Null stands for a circle.
 */
export function layoutOf(topology: Topology, edges: Int32Array): Float64Array | null {
  const { coordinates, kind, name, n } = topology
  if (coordinates) return coordinates
  if (kind !== 'graph') return null
  const [form, ...sizes] = name.split(/[:x]/)
  switch (form) {
    case 'grid':
      return lattice(Number(sizes[0]), Number(sizes[1]), 0)
    case 'torus':
      // A little skewed: links that close a row or a column would otherwise cover the others.
      return lattice(Number(sizes[0]), Number(sizes[1]), 0.06)
    case 'path':
      return path(n)
    case 'star':
      return star(n)
    case 'tree':
      return sizes[1] === '1' ? path(n) : tree(n, Number(sizes[1]))
    default:
      return n > MOST_PUSHED ? null : byForce(n, edges)
  }
}

function lattice(rows: number, columns: number, askew: number): Float64Array {
  return fitted(rows * columns, (node) => {
    const [row, column] = [Math.floor(node / columns), node % columns]
    const [down, across] = [share(row, rows), share(column, columns)]
    const bulge = (at: number) => 4 * at * (1 - at)
    return [across + askew * bulge(down), down + askew * bulge(across)]
  })
}

function share(place: number, all: number): number {
  return all === 1 ? 0.5 : place / (all - 1)
}

function path(n: number): Float64Array {
  const columns = Math.min(n, ROW)
  return fitted(n, (node) => {
    const [row, column] = [Math.floor(node / ROW), node % ROW]
    return [row % 2 === 0 ? column : columns - 1 - column, row]
  })
}

function star(n: number): Float64Array {
  return fitted(n, (node) => {
    const angle = (2 * Math.PI * (node - 1)) / (n - 1) - Math.PI / 2
    return node === 0 ? [0, 0] : [Math.cos(angle), Math.sin(angle)]
  })
}

/** One row per generation, parents above the middle of their children. */
function tree(n: number, arity: number): Float64Array {
  const x = new Float64Array(n)
  const depth = new Int32Array(n)
  for (let node = 1; node < n; node++) depth[node] = depth[Math.floor((node - 1) / arity)] + 1
  const first = (node: number) => node * arity + 1
  let leaves = 0
  const visit = (node: number) => {
    const last = Math.min(n, first(node) + arity) - 1
    if (first(node) > last) {
      x[node] = leaves++
      return
    }
    for (let child = first(node); child <= last; child++) visit(child)
    x[node] = (x[first(node)] + x[last]) / 2
  }
  visit(0)
  return fitted(n, (node) => [x[node], depth[node]])
}

function byForce(n: number, edges: Int32Array): Float64Array {
  const nodes = Array.from({ length: n }, () => ({}) as { x: number; y: number })
  const links = Array.from({ length: edges.length / 2 }, (_, i) => ({
    source: edges[2 * i],
    target: edges[2 * i + 1],
  }))
  const ticks = Math.min(300, Math.ceil(PUSHES / n))
  const apart = Math.ceil(ticks * LAST)
  forceSimulation(nodes)
    .force('charge', forceManyBody().strength(-LENGTH).theta(ROUGH))
    .force('link', forceLink(links).distance(LENGTH))
    .force('x', forceX())
    .force('y', forceY())
    .stop()
    .tick(ticks - apart)
    // This takes most of the time and matters only at the end.
    .force('apart', forceCollide(NEAR))
    .tick(apart)
  return fitted(n, (node) => [nodes[node].x, nodes[node].y])
}

/** Scales the positions so that they fill the square. */
function fitted(n: number, place: (node: number) => readonly [number, number]): Float64Array {
  const places = new Float64Array(2 * n)
  for (let node = 0; node < n; node++) places.set(place(node), 2 * node)
  for (const axis of [0, 1]) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let i = axis; i < 2 * n; i += 2) {
      low = Math.min(low, places[i])
      high = Math.max(high, places[i])
    }
    for (let i = axis; i < 2 * n; i += 2)
      places[i] = high > low ? (places[i] - low) / (high - low) : 0.5
  }
  return places
}
