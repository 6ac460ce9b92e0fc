import type { WorldFacts } from '../engine/run-log.ts'
import type { Places } from './layout.ts'

/** Where things are on a surface of this size: nodes, and messages between them. */
export interface Geometry {
  readonly width: number
  readonly height: number
  /** Radius of a node. */
  readonly radius: number
  x(node: number): number
  y(node: number): number
  /** How far links bend away from the middle, as a share of their length; both ways differ. */
  readonly bend: number
}

const LARGEST = 26
const SMALLEST = 2.5
/** Room around the nodes for what is written beside them. */
const MARGIN = 22

export function geometryOf(
  { n, kind }: WorldFacts,
  places: Places,
  width: number,
  height: number,
): Geometry {
  const area = Math.max(1, Math.min(width, height))
  // On a circle neighbours may nearly touch, elsewhere nodes share the area.
  const room = kind === 'graph' ? (0.3 * area) / Math.sqrt(n) : (0.9 * area) / n
  const radius = Math.min(LARGEST, Math.max(SMALLEST, room))
  // A leader is drawn larger.
  const margin = 1.75 * radius + (n <= 40 ? MARGIN : 12)
  const half = (length: number) => Math.max(1, length / 2 - margin)
  const [wide, high] =
    kind === 'graph'
      ? [half(width), half(height)]
      : [Math.min(half(width), half(height)), Math.min(half(width), half(height))]
  return {
    width,
    height,
    radius,
    x: (node) => width / 2 + places[2 * node] * wide,
    y: (node) => height / 2 + places[2 * node + 1] * high,
    // Both directions of a link are seen apart where there are few.
    bend: n <= 60 ? 0.06 : 0,
  }
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
    return { x: x(from) + 30 * Math.sin(angle), y: y(from) - 30 * (1 - Math.cos(angle)) }
  }
  const dx = x(to) - x(from)
  const dy = y(to) - y(from)
  const lift = 4 * bend * share * (1 - share)
  return { x: x(from) + dx * share - dy * lift, y: y(from) + dy * share + dx * lift }
}

/** The node under a point, if there is one. */
export function nodeAt(geometry: Geometry, n: number, x: number, y: number): number | null {
  const reach = Math.max(geometry.radius, 8) + 4
  let [nearest, distance] = [-1, reach * reach]
  for (let node = 0; node < n; node++) {
    const gap = (geometry.x(node) - x) ** 2 + (geometry.y(node) - y) ** 2
    if (gap <= distance) [nearest, distance] = [node, gap]
  }
  return nearest < 0 ? null : nearest
}

export interface Line {
  readonly from: { readonly x: number; readonly y: number }
  readonly to: { readonly x: number; readonly y: number }
}

/** The nodes on either side of a line, which goes on beyond its ends. */
export function sides(geometry: Geometry, n: number, { from, to }: Line): [number[], number[]] {
  const groups: [number[], number[]] = [[], []]
  for (let node = 0; node < n; node++) {
    const across =
      (to.x - from.x) * (geometry.y(node) - from.y) - (to.y - from.y) * (geometry.x(node) - from.x)
    groups[across < 0 ? 0 : 1].push(node)
  }
  return groups
}
