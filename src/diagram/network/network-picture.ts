import { EDGE_ROLES, type NodeDisplay } from '../../core/language/display.ts'
import type { Topology } from '../../core/language/topology.ts'
import type { DisplayFacts } from '../../core/trace/node-display.ts'
import { GREY, INK, ON_PAPER, PALE, PAPER } from '../palette.ts'
import { element, px, textLines, textWidth, words } from '../svg.ts'
import {
  directionElements,
  displayLegend,
  groupElements,
  linkRoles,
  nodeMarks,
  pointerElements,
} from './display-marks.ts'
import { networkLayout } from './layout.ts'
import {
  linksIn,
  type NodePoint,
  ROLE_STYLES,
  SMALL_TEXT_SIZE,
  TEXT_RADIUS_MIN,
} from './link-marks.ts'

export type PicturedStatus = 'leader' | 'lost' | 'unknown' | 'asleep' | 'dead' | 'alive'

/** One node, as the picture shows it. */
export interface PicturedNode {
  /** Inside of the node: its id, or what it has computed. */
  readonly label: string
  /** Below it, for example its value; empty for none. */
  readonly below: string
  readonly status: PicturedStatus
  /** From 0 to 1: how dark an estimate is; null where nodes have none. */
  readonly shade: number | null
  /** What its definition shows of it. */
  readonly display?: NodeDisplay | null
  /** Everything about it, for a tooltip. */
  readonly title: string
}

export interface NetworkPicture {
  readonly title: string
  readonly subtitle: string
  readonly topology: Topology
  /** Where nodes are at this moment, if they move. */
  readonly places?: Float64Array | undefined
  /** Whether there is a link at this moment; without it, all are there. */
  readonly linked?: ((a: number, b: number) => boolean) | undefined
  readonly nodes: readonly PicturedNode[]
  /** Links of the spanning tree, by position, the smaller one first. */
  readonly tree: readonly (readonly [number, number])[]
  /** By channel, where links have weights. */
  readonly weights: Float64Array | null
  /** What labels and texts below nodes are, in words. */
  readonly legend: readonly string[]
  /** The words of what definitions show, and the time for which that is drawn. */
  readonly display?: DisplayFacts | null
  readonly now?: number
  /** The smallest and the largest estimate, where shades stand for them. */
  readonly range: readonly [low: string, high: string] | null
}

const FONTS = 'DejaVu Sans, Verdana, sans-serif'
const [WIDTH, MARGIN] = [960, 48]
/** The height of the drawing itself, at most and at least. */
const [TALL, FLAT] = [720, 180]
const [TITLE, TEXT] = [22, 14]
/** Neighbours are not drawn farther apart than this. */
const NEIGHBOUR_DISTANCE_MAX = 280
/** Radii of nodes. */
const [LARGEST, SMALLEST] = [24, 3]
/** Up to this many nodes have a text in any case. */
const MOST_READ = 60

const FILLS: Readonly<Record<PicturedStatus, string>> = {
  leader: ON_PAPER.gold,
  lost: '#dfe8f1',
  alive: '#dfe8f1',
  unknown: PAPER,
  asleep: PAPER,
  dead: '#f1f1f1',
}
/** The fill of a node that does not compete any more. */
const MUTED = '#f4f6f8'
const NAMES: Readonly<Record<PicturedStatus, string>> = {
  leader: 'leader',
  lost: 'lost',
  alive: 'alive',
  unknown: 'undecided',
  asleep: 'asleep',
  dead: 'crashed',
}
const [LIGHT, DARK] = [
  [239, 243, 255],
  [8, 81, 156],
]

/** A network at one moment, as SVG; the same bytes for the same data. */
export function networkPicture(picture: NetworkPicture): string {
  const { topology, nodes } = picture
  const header = textLines(picture.title, TITLE, WIDTH - 2 * MARGIN, true)
  const subtitle = textLines(picture.subtitle, TEXT, WIDTH - 2 * MARGIN)
  const top = MARGIN / 2 + header.length * TITLE * 1.35 + subtitle.length * TEXT * 1.5 + MARGIN
  const { points, radius, height } = pointsOf(topology, picture.places, top)
  const legend = legendLines(picture, top + height + MARGIN)
  const whole = Math.ceil(legend.bottom + MARGIN / 2)
  let y = MARGIN / 2
  const titles = [...header, ...subtitle].map((text, i) => {
    const bold = i < header.length
    y += (bold ? TITLE : TEXT) * 1.4
    const style = { size: bold ? TITLE : TEXT, fill: bold ? INK : GREY, bold }
    return words(text, { x: MARGIN, y }, style)
  })
  const displays = nodes.map(({ display }) => display)
  const roles = linkRoles(displays, picture.tree)
  const links = linksIn(picture, roles, points, radius)
  const groups = groupElements(displays, roles, points, radius)
  const arrows = [
    ...directionElements(displays, roles, points, radius),
    ...pointerElements(displays, points, radius),
  ]
  const { now = 0 } = picture
  const centre = topology.kind === 'graph' ? null : { x: WIDTH / 2, y: top + height / 2 }
  const drawn = nodes.map((node, i) => nodeElement(node, points[i], radius, centre, now))
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${whole}`,
      width: WIDTH,
      height: whole,
      role: 'img',
      'aria-label': picture.title,
      'font-family': FONTS,
    },
    `\n${element('rect', { width: WIDTH, height: whole, fill: PAPER })}`,
    `\n${titles.join('')}`,
    ...(groups.length === 0 ? [] : [`\n${element('g', { class: 'groups' }, ...groups)}`]),
    `\n${element('g', { class: 'links', fill: 'none' }, ...links.lines)}`,
    ...(arrows.length === 0 ? [] : [`\n${element('g', { class: 'pointers' }, ...arrows)}`]),
    `\n${element('g', { class: 'nodes' }, ...drawn)}`,
    `\n${element('g', { class: 'weights' }, ...links.weights)}`,
    `\n${element('g', { class: 'legend' }, ...legend.parts)}\n`,
  )}\n`
}

/** The places of the nodes on the page, in the ratio of the layout, and a radius that fits. */
function pointsOf(topology: Topology, moved: Float64Array | undefined, top: number) {
  const { n } = topology
  const places = moved ?? networkLayout(topology)
  const [left, right] = extent(places, 0, n)
  const [up, down] = extent(places, 1, n)
  const [wide, high] = [right - left, down - up]
  const room = { across: WIDTH - 2 * MARGIN - 2 * LARGEST, down: TALL - 2 * LARGEST }
  const spread = nearestOf(Array.from({ length: n }, (_, i) => pointAt(places, i)))
  const scale = Math.min(
    room.across / (wide || 1),
    room.down / (high || 1),
    NEIGHBOUR_DISTANCE_MAX / spread,
  )
  const height = n === 1 ? FLAT : Math.max(FLAT, high * scale + 2 * LARGEST)
  const startX = WIDTH / 2 - (wide * scale) / 2
  const startY = top + height / 2 - (high * scale) / 2
  const points = Array.from({ length: n }, (_, node): NodePoint => {
    const { x, y } = pointAt(places, node)
    return { x: startX + (x - left) * scale, y: startY + (y - up) * scale }
  })
  // Places that are given may lie close together; a few nodes then overlap, but can be read.
  const least = topology.coordinates && n <= MOST_READ ? TEXT_RADIUS_MIN + 1 : SMALLEST
  const radius = Math.max(least, Math.min(LARGEST, nearestOf(points) * 0.36))
  return { points, radius, height }
}

function pointAt(places: Float64Array, node: number): NodePoint {
  return { x: places[2 * node], y: places[2 * node + 1] }
}

function extent(places: Float64Array, axis: 0 | 1, n: number): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let node = 0; node < n; node++) {
    low = Math.min(low, places[2 * node + axis])
    high = Math.max(high, places[2 * node + axis])
  }
  return [low, high]
}

/** The distance that most nodes keep from the nearest one; a few close pairs may touch. */
function nearestOf(points: readonly NodePoint[]): number {
  const nearest = points.map((a, i) =>
    points.reduce((least, b, j) => {
      return i === j ? least : Math.min(least, Math.hypot(a.x - b.x, a.y - b.y))
    }, Number.POSITIVE_INFINITY),
  )
  const sorted = Float64Array.from(nearest).sort()
  return sorted[Math.floor(sorted.length / 20)] ?? LARGEST
}

/** The text of a node stands below it, beside an arrow, or, on a circle, outside of it. */
function nodeElement(
  node: PicturedNode,
  { x, y }: NodePoint,
  radius: number,
  centre: NodePoint | null,
  now = 0,
): string {
  const { status, label, below, shade, display } = node
  const fill = shade === null || status === 'dead' ? FILLS[status] : shadeColour(shade)
  // A node that has lost is known not to compete.
  const muted = display?.passive === true && status === 'unknown'
  const leads = status === 'leader'
  const parts = [
    element('circle', {
      cx: x,
      cy: y,
      r: leads ? radius * 1.12 : radius,
      fill: muted ? MUTED : fill,
      stroke: muted ? PALE : status === 'dead' || status === 'asleep' ? GREY : INK,
      'stroke-width': leads ? 3 : radius > 8 ? 1.6 : 1,
      'stroke-dasharray': status === 'asleep' ? '4 3' : undefined,
    }),
    ...(status === 'dead' ? [crossElement(x, y, radius)] : []),
  ]
  if (radius >= TEXT_RADIUS_MIN) {
    const room = 1.7 * radius
    const size = Math.min(15, radius * 0.75, (15 * room) / Math.max(1, textWidth(label, 15)))
    const dark = shade !== null && status !== 'dead' && shade > 0.55
    const ink = muted ? GREY : dark ? PAPER : INK
    const style = { size, fill: ink, bold: !muted, anchor: 'middle' } as const
    parts.push(words(label, { x, y: y + size * 0.36 }, style))
    if (leads) parts.push(crownElement(x, y - radius * 1.12))
    const aside = (display?.pointer ?? display?.group) !== undefined && centre === null
    const origin = aside ? { x: x - 1, y: y - 1 } : centre
    if (below !== '') parts.push(belowElement(below, { x, y }, radius * 1.12, origin))
  }
  if (display && status !== 'dead') parts.push(...nodeMarks(display, { x, y }, radius, now, centre))
  return element('g', {}, element('title', {}, escapedText(node.title)), ...parts)
}

/** With a rim, so that links behind do not disturb it. */
function belowElement(
  text: string,
  { x, y }: NodePoint,
  radius: number,
  centre: NodePoint | null,
): string {
  const rim = { 'paint-order': 'stroke', stroke: PAPER, 'stroke-width': 3 }
  const style = { size: SMALL_TEXT_SIZE - 1, fill: INK }
  const [dx, dy] = centre === null ? [0, 1] : [x - centre.x, y - centre.y]
  const length = Math.hypot(dx, dy) || 1
  const [across, down] = [dx / length, dy / length]
  const anchor = across > 0.4 ? 'start' : across < -0.4 ? 'end' : 'middle'
  const reach = radius + 4
  const side = anchor === 'middle' ? (down < 0 ? -2 : SMALL_TEXT_SIZE - 2) : SMALL_TEXT_SIZE * 0.36
  const place = { x: x + across * reach, y: y + down * reach + side }
  return words(text, place, { ...style, anchor }, rim)
}

function crossElement(x: number, y: number, radius: number): string {
  const reach = radius * 0.7
  const [l, r, t, b] = [x - reach, x + reach, y - reach, y + reach].map(px)
  return element('path', {
    d: `M${l} ${t}L${r} ${b}M${l} ${b}L${r} ${t}`,
    stroke: ON_PAPER.danger,
    'stroke-width': 2.2,
    'stroke-opacity': 0.55,
  })
}

/** A small crown that stands on the node. */
function crownElement(x: number, y: number): string {
  const corners = [-11, 3, -11, -10, -5, -4, 0, -13, 5, -4, 11, -10, 11, 3].map((offset, i) =>
    px((i % 2 === 0 ? x : y - 1) + offset),
  )
  const path = corners.map((value, i) =>
    i === 0 ? `M${value}` : i % 2 === 0 ? `L${value}` : value,
  )
  return element('path', {
    d: `${path.join(' ')}Z`,
    fill: ON_PAPER.gold,
    stroke: INK,
    'stroke-width': 1.2,
    'stroke-linejoin': 'round',
  })
}

function shadeColour(shade: number): string {
  const part = (i: number) => Math.round(LIGHT[i] + (DARK[i] - LIGHT[i]) * shade)
  return `#${[0, 1, 2].map((i) => part(i).toString(16).padStart(2, '0')).join('')}`
}

/** Samples of what occurs in the picture, in one or more rows. */
function legendLines(picture: NetworkPicture, top: number) {
  const present = new Set(picture.nodes.map(({ status }) => status))
  const displays = picture.nodes.map(({ display }) => display)
  const roles = new Set(linkRoles(displays, picture.tree).values())
  const order: readonly PicturedStatus[] = ['leader', 'lost', 'alive', 'unknown', 'asleep', 'dead']
  const shaded = picture.nodes.some(({ shade }) => shade !== null)
  const statuses = order.filter((status) => present.has(status) && !(shaded && status === 'alive'))
  const samples: { readonly text: string; readonly draw: (x: number, y: number) => string }[] = [
    ...statuses.map((status) => ({
      text: NAMES[status],
      draw: (x: number, y: number) => {
        const sample = { label: '', below: '', status, shade: null, title: NAMES[status] }
        return nodeElement(sample, { x: x + 8, y }, 8, null)
      },
    })),
    ...(picture.range === null ? [] : [rangeSample(picture.range)]),
    ...(picture.nodes.some(({ status, display }) => display?.passive && status === 'unknown')
      ? [{ text: 'passive', draw: passiveSample }]
      : []),
    ...EDGE_ROLES.filter((role) => roles.has(role)).map((role) => ({
      text: ROLE_WORDS[role],
      draw: (x: number, y: number) =>
        element('path', { d: `M${px(x)} ${px(y)}h22`, ...ROLE_STYLES[role] }),
    })),
    ...picture.legend.map((text) => ({ text, draw: () => '' })),
    ...(picture.display
      ? displayLegend(picture.display, displays).map((text) => ({ text, draw: () => '' }))
      : []),
  ]
  const parts: string[] = []
  let [x, y] = [MARGIN, top]
  for (const { text, draw } of samples) {
    const drawn = draw(x, y)
    const indent = drawn === '' ? 0 : 28
    const width = indent + textWidth(text, SMALL_TEXT_SIZE) + 26
    if (x > MARGIN && x + width > WIDTH - MARGIN / 2) {
      ;[x, y] = [MARGIN, y + SMALL_TEXT_SIZE * 1.9]
    }
    parts.push(draw(x, y), words(text, { x: x + indent, y: y + SMALL_TEXT_SIZE * 0.36 }, LEGEND))
    x += width
  }
  return { parts, bottom: y + SMALL_TEXT_SIZE }
}

const LEGEND = { size: SMALL_TEXT_SIZE, fill: INK }
const ROLE_WORDS = {
  tree: 'tree',
  core: 'core of the tree',
  out: 'directed',
  rejected: 'rejected',
} as const

function passiveSample(x: number, y: number): string {
  const sample = { label: '', below: '', status: 'unknown', shade: null, title: 'passive' } as const
  return nodeElement({ ...sample, display: { passive: true } }, { x: x + 8, y }, 8, null)
}

function rangeSample([low, high]: readonly [string, string]) {
  const steps = 6
  return {
    text: `estimates from ${low} to ${high}`,
    draw: (x: number, y: number) =>
      Array.from({ length: steps }, (_, i) =>
        element('rect', {
          x: x + i * 4,
          y: y - 7,
          width: 4,
          height: 14,
          fill: shadeColour(i / (steps - 1)),
        }),
      ).join(''),
  }
}

function escapedText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
