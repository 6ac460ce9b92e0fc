import type { EdgeRole } from '../../core/language/display.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import { GREY, PALE, PAPER } from '../palette.ts'
import { element, px, textWidth, words } from '../svg.ts'

/** A place on the page. */
export interface NodePoint {
  readonly x: number
  readonly y: number
}

/** The links of a picture. */
interface LinkedNetwork {
  readonly topology: Topology
  readonly linked?: ((a: number, b: number) => boolean) | undefined
  readonly weights: Float64Array | null
}

const TREE = '#0067a8'
/** The colour of a link with a direction. */
export const DIRECTED = GREY
/** How links with a role are drawn: told apart without colour by width and dashes. */
export const ROLE_STYLES = {
  tree: { stroke: TREE, 'stroke-width': 4 },
  core: { stroke: TREE, 'stroke-width': 8 },
  out: { stroke: DIRECTED, 'stroke-width': 1.6 },
  rejected: { stroke: PALE, 'stroke-width': 1.4, 'stroke-dasharray': '2 5' },
} as const satisfies Readonly<Record<EdgeRole, object>>
/** The size of weights and other small texts. */
export const SMALL_TEXT_SIZE = 13
/** A node of a smaller radius has no text. */
export const TEXT_RADIUS_MIN = 10
/** More weights than this would cover the links; then only those of the tree are written. */
const MOST_WEIGHTS = 60

/** All links as lines, those of a tree above the others, and their weights. */
export function linksIn(
  { topology, linked, weights }: LinkedNetwork,
  roles: ReadonlyMap<string, EdgeRole>,
  points: readonly NodePoint[],
  radius: number,
) {
  const below: string[] = []
  const above: string[] = []
  const texts: string[] = []
  const taken: TakenPlace[] = points.map((point) => ({ ...point, reach: radius + 2 }))
  const many = topology.links > MOST_WEIGHTS
  for (let node = 0; node < topology.n; node++) {
    let parallel = 0
    for (const link of linksOf(topology, node)) {
      const end = topology.neighbor(node, link)
      if (end < node || linked?.(node, end) === false) continue
      if (end === node) {
        if (link === topology.firstLink) below.push(loopElement(points[node], radius))
        continue
      }
      const twin = topology.n === 2 && topology.kind === 'ring'
      const bend = twin ? (parallel++ === 0 ? 1 : -1) * 2.2 * radius : 0
      const role = roles.get(`${node}-${end}`)
      const chosen = role === 'tree' || role === 'core'
      const lines = chosen ? above : below
      lines.push(linkElement(points[node], points[end], bend, role, topology.links))
      const weight = weights?.[topology.channel(node, link)]
      if (weight === undefined || (many && !chosen) || radius < TEXT_RADIUS_MIN) continue
      const text = String(weight)
      const at = weightPlace(points[node], points[end], bend, text, taken)
      taken.push({ ...at, reach: textWidth(text, SMALL_TEXT_SIZE) / 2 + 6 })
      texts.push(weightElement(at, text, chosen))
    }
  }
  return { lines: [...below, ...above], weights: texts }
}

/** Where nothing else may be written: a node, or a weight. */
interface TakenPlace extends NodePoint {
  readonly reach: number
}

/** The place along the link that is farthest from nodes and other weights, near the middle. */
function weightPlace(
  a: NodePoint,
  b: NodePoint,
  bend: number,
  text: string,
  taken: readonly TakenPlace[],
): NodePoint {
  const own = textWidth(text, SMALL_TEXT_SIZE) / 2
  const middle = middleOf(a, b, bend)
  const places = [0, 0.07, -0.07, 0.14, -0.14, 0.21, -0.21, 0.28, -0.28].map((share) => {
    const place = { x: middle.x + (b.x - a.x) * share, y: middle.y + (b.y - a.y) * share }
    const gap = taken.reduce((least, other) => {
      const apart = Math.hypot(place.x - other.x, place.y - other.y)
      return Math.min(least, apart - other.reach - own)
    }, CLEAR)
    return { place, gap }
  })
  return places.reduce((best, one) => (one.gap > best.gap + 1 ? one : best)).place
}

/** A gap that is wide enough. */
const CLEAR = 6

function linkElement(
  a: NodePoint,
  b: NodePoint,
  bend: number,
  role: EdgeRole | undefined,
  links: number,
): string {
  const middle = middleOf(a, b, 2 * bend)
  const curve = bend === 0 ? 'L' : `Q${px(middle.x)} ${px(middle.y)} `
  return element('path', {
    d: `M${px(a.x)} ${px(a.y)}${curve}${px(b.x)} ${px(b.y)}`,
    ...(role === undefined
      ? { stroke: PALE, 'stroke-width': links > 400 ? 0.6 : 1.4 }
      : ROLE_STYLES[role]),
  })
}

function loopElement({ x, y }: NodePoint, radius: number): string {
  return element('circle', { cx: x, cy: y - 1.4 * radius, r: radius, stroke: PALE })
}

/** The middle of a link, moved aside by so much. */
function middleOf(a: NodePoint, b: NodePoint, aside: number): NodePoint {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1
  const [nx, ny] = [-(b.y - a.y) / length, (b.x - a.x) / length]
  return { x: (a.x + b.x) / 2 + aside * nx, y: (a.y + b.y) / 2 + aside * ny }
}

/** A weight stands in a gap of its link. */
function weightElement({ x, y }: NodePoint, text: string, chosen: boolean): string {
  const width = textWidth(text, SMALL_TEXT_SIZE) + 4
  const paper = element('rect', {
    x: x - width / 2,
    y: y - SMALL_TEXT_SIZE * 0.7,
    width,
    height: SMALL_TEXT_SIZE * 1.4,
    rx: 4,
    fill: PAPER,
    'fill-opacity': 0.9,
  })
  const style = {
    size: SMALL_TEXT_SIZE,
    fill: chosen ? TREE : GREY,
    bold: chosen,
    anchor: 'middle',
  } as const
  return `${paper}${words(text, { x, y: y + SMALL_TEXT_SIZE * 0.36 }, style)}`
}
