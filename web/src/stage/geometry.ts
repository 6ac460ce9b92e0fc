import type { RunFacts } from '../recording/run-log.ts'
import { layout } from './layout.ts'

/** Where things are on a surface of this size: nodes, and messages between them. */
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
  /** How far links bend away from the middle, as a share of their length; both ways differ. */
  readonly bend: number
}

const LARGEST = 26
const SMALLEST = 2.5
/** Room around the nodes for what is written beside them. */
const MARGIN = 26
/** On a circle words stand to the left and to the right of it. */
const WORDS = 44
const WORDED = 40
/** Nodes that are looked at to find out how near they lie to each other. */
const SAMPLE = 300
/** Up to so many are moved off each other, so often. */
const UNTANGLED = 300
const NUDGES = 30

const known = new WeakMap<RunFacts, Geometry>()

/** The geometry of a world on a surface at a time; what does not move is kept between frames. */
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
  const { n, kind } = world
  const area = Math.max(1, Math.min(width, height))
  // On a circle neighbours may nearly touch, elsewhere nodes share the area.
  const share = world.walk ? 0.2 : 0.27
  const room = kind === 'graph' ? (share * area) / Math.sqrt(n) : Math.min(0.075, 0.9 / n) * area
  const largest = LARGEST * scale
  const wished = clamp(room, largest)
  const [x, y] = spread(world, layout(world), width, height, margins(world, wished, scale, width))
  // Messages are to be seen between neighbours.
  const near = (kind === 'graph' ? 0.38 : 0.32) * nearness(x, y)
  const radius = clamp(Math.min(wished, near), largest)
  if (kind === 'graph' && n <= UNTANGLED && world.walk === undefined)
    untangle(x, y, 2 * radius + 4, width, height)
  // Both directions of a link are seen apart where there are few.
  return { width, height, scale, radius, x, y, bend: n <= 60 ? 0.06 : 0 }
}

type Margins = readonly [across: number, down: number]

function margins({ n, kind }: RunFacts, radius: number, scale: number, width: number): Margins {
  // A leader is drawn larger, and may come near the border.
  const margin = 1.3 * radius + (n <= WORDED ? MARGIN * scale : 12)
  const words = kind !== 'graph' && n <= WORDED ? WORDS * scale : 0
  // Where there is little room, nodes need it more than words.
  return [Math.max(margin, Math.min(margin + words, 0.3 * width)), margin]
}

/** Places from -1 to 1 on a surface; circles stay round. */
function spread(
  { n, kind }: RunFacts,
  places: ArrayLike<number>,
  width: number,
  height: number,
  [across, down]: Margins,
): [Float64Array, Float64Array] {
  const halves = [Math.max(1, width / 2 - across), Math.max(1, height / 2 - down)]
  const [wide, high] = kind === 'graph' ? halves : [Math.min(...halves), Math.min(...halves)]
  return [
    Float64Array.from({ length: n }, (_, node) => width / 2 + places[2 * node] * wide),
    Float64Array.from({ length: n }, (_, node) => height / 2 + places[2 * node + 1] * high),
  ]
}

/** Where nodes that move are at a time. */
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
  const places = Float64Array.from(
    before,
    (place, i) => 2 * (place + part * (after[i] - place)) - 1,
  )
  const [x, y] = spread(world, places, width, height, margins(world, radius, scale, width))
  return { ...geometry, x, y }
}

function clamp(radius: number, largest: number): number {
  return Math.min(largest, Math.max(SMALLEST, radius))
}

/** How far the next node is, for half of the nodes: the others lie closer. */
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

/** Moves nodes that lie on each other a little, so that all are seen. */
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
        // Those at the very same place go sideways.
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

/** A point of the way from one node to another: bent to the right of who walks it. */
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

/** The nodes on either side of a line, which goes on beyond its ends. */
export function sides({ x, y }: Geometry, { from, to }: LineSegment): [number[], number[]] {
  const groups: [number[], number[]] = [[], []]
  for (let node = 0; node < x.length; node++) {
    const across = (to.x - from.x) * (y[node] - from.y) - (to.y - from.y) * (x[node] - from.x)
    groups[across < 0 ? 0 : 1].push(node)
  }
  return groups
}
