import { linksOf, type Topology } from '../../core/language/topology.ts'

/** More pivots change nothing that is visible. */
const PIVOTS = 40
const ROUNDS = 80
/** Work per round that takes a few milliseconds; larger networks get fewer rounds. */
const WORK = 40_000_000
/** How far nodes stay from links of others, where one is the usual length of a link. */
const CLEARANCE = 0.24
const CLEARINGS = 30
/** Pairs of a node and a link; more would take seconds. */
const MOST_CLEARED = 60_000

/**
 * Places nodes so that their distances are near the lengths of shortest paths: pivot
 * multidimensional scaling (Brandes and Pich 2007), improved by stress majorisation (Gansner, Koren
 * and North 2005). There is no chance in it.
 */
export function stressLayout(topology: Topology): Float64Array {
  const { n } = topology
  if (n === 1) return new Float64Array(2)
  const far = Math.sqrt(n) + 1
  const distances = Array.from({ length: n }, (_, node) => hopsFrom(topology, node, far))
  const places = scaled(distances, n)
  const rounds = Math.max(5, Math.min(ROUNDS, Math.floor(WORK / (n * n))))
  for (let round = 0; round < rounds; round++) improve(places, distances, n)
  if (n * topology.links <= MOST_CLEARED) {
    for (let round = 0; round < CLEARINGS; round++) clear(places, topology)
  }
  return places
}

/** Moves nodes off the links of others, which would otherwise seem to end there. */
function clear(places: Float64Array, topology: Topology): void {
  for (let a = 0; a < topology.n; a++) {
    for (const link of linksOf(topology, a)) {
      const b = topology.neighbor(a, link)
      if (b <= a) continue
      for (let node = 0; node < topology.n; node++) {
        if (node !== a && node !== b) clearNode(places, node, a, b)
      }
    }
  }
}

function clearNode(places: Float64Array, node: number, a: number, b: number): void {
  const [ax, ay] = [places[2 * a], places[2 * a + 1]]
  const [dx, dy] = [places[2 * b] - ax, places[2 * b + 1] - ay]
  const [px, py] = [places[2 * node] - ax, places[2 * node + 1] - ay]
  const square = dx * dx + dy * dy || 1
  const along = (px * dx + py * dy) / square
  if (along <= 0 || along >= 1) return
  const [offX, offY] = [px - along * dx, py - along * dy]
  const off = Math.hypot(offX, offY)
  if (off >= CLEARANCE) return
  // A node that lies exactly on the link goes to one side of it.
  const length = Math.sqrt(square)
  const [ux, uy] = off > 1e-6 ? [offX / off, offY / off] : [-dy / length, dx / length]
  const push = (CLEARANCE - off) / 2
  places[2 * node] += ux * push
  places[2 * node + 1] += uy * push
}

/** The lengths of shortest paths to all nodes; nodes out of reach are far. */
function hopsFrom(topology: Topology, start: number, far: number): Float64Array {
  const hops = new Float64Array(topology.n).fill(far)
  const queue = [start]
  hops[start] = 0
  for (let seen = 0; seen < queue.length; seen++) {
    const node = queue[seen]
    for (const link of linksOf(topology, node)) {
      const other = topology.neighbor(node, link)
      if (hops[other] !== far || other === start) continue
      hops[other] = hops[node] + 1
      queue.push(other)
    }
  }
  return hops
}

/** The two directions in which distances to the pivots differ most. */
function scaled(distances: readonly Float64Array[], n: number): Float64Array {
  const pivots = pivotsOf(distances, n)
  const k = pivots.length
  const square = (node: number, i: number) => distances[pivots[i]][node] ** 2
  const columnMean = pivots.map((_, i) => mean(n, (node) => square(node, i)))
  const all = mean(k, (i) => columnMean[i])
  const centred = Array.from({ length: n }, (_, node) => {
    const rowMean = mean(k, (i) => square(node, i))
    return pivots.map((_, i) => square(node, i) - rowMean - columnMean[i] + all)
  })
  const axes: number[][] = []
  for (let axis = 0; axis < 2; axis++) axes.push(principal(centred, k, axes))
  const places = new Float64Array(2 * n)
  for (let node = 0; node < n; node++) {
    for (const [axis, direction] of axes.entries()) {
      const along = direction.reduce((sum, part, i) => sum + part * centred[node][i], 0)
      // Nodes with the same distances, such as leaves of one parent, must not fall together.
      const nudge = 1e-3 * Math.cos(2.4 * node + (axis * Math.PI) / 2)
      places[2 * node + axis] = along + nudge
    }
  }
  return stretched(places, distances, n)
}

/** Each pivot is the node that is farthest from those before it. */
function pivotsOf(distances: readonly Float64Array[], n: number): number[] {
  const pivots = [0]
  const nearest = Float64Array.from(distances[0])
  while (pivots.length < Math.min(PIVOTS, n)) {
    let next = 0
    for (let node = 1; node < n; node++) if (nearest[node] > nearest[next]) next = node
    if (nearest[next] === 0) break
    pivots.push(next)
    for (let node = 0; node < n; node++) {
      nearest[node] = Math.min(nearest[node], distances[next][node])
    }
  }
  return pivots
}

function mean(count: number, at: (i: number) => number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += at(i)
  return sum / count
}

/** The leading eigenvector of C^T C, orthogonal to those before it, by power iteration. */
function principal(
  rows: readonly (readonly number[])[],
  k: number,
  before: readonly (readonly number[])[],
): number[] {
  let vector = Array.from({ length: k }, (_, i) => 1 + Math.cos(3 * i + before.length))
  for (let round = 0; round < 60; round++) {
    for (const other of before) {
      const shared = other.reduce((sum, part, i) => sum + part * vector[i], 0)
      vector = vector.map((part, i) => part - shared * other[i])
    }
    const next = new Array<number>(k).fill(0)
    for (const row of rows) {
      const along = row.reduce((sum, part, i) => sum + part * vector[i], 0)
      for (let i = 0; i < k; i++) next[i] += along * row[i]
    }
    const length = Math.hypot(...next)
    if (length < 1e-12) return vector
    vector = next.map((part) => part / length)
  }
  return vector
}

/** Scales the layout so that its distances are on average those of the graph. */
function stretched(
  places: Float64Array,
  distances: readonly Float64Array[],
  n: number,
): Float64Array {
  let [drawn, wanted] = [0, 0]
  for (let node = 1; node < n; node++) {
    drawn += Math.hypot(places[2 * node] - places[0], places[2 * node + 1] - places[1])
    wanted += distances[0][node]
  }
  const scale = drawn > 0 ? wanted / drawn : 1
  return places.map((place) => place * scale)
}

/** One round of stress majorisation, node by node; near nodes count most. */
function improve(places: Float64Array, distances: readonly Float64Array[], n: number): void {
  for (let node = 0; node < n; node++) {
    const row = distances[node]
    const [x, y] = [places[2 * node], places[2 * node + 1]]
    let [sumX, sumY, weights] = [0, 0, 0]
    for (let other = 0; other < n; other++) {
      if (other === node) continue
      const weight = 1 / (row[other] * row[other])
      const [dx, dy] = [x - places[2 * other], y - places[2 * other + 1]]
      const apart = Math.sqrt(dx * dx + dy * dy) || 1e-6
      sumX += weight * (places[2 * other] + (row[other] * dx) / apart)
      sumY += weight * (places[2 * other + 1] + (row[other] * dy) / apart)
      weights += weight
    }
    places[2 * node] = sumX / weights
    places[2 * node + 1] = sumY / weights
  }
}
