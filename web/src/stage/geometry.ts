import type { RunFacts } from '../recording/run-log.ts'
import { gridPlaces, type NodeGrid, nodeGrid, oval, type StagePlaces } from './places.ts'

/** The coordinates of nodes and messages on a surface of a given size. */
export interface Geometry {
  readonly width: number
  readonly height: number
  /** How large words and nodes are: 1 on a desk, more for a projector. */
  readonly scale: number
  /** Radius of a node. */
  readonly radius: number
  /** By position. */
  readonly x: Float64Array
  readonly y: Float64Array
  /** The curvature of links as a share of their length; the two directions differ. */
  readonly bend: number
  /** Many nodes stand in a grid, in the order of their positions. */
  readonly grid: NodeGrid | null
}

const RADIUS_MAX = 30
const RADIUS_MIN = 2.5
/** Larger rings and complete networks have no room on an oval and stand in a grid. */
const MOST_ON_OVAL = { ring: 3000, complete: 120, graph: Number.POSITIVE_INFINITY }
/** Room around the nodes for their labels. */
const MARGIN = 10
/** Room for the note of a stage below the labels. */
const NOTE = 9
/** On a circle, labels stand left and right of it. */
const WORDS = 44
const WORDED = 40
/** The number of nodes sampled for the distance between nodes. */
const SAMPLE = 300
/** Overlaps are removed for at most this many nodes, in this many passes. */
const OVERLAP_NODES_MAX = 300
const NUDGES = 30
/** The same for nodes that move: in every frame. */
const UNTANGLED_MOVING = 60

const known = new WeakMap<RunFacts, Geometry>()

/** The geometry of a network on a surface at a time; it is cached where nodes do not move. */
export function geometryOf(
  world: RunFacts,
  width: number,
  height: number,
  scale: number,
  time: number,
): Geometry {
  let geometry = known.get(world)
  if (geometry?.width !== width || geometry.height !== height || geometry.scale !== scale) {
    geometry = newGeometry(world, width, height, scale)
    known.set(world, geometry)
  }
  return world.walk ? walked(geometry, world, world.walk, time) : geometry
}

function newGeometry(world: RunFacts, width: number, height: number, scale: number): Geometry {
  const { n, kind, places } = world
  const largest = RADIUS_MAX * scale
  const surface = { width, height, scale }
  if (n > MOST_ON_OVAL[kind] || (kind === 'graph' && places === null)) {
    const grid = nodeGrid(n, width, height)
    const radius = Math.min(largest, 0.42 * grid.cell)
    return { ...surface, ...gridPlaces(n, grid), radius, bend: 0, grid }
  }
  const area = Math.max(1, Math.min(width, height))
  // On an oval neighbours may nearly touch, elsewhere nodes share the area.
  const share = world.walk ? 0.18 : 0.27
  const room = kind === 'graph' ? (share * area) / Math.sqrt(n) : Math.min(0.09, 0.9 / n) * area
  const wished = clamp(room, largest)
  const { x, y } = spread(world, width, height, margins(world, wished, scale, width))
  // Leave room for messages between neighbours.
  const near = (kind === 'graph' ? 0.38 : 0.32) * nearness(x, y)
  const radius = clamp(Math.min(wished, near), largest)
  if (kind === 'graph' && n <= OVERLAP_NODES_MAX && world.walk === undefined)
    untangle(x, y, 2 * radius + 4, width, height)
  // Where there are few nodes, the two directions of a link are drawn apart.
  return { ...surface, radius, x, y, bend: n <= 60 ? 0.06 : 0, grid: null }
}

type Margins = readonly [across: number, down: number]

function margins({ n, kind }: RunFacts, radius: number, scale: number, width: number): Margins {
  // A leader is drawn larger, and its label stands beyond it; at the bottom a note is below that.
  const margin = 1.6 * radius + (n <= WORDED ? MARGIN * scale : 8)
  const note = n <= WORDED ? NOTE * scale : 0
  const words = kind !== 'graph' && n <= WORDED ? WORDS * scale : 0
  // On a small surface nodes need the room more than labels.
  return [Math.max(margin, Math.min(margin + words, 0.3 * width)), margin + note]
}

/** Puts the nodes on a surface: on an oval that fills it, or where the network has them. */
function spread(
  { n, kind, places }: RunFacts,
  width: number,
  height: number,
  [across, down]: Margins,
): StagePlaces {
  const halves = [Math.max(1, width / 2 - across), Math.max(1, height / 2 - down)] as const
  if (kind !== 'graph' || places === null) return oval(n, width / 2, height / 2, halves)
  return {
    x: Float64Array.from({ length: n }, (_, i) => width / 2 + (2 * places[2 * i] - 1) * halves[0]),
    y: Float64Array.from(
      { length: n },
      (_, i) => height / 2 + (2 * places[2 * i + 1] - 1) * halves[1],
    ),
  }
}

/** The positions of moving nodes at a time. */
function walked(
  geometry: Geometry,
  world: RunFacts,
  walk: readonly ArrayLike<number>[],
  time: number,
): Geometry {
  const { width, height, scale, radius } = geometry
  const at = Math.min(Math.max(0, time), walk.length - 1)
  const [before, after] = [walk[Math.floor(at)], walk[Math.ceil(at)]]
  const part = at - Math.floor(at)
  const places = Float64Array.from(before, (place, i) => place + part * (after[i] - place))
  const around = margins(world, radius, scale, width)
  const { x, y } = spread({ ...world, places }, width, height, around)
  if (world.n <= UNTANGLED_MOVING) untangle(x, y, 2 * radius + 4, width, height)
  return { ...geometry, x, y }
}

function clamp(radius: number, largest: number): number {
  return Math.min(largest, Math.max(RADIUS_MIN, radius))
}

/** The median distance to the nearest node. */
function nearness(x: Float64Array, y: Float64Array): number {
  const n = x.length
  const gaps: number[] = []
  for (let node = 0; node < n; node += Math.ceil(n / SAMPLE)) {
    let nearest = Number.POSITIVE_INFINITY
    for (let other = 0; other < n; other++)
      if (other !== node)
        nearest = Math.min(nearest, (x[other] - x[node]) ** 2 + (y[other] - y[node]) ** 2)
    gaps.push(Math.sqrt(nearest))
  }
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]
}

/** Moves overlapping nodes apart. */
export function untangle(
  x: Float64Array,
  y: Float64Array,
  gap: number,
  width: number,
  height: number,
): void {
  for (let round = 0; round < NUDGES; round++) {
    let moved = false
    for (let a = 0; a < x.length; a++)
      for (let b = 0; b < a; b++) {
        const [dx, dy] = [x[a] - x[b], y[a] - y[b]]
        const far = Math.hypot(dx, dy)
        if (far >= gap) continue
        moved = true
        // Nodes at the same place are moved sideways.
        const push = (gap - far) / 2 + 0.01
        const [across, down] = far === 0 ? [1, 0] : [dx / far, dy / far]
        x[a] = within(x[a] + across * push, gap, width)
        y[a] = within(y[a] + down * push, gap, height)
        x[b] = within(x[b] - across * push, gap, width)
        y[b] = within(y[b] - down * push, gap, height)
      }
    if (!moved) return
  }
}

function within(place: number, gap: number, length: number): number {
  return Math.min(Math.max(place, gap / 2), Math.max(gap / 2, length - gap / 2))
}

/** A point on the way from one node to another, which bends to the right. */
export function along(
  { x, y, bend }: Geometry,
  from: number,
  to: number,
  share: number,
): { readonly x: number; readonly y: number } {
  if (from === to) {
    const angle = 2 * Math.PI * share
    return { x: x[from] + 30 * Math.sin(angle), y: y[from] - 30 * (1 - Math.cos(angle)) }
  }
  const dx = x[to] - x[from]
  const dy = y[to] - y[from]
  const lift = 4 * bend * share * (1 - share)
  return { x: x[from] + dx * share - dy * lift, y: y[from] + dy * share + dx * lift }
}

/** The node under a point, if there is one. */
export function nodeAt({ x, y, radius }: Geometry, left: number, top: number): number | null {
  const reach = Math.max(radius, 8) + 4
  let [nearest, distance] = [-1, reach * reach]
  for (let node = 0; node < x.length; node++) {
    const gap = (x[node] - left) ** 2 + (y[node] - top) ** 2
    if (gap <= distance) [nearest, distance] = [node, gap]
  }
  return nearest < 0 ? null : nearest
}

export interface LineSegment {
  readonly from: { readonly x: number; readonly y: number }
  readonly to: { readonly x: number; readonly y: number }
}

/** The nodes on either side of a line, extended beyond its ends. */
export function sides({ x, y }: Geometry, { from, to }: LineSegment): [number[], number[]] {
  const groups: [number[], number[]] = [[], []]
  for (let node = 0; node < x.length; node++) {
    const across = (to.x - from.x) * (y[node] - from.y) - (to.y - from.y) * (x[node] - from.x)
    groups[across < 0 ? 0 : 1].push(node)
  }
  return groups
}
