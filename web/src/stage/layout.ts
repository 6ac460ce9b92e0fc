import { forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force'
import type { WorldFacts } from '../engine/run-log.ts'

/** Where nodes are drawn, from -1 to 1: x at 2 * node, y at 2 * node + 1. */
export type Places = Float64Array

const known = new WeakMap<WorldFacts, Places>()

/** The same network always lies in the same way. */
export function layout(world: WorldFacts): Places {
  const places = known.get(world) ?? placesOf(world)
  known.set(world, places)
  return places
}

function placesOf(world: WorldFacts): Places {
  if (world.places) return Float64Array.from(world.places, (place) => 2 * place - 1)
  if (world.kind !== 'graph') return circle(world.n)
  return byForce(world)
}

function circle(n: number): Places {
  const places = new Float64Array(2 * n)
  for (let node = 0; node < n; node++) {
    const angle = (2 * Math.PI * node) / n - Math.PI / 2
    places[2 * node] = Math.cos(angle)
    places[2 * node + 1] = Math.sin(angle)
  }
  return places
}

function byForce({ n, edges }: WorldFacts): Places {
  const nodes = Array.from({ length: n }, () => ({}) as { x: number; y: number })
  const links = Array.from({ length: edges.length / 2 }, (_, i) => ({
    source: edges[2 * i],
    target: edges[2 * i + 1],
  }))
  forceSimulation(nodes)
    .force('charge', forceManyBody().strength(-30))
    .force('link', forceLink(links).distance(30))
    .force('x', forceX())
    .force('y', forceY())
    .stop()
    .tick(n > 300 ? 100 : 300)
  return fitted(nodes)
}

/** Stretches places so that they fill the square. */
function fitted(nodes: readonly { x: number; y: number }[]): Places {
  const places = new Float64Array(2 * nodes.length)
  for (const axis of ['x', 'y'] as const) {
    const all = nodes.map((node) => node[axis])
    const low = Math.min(...all)
    const span = Math.max(...all) - low || 1
    for (const [node, place] of all.entries())
      places[2 * node + (axis === 'x' ? 0 : 1)] =
        nodes.length === 1 ? 0 : (2 * (place - low)) / span - 1
  }
  return places
}
