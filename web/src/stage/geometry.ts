import type { WorldFacts } from '../engine/run-log.ts'
import type { Places } from './layout.ts'

/** Where things are on a surface of this size: nodes, and messages between them. */
export interface Geometry {
  readonly width: number
  readonly height: number
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
/** Nodes that are looked at to find out how near they lie to each other. */
const SAMPLE = 300

const known = new WeakMap<WorldFacts, Geometry>()

/** The geometry of a world on a surface; the last one is kept, since frames follow each other. */
export function geometryOf(
  world: WorldFacts,
  places: Places,
  width: number,
  height: number,
): Geometry {
  const former = known.get(world)
  if (former?.width === width && former.height === height) return former
  const geometry = newGeometry(world, places, width, height)
  known.set(world, geometry)
  return geometry
}

function newGeometry(
  { n, kind }: WorldFacts,
  places: Places,
  width: number,
  height: number,
): Geometry {
  const area = Math.max(1, Math.min(width, height))
  // On a circle neighbours may nearly touch, elsewhere nodes share the area.
  const room = kind === 'graph' ? (0.3 * area) / Math.sqrt(n) : (0.9 * area) / n
  const wished = clamp(room)
  // A leader is drawn larger.
  const margin = 1.75 * wished + (n <= 40 ? MARGIN : 12)
  const half = (length: number) => Math.max(1, length / 2 - margin)
  const [wide, high] =
    kind === 'graph'
      ? [half(width), half(height)]
      : [Math.min(half(width), half(height)), Math.min(half(width), half(height))]
  const x = Float64Array.from({ length: n }, (_, node) => width / 2 + places[2 * node] * wide)
  const y = Float64Array.from({ length: n }, (_, node) => height / 2 + places[2 * node + 1] * high)
  return {
    width,
    height,
    // Messages are to be seen between neighbours.
    radius: clamp(Math.min(wished, (kind === 'graph' ? 0.45 : 0.32) * nearness(x, y))),
    x,
    y,
    // Both directions of a link are seen apart where there are few.
    bend: n <= 60 ? 0.06 : 0,
  }
}

function clamp(radius: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, radius))
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

export interface Line {
  readonly from: { readonly x: number; readonly y: number }
  readonly to: { readonly x: number; readonly y: number }
}

/** The nodes on either side of a line, which goes on beyond its ends. */
export function sides({ x, y }: Geometry, { from, to }: Line): [number[], number[]] {
  const groups: [number[], number[]] = [[], []]
  for (let node = 0; node < x.length; node++) {
    const across = (to.x - from.x) * (y[node] - from.y) - (to.y - from.y) * (x[node] - from.x)
    groups[across < 0 ? 0 : 1].push(node)
  }
  return groups
}
