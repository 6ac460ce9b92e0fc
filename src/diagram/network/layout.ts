import type { Topology } from '../../core/language/topology.ts'
import { stressLayout } from './stress-layout.ts'

/** Nodes in one row of a path; a longer path turns back. */
const ROW = 16

/** Positions of nodes, x and y by turns, in any unit; y points downwards. */
export type NodePlaces = Float64Array

/** Where the nodes of a network are drawn: the same network always has the same layout. */
export function networkLayout(topology: Topology): NodePlaces {
  const { coordinates, kind, n } = topology
  if (coordinates) return coordinates
  if (kind !== 'graph') return circle(n)
  return regularLayout(topology) ?? stressLayout(topology)
}

/** The layout of a network whose name tells its shape; null for all others. */
export function regularLayout({ name, n }: Pick<Topology, 'name' | 'n'>): NodePlaces | null {
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
    case 'hypercube':
      return n <= 2 ** AXES.length ? hypercube(n) : null
    default:
      return null
  }
}

/** The first node is at the top, the others follow clockwise. */
function circle(n: number): NodePlaces {
  return placed(n, (node) => {
    const angle = (2 * Math.PI * node) / n - Math.PI / 2
    return n === 1 ? [0, 0] : [Math.cos(angle), Math.sin(angle)]
  })
}

function lattice(rows: number, columns: number, askew: number): NodePlaces {
  const bulge = (at: number) => 4 * at * (1 - at)
  const size = Math.max(rows, columns) - 1
  return placed(rows * columns, (node) => {
    const [row, column] = [Math.floor(node / columns), node % columns]
    const [down, across] = [share(row, rows), share(column, columns)]
    return [column + askew * size * bulge(down), row + askew * size * bulge(across)]
  })
}

function share(place: number, all: number): number {
  return all === 1 ? 0.5 : place / (all - 1)
}

function path(n: number): NodePlaces {
  const columns = Math.min(n, ROW)
  return placed(n, (node) => {
    const [row, column] = [Math.floor(node / ROW), node % ROW]
    return [row % 2 === 0 ? column : columns - 1 - column, row]
  })
}

function star(n: number): NodePlaces {
  return placed(n, (node) => {
    const angle = (2 * Math.PI * (node - 1)) / (n - 1) - Math.PI / 2
    return node === 0 ? [0, 0] : [Math.cos(angle), Math.sin(angle)]
  })
}

/** Where a step along each coordinate of a cube leads; more coordinates would cover nodes. */
const AXES: readonly (readonly [number, number])[] = [
  [1, 0],
  [0, 1],
  [0.45, 0.4],
]

function hypercube(n: number): NodePlaces {
  const along = (node: number, axis: 0 | 1) =>
    AXES.reduce((sum, step, bit) => sum + ((node >> bit) & 1) * step[axis], 0)
  return placed(n, (node) => [along(node, 0), along(node, 1)])
}

/** One row per generation, parents above the middle of their children. */
function tree(n: number, arity: number): NodePlaces {
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
  const wide = Math.max(1, leaves - 1) / Math.max(1, depth[n - 1])
  return placed(n, (node) => [x[node], depth[node] * Math.min(2, Math.max(1, 0.6 * wide))])
}

function placed(n: number, place: (node: number) => readonly [number, number]): NodePlaces {
  const places = new Float64Array(2 * n)
  for (let node = 0; node < n; node++) places.set(place(node), 2 * node)
  return places
}
