import type { Topology } from '../../language/topology.ts'
import type { Random } from '../../runtime/random.ts'
import { AdjacencyGraph, adjacencyOf, EdgeSet } from '../adjacency.ts'

/** A link that appears or disappears at a moment. */
export interface LinkChange {
  readonly at: number
  readonly what: 'cut' | 'mend'
  readonly ends: readonly [number, number]
}

/**
 * The random waypoint model on the unit square: every node moves straight to a random point, then
 * to the next. Nodes within radio range are linked, which is evaluated once per time unit. The
 * network has every link that exists at some time; `changes` has the times at which links appear
 * and disappear, and -1 for links that do not exist at the start.
 */
export function mobile(
  { name, n, coordinates }: { name: string; n: number; coordinates: Float64Array },
  { range, speed, until }: { range: number; speed: number; until: number },
  random: Random,
): { readonly topology: Topology; readonly changes: readonly LinkChange[] } {
  const here = Float64Array.from(coordinates)
  const waypoints = here.map(() => random.unit())
  const linked = new Uint8Array(n * n)
  const seen = new Uint8Array(n * n)
  const first = new Uint8Array(n * n)
  const changes: LinkChange[] = []
  const steps: Float64Array[] = []
  for (let at = 0; at <= until; at++) {
    if (at > 0) for (let node = 0; node < n; node++) move(here, waypoints, node, speed, random)
    steps.push(here.slice())
    for (let a = 0; a < n; a++) {
      for (let b = a + 1; b < n; b++) {
        const pair = a * n + b
        const close = distance(here, a, here, b) <= range ? 1 : 0
        if (at === 0) first[pair] = close
        else if (close !== linked[pair]) {
          changes.push({ at, what: close === 1 ? 'mend' : 'cut', ends: [a, b] })
        }
        linked[pair] = close
        seen[pair] |= close
      }
    }
  }
  const edges = new EdgeSet()
  const initiallyAbsent: LinkChange[] = []
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      if (seen[a * n + b] === 0) continue
      edges.add(a, b)
      if (first[a * n + b] === 0) initiallyAbsent.push({ at: -1, what: 'cut', ends: [a, b] })
    }
  }
  const topology = new AdjacencyGraph(name, adjacencyOf(n, edges), {
    coordinates,
    trajectory: steps,
  })
  return { topology, changes: [...initiallyAbsent, ...changes] }
}

/** Moves a node for one time unit, past as many waypoints as it reaches. */
function move(
  here: Float64Array,
  waypoints: Float64Array,
  node: number,
  speed: number,
  random: Random,
): void {
  let left = speed
  for (;;) {
    const far = distance(here, node, waypoints, node)
    const share = far <= left ? 1 : left / far
    for (const axis of [2 * node, 2 * node + 1])
      here[axis] += share * (waypoints[axis] - here[axis])
    if (far > left) return
    left -= far
    for (const axis of [2 * node, 2 * node + 1]) waypoints[axis] = random.unit()
  }
}

function distance(coordinates: Float64Array, a: number, others: Float64Array, b: number): number {
  return Math.hypot(coordinates[2 * a] - others[2 * b], coordinates[2 * a + 1] - others[2 * b + 1])
}
