import type { Topology } from '../../language/topology.ts'
import type { Random } from '../../runtime/random.ts'
import { adjacencyOf } from '../adjacency.ts'
import { AdjacencyGraph } from '../adjacency-graph.ts'
import { isConnected } from '../components.ts'
import { limitLinks } from '../limits.ts'
import { refuse } from '../parameter.ts'
import { drawPlaces, withinReach } from './geometric.ts'
import { kOut } from './k-out.ts'
import { randomGraph } from './random-graph.ts'
import { scaleFree } from './scale-free.ts'
import { smallWorld } from './small-world.ts'

export function drawRandom(n: number, p: number, random: Random): Topology {
  const name = `random:${n}:${p}`
  limitLinks(name, (p * n * (n - 1)) / 2)
  const advice = `Take a larger p: from ${figure((2 * Math.log(n)) / n)} on nearly every draw is.`
  return connected(name, n, advice, () => {
    const edges = randomGraph(n, p, random)
    return edges && new AdjacencyGraph(name, adjacencyOf(n, edges))
  })
}

export function drawGeometric(n: number, r: number, random: Random): Topology {
  const name = `geometric:${n}:${r}`
  limitLinks(name, (Math.min(1, Math.PI * r * r) * n * (n - 1)) / 2)
  const safe = Math.sqrt((2 * Math.log(n)) / (Math.PI * n))
  const advice = `Take a larger r: from ${figure(safe)} on nearly every draw is.`
  return connected(name, n, advice, () => {
    const places = drawPlaces(n, random)
    const edges = withinReach(places, r)
    return edges && new AdjacencyGraph(name, adjacencyOf(n, edges), { coordinates: places })
  })
}

export function drawKOut(n: number, k: number, random: Random): Topology {
  const name = `k-out:${n}:${k}`
  if (k >= n) refuse('k is smaller than n', `${name} was given`, 'A node draws k of n - 1 others.')
  limitLinks(name, n * k)
  return connected(name, n, 'Take a larger k.', () => {
    return new AdjacencyGraph(name, kOut(n, k, random), { outLinks: k })
  })
}

export function drawSmallWorld(n: number, k: number, beta: number, random: Random): Topology {
  const name = `small-world:${n}:${k}:${beta}`
  if (k % 2 === 1 || k >= n) {
    const remedy = 'Half of the k neighbours lie on each side of a node.'
    refuse('k is even and smaller than n', `${name} was given`, remedy)
  }
  limitLinks(name, (n * k) / 2)
  return connected(name, n, 'Take a larger k or a smaller beta.', () => {
    return new AdjacencyGraph(name, adjacencyOf(n, smallWorld(n, k, beta, random)))
  })
}

export function drawScaleFree(n: number, m: number, random: Random): Topology {
  const name = `scale-free:${n}:${m}`
  if (m >= n) {
    const remedy = 'The first m + 1 nodes are a clique.'
    refuse('m is smaller than n', `${name} was given`, remedy)
  }
  limitLinks(name, (m * (m + 1)) / 2 + (n - m - 1) * m)
  return new AdjacencyGraph(name, adjacencyOf(n, scaleFree(n, m, random)))
}

/**
 * Draws until the network is connected, a hundred times at most; above 200,000 nodes
 * fewer times, so that a refusal does not keep anybody waiting. A draw may give up early: null.
 */
function connected(name: string, n: number, advice: string, draw: () => Topology | null): Topology {
  const draws = Math.min(100, Math.floor(20_000_000 / n))
  for (let i = 0; i < draws; i++) {
    const drawn = draw()
    if (drawn && isConnected(drawn)) return drawn
  }
  return refuse(`${name} has to be connected`, `none of ${draws} draws was`, advice)
}

function figure(value: number): string {
  return `${Number(value.toPrecision(2))}`
}
