import type { Topology } from '../../language/topology.ts'
import type { Random } from '../../runtime/random.ts'
import { adjacencyOf, EdgeSet } from '../adjacency.ts'
import { AdjacencyGraph } from '../adjacency-graph.ts'

/** A link that appears or disappears at a moment. */
export interface LinkChange {
  readonly at: number
  readonly what: 'cut' | 'mend'
  readonly ends: readonly [number, number]
}

/**
 * Random waypoints on the unit square: every node walks straight to a random place, then to the
 * next. Whoever comes within radio range gets a link, looked at once in a time unit. The network
 * has every link that exists at some time; the changes say when each does, those at -1 that it does
 * not exist yet.
 */
export function mobile(
  { name, n, places }: { name: string; n: number; places: Float64Array },
  { range, speed, until }: { range: number; speed: number; until: number },
  random: Random,
): { readonly topology: Topology; readonly changes: readonly LinkChange[] } {
  const here = Float64Array.from(places)
  const goals = here.map(() => random.unit())
  const linked = new Uint8Array(n * n)
  const seen = new Uint8Array(n * n)
  const first = new Uint8Array(n * n)
  const changes: LinkChange[] = []
  const steps: Float64Array[] = []
  for (let at = 0; at <= until; at++) {
    if (at > 0) for (let node = 0; node < n; node++) walk(here, goals, node, speed, random)
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
  const absent: LinkChange[] = []
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      if (seen[a * n + b] === 0) continue
      edges.add(a, b)
      if (first[a * n + b] === 0) absent.push({ at: -1, what: 'cut', ends: [a, b] })
    }
  }
  const topology = new AdjacencyGraph(name, adjacencyOf(n, edges), {
    coordinates: places,
    trajectory: steps,
  })
  return { topology, changes: [...absent, ...changes] }
}

/** One time unit of a node's walk; what is left of it at a goal is walked towards the next. */
function walk(
  here: Float64Array,
  goals: Float64Array,
  node: number,
  speed: number,
  random: Random,
): void {
  let left = speed
  for (;;) {
    const far = distance(here, node, goals, node)
    const share = far <= left ? 1 : left / far
    for (const axis of [2 * node, 2 * node + 1]) here[axis] += share * (goals[axis] - here[axis])
    if (far > left) return
    left -= far
    for (const axis of [2 * node, 2 * node + 1]) goals[axis] = random.unit()
  }
}

function distance(places: Float64Array, a: number, others: Float64Array, b: number): number {
  return Math.hypot(places[2 * a] - others[2 * b], places[2 * a + 1] - others[2 * b + 1])
}
