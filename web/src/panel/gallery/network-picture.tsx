import { offeredAlgorithm } from '../../model/algorithm-list.ts'
import type { Exhibit } from '../gallery.ts'

type Point = readonly [x: number, y: number]

/** Algorithms of the catalogue that elect the smallest id. */
const SMALLEST_WINS: ReadonlySet<string> = new Set(['time-slice', 'slow-fast'])
/** The most nodes of a small picture. */
const NODES_MAX = 16

/** A small picture of an exhibit: its network, its ids by size, who crashes and who wins. */
export function NetworkPicture({ exhibit }: { readonly exhibit: Exhibit }) {
  const { scenario } = exhibit
  const { network: kind = 'any', needs } = offeredAlgorithm(scenario.algorithm) ?? {}
  const { places, links } = networkOf(exhibit, kind)
  const sizes = sizesOf(exhibit, places.length)
  const crashed = new Set(
    [...String(scenario.crash ?? '').matchAll(/(?:^|,)(\d+)(?:@|,|$)/g)].map(([, node]) =>
      Number(node),
    ),
  )
  const order = SMALLEST_WINS.has(String(scenario.algorithm)) ? -1 : 1
  const alive = sizes.map((size, i) => (crashed.has(i) ? Number.NEGATIVE_INFINITY : order * size))
  const winner = needs === null ? -1 : alive.indexOf(Math.max(...alive))
  const radius = places.length > 10 ? 1.6 : 2.2
  return (
    <svg class="picture" viewBox="-14 -14 28 28" aria-hidden="true">
      {links.map(([a, b]) => (
        <line
          key={`${a} ${b}`}
          x1={places[a][0]}
          y1={places[a][1]}
          x2={places[b][0]}
          y2={places[b][1]}
          stroke="var(--quiet)"
          stroke-width={kind === 'complete' ? 0.3 : 0.7}
        />
      ))}
      {places.map(([cx, cy], i) => {
        const fill = crashed.has(i)
          ? 'var(--danger)'
          : i === winner
            ? 'var(--leader)'
            : 'var(--unknown)'
        return <circle key={i} cx={cx} cy={cy} r={radius * (0.6 + 0.7 * sizes[i])} fill={fill} />
      })}
    </svg>
  )
}

function networkOf({ scenario }: Exhibit, kind: string) {
  const topology = String(scenario.topology ?? '')
  const [, rows, columns] = /^grid:(\d+)x(\d+)/.exec(topology) ?? []
  if (rows !== undefined) return gridOf(Number(rows), Number(columns))
  const [, dimension] = /^hypercube:(\d+)/.exec(topology) ?? []
  if (dimension !== undefined) return cubeOf(Number(dimension))
  const n = Math.min(NODES_MAX, nodesOf(scenario))
  const [, arity] = /^tree:\d+:(\d+)/.exec(topology) ?? []
  if (arity !== undefined) return treeOf(n, Number(arity))
  const places = Array.from({ length: n }, (_, i) => onCircle(i, n))
  if (topology.startsWith('edges:')) return { places, links: linksIn(topology) }
  if (topology === '' && kind === 'any') return { places, links: chords(n, 2) }
  if (kind === 'ring') return { places, links: chords(n, 0) }
  if (kind === 'complete' || topology === '') return { places, links: all(n) }
  return { places: places.map(scattered), links: chords(n, 3) }
}

function nodesOf({ n, ids, topology }: Exhibit['scenario']): number {
  if (Array.isArray(ids)) return ids.length
  return Number(n ?? /:(\d+)/.exec(String(topology ?? ''))?.[1] ?? 6)
}

/** Nodes by their ids or values, from 0 to 1. */
function sizesOf({ scenario: { ids, values } }: Exhibit, n: number): number[] {
  const given = Array.isArray(values) ? values : ids
  if (given === 'same') return Array.from({ length: n }, () => 0.6)
  if (values === 'peak') return Array.from({ length: n }, (_, i) => (i === 0 ? 1 : 0.2))
  const ranks = Array.isArray(given) ? given.slice(0, n).map(Number) : [...Array(n).keys()]
  if (given === 'decreasing') ranks.reverse()
  const most = Math.max(1, ...ranks)
  return ranks.map((rank) => rank / most)
}

function onCircle(i: number, n: number): Point {
  const angle = (2 * Math.PI * i) / n
  return [10.5 * Math.sin(angle), -10.5 * Math.cos(angle)]
}

/** The same place for every visit, off the circle. */
function scattered([x, y]: Point, i: number): Point {
  const nearer = 1 - ((i * 7) % 10) / 14
  return [x * nearer, y * nearer]
}

function gridOf(rows: number, columns: number) {
  const places = Array.from({ length: rows * columns }, (_, i): Point => {
    const [row, column] = [Math.floor(i / columns), i % columns]
    return [-10 + (20 * column) / (columns - 1), -10 + (20 * row) / (rows - 1)]
  })
  const links = places.flatMap((_, i) => [
    ...(i % columns < columns - 1 ? [[i, i + 1]] : []),
    ...(i + columns < places.length ? [[i, i + columns]] : []),
  ])
  return { places, links }
}

const STEPS: readonly Point[] = [
  [11, 4],
  [-4, 9],
  [9, -7],
  [3, 3],
]

/** Every coordinate is a step in a direction of its own. */
function cubeOf(dimension: number) {
  const steps = STEPS.slice(0, dimension)
  const at = (node: number, axis: 0 | 1) =>
    steps.reduce((sum, step, b) => sum + (((node >> b) & 1) - 0.5) * step[axis], 0)
  const n = 2 ** dimension
  const places = Array.from({ length: n }, (_, node): Point => [at(node, 0), at(node, 1)])
  const links = places.flatMap((_, node) =>
    steps.flatMap((_, b) => ((node >> b) & 1 ? [] : [[node, node | (1 << b)]])),
  )
  return { places, links }
}

/** The root at the top, and every level in a row. */
function treeOf(n: number, arity: number) {
  const parent = (node: number) => Math.floor((node - 1) / arity)
  const depth = (node: number): number => (node === 0 ? 0 : 1 + depth(parent(node)))
  const levels = depth(n - 1)
  const places = Array.from({ length: n }, (_, node): Point => {
    const level = depth(node)
    const first = level === 0 ? 0 : (arity ** level - 1) / (arity - 1)
    const width = arity ** level
    return [-12 + (24 * (node - first + 0.5)) / width, -9 + (18 * level) / Math.max(1, levels)]
  })
  return { places, links: places.slice(1).map((_, i) => [parent(i + 1), i + 1]) }
}

function linksIn(topology: string): number[][] {
  return [...topology.matchAll(/(\d+)-(\d+)/g)].map(([, a, b]) => [Number(a), Number(b)])
}

/** A ring, and links to nodes further along it. */
function chords(n: number, further: number): number[][] {
  return Array.from({ length: n }, (_, i) => i).flatMap((i) => [
    [i, (i + 1) % n],
    ...(further > 0 && i % 2 === 0 ? [[i, (i + further) % n]] : []),
  ])
}

function all(n: number): number[][] {
  return Array.from({ length: n }, (_, i) => i).flatMap((i) =>
    Array.from({ length: n - i - 1 }, (_, j) => [i, i + j + 1]),
  )
}
