import type { Topology } from '../../language/topology.ts'
import type { Random } from '../../runtime/random.ts'
import { AdjacencyGraph, adjacencyOf, EdgeSet } from '../adjacency.ts'

import { isConnected } from '../components.ts'
import { limitLinks, refuse } from '../parameter.ts'
import { kOut } from './k-out.ts'
import { drawCoordinates, randomGraph, smallWorld, withinReach } from './random-graphs.ts'

export function drawRandom(n: number, p: number, random: Random): Topology {
  const name = `random:${n}:${p}`
  limitLinks(name, (p * n * (n - 1)) / 2)
  const safe = (2 * Math.log(n)) / n
  const advice = `Choose a larger p: from ${figure(safe)} on nearly all draws are connected.`
  return connected(name, n, advice, () => {
    const edges = randomGraph(n, p, random)
    return edges && new AdjacencyGraph(name, adjacencyOf(n, edges))
  })
}

export function drawGeometric(n: number, r: number, random: Random): Topology {
  const name = `geometric:${n}:${r}`
  limitLinks(name, (Math.min(1, Math.PI * r * r) * n * (n - 1)) / 2)
  const safe = Math.sqrt((2 * Math.log(n)) / (Math.PI * n))
  const advice = `Choose a larger r: from ${figure(safe)} on nearly all draws are connected.`
  return connected(name, n, advice, () => {
    const coordinates = drawCoordinates(n, random)
    const edges = withinReach(coordinates, r)
    return edges && new AdjacencyGraph(name, adjacencyOf(n, edges), { coordinates })
  })
}

export function drawKOut(n: number, k: number, random: Random): Topology {
  const name = `k-out:${n}:${k}`
  if (k >= n)
    refuse(`in ${name} k must be smaller than n.`, 'A node draws k of the n - 1 other nodes.')
  limitLinks(name, n * k)
  return connected(name, n, 'Choose a larger k.', () => kOut(name, n, k, random))
}

export function drawSmallWorld(n: number, k: number, beta: number, random: Random): Topology {
  const name = `small-world:${n}:${k}:${beta}`
  if (k % 2 === 1 || k >= n) {
    const hint = 'Half of the k neighbours lie on each side of a node.'
    refuse(`in ${name} k must be even and smaller than n.`, hint)
  }
  limitLinks(name, (n * k) / 2)
  return connected(name, n, 'Choose a larger k or a smaller beta.', () => {
    return new AdjacencyGraph(name, adjacencyOf(n, smallWorld(n, k, beta, random)))
  })
}

export function drawScaleFree(n: number, m: number, random: Random): Topology {
  const name = `scale-free:${n}:${m}`
  if (m >= n) refuse(`in ${name} m must be smaller than n.`, 'The first m + 1 nodes form a clique.')
  limitLinks(name, (m * (m + 1)) / 2 + (n - m - 1) * m)
  return new AdjacencyGraph(name, adjacencyOf(n, scaleFree(n, m, random)))
}

/**
 * Preferential attachment (Barabasi and Albert, 1999): a clique of m + 1 nodes, then each new node
 * is linked to m different older nodes, drawn in proportion to their degree: as ends of uniformly
 * drawn links.
 */
export function scaleFree(n: number, m: number, random: Random): EdgeSet {
  const edges = new EdgeSet()
  for (let v = 0; v <= m; v++) for (let w = v + 1; w <= m; w++) edges.add(v, w)
  const drawnBy = new Int32Array(n).fill(-1)
  const targets = new Int32Array(m)
  for (let v = m + 1; v < n; v++) {
    for (let i = 0; i < m; i++) {
      let target = endOf(edges, random)
      while (drawnBy[target] === v) target = endOf(edges, random)
      drawnBy[target] = v
      targets[i] = target
    }
    for (let i = 0; i < m; i++) edges.add(targets[i], v)
  }
  return edges
}

function endOf({ near, far, length }: EdgeSet, random: Random): number {
  const end = random.below(2 * length)
  return end < length ? near[end] : far[end - length]
}

/**
 * Draws until the network is connected, at most a hundred times; above 200,000 nodes fewer times,
 * so that a refusal does not take long. A draw may give up early and return null.
 */
function connected(name: string, n: number, advice: string, draw: () => Topology | null): Topology {
  const draws = Math.min(100, Math.floor(20_000_000 / n))
  for (let i = 0; i < draws; i++) {
    const drawn = draw()
    if (drawn && isConnected(drawn)) return drawn
  }
  return refuse(`${name} must be connected, but none of ${draws} draws was.`, advice)
}

function figure(value: number): string {
  return `${Number(value.toPrecision(2))}`
}
