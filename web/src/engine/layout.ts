import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force'
import type { Topology } from '../../../src/core/index.ts'
import { regularLayout } from '../../../src/diagram/network/layout.ts'

/** More nodes than this are not laid out by forces: that would take many seconds. */
const MOST_PUSHED = 20_000
/** Force updates of single nodes that take about a second. */
const PUSHES = 100_000
/** The preferred distance of neighbours, and the least distance of any two nodes. */
const LENGTH = 30
const NODE_DISTANCE_MIN = 13
/** The Barnes-Hut approximation; the usual 0.9 takes twice as long. */
const ROUGH = 1.5
/** The share of the ticks in which overlaps are removed. */
const LAST = 0.25

/**
 * The positions of nodes in the unit square, x and y by turns: the same network always has the
 * same layout. Null stands for a circle.
 */
export function layoutOf(topology: Topology, edges: Int32Array): Float64Array | null {
  const { coordinates, kind, n } = topology
  if (coordinates) return coordinates
  if (kind !== 'graph') return null
  const regular = regularLayout(topology)
  if (regular !== null) return fitted(n, (node) => [regular[2 * node], regular[2 * node + 1]])
  return n > MOST_PUSHED ? null : byForce(n, edges)
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
    .force('apart', forceCollide(NODE_DISTANCE_MIN))
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
