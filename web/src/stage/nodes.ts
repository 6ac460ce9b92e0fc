import type { Pen } from '../../../src/diagram/pen.ts'
import { cross, disc, halo, square, star } from '../../../src/diagram/shapes.ts'
import { STATUS_WORDS, STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { PageTheme } from '../view/theme.ts'
import { estimateRange, SHADES, shadeOf, shortNumber } from './estimates.ts'
import type { Geometry } from './geometry.ts'
import type { Labels } from './labels.ts'

/** The colour of text on the light shades of estimates. */
const DARK = '#111'
/** The largest numbers of nodes with labels, on a circle and elsewhere. */
const WORDED = { ring: 40, complete: 40, graph: 24 }
/** A smaller node has no number in it, and is painted as one of many. */
export const NUMBERED = 8
/** How much larger a leader is. */
export const LEADING = 1.75

/** The nodes in focus, by position. */
export interface Attention {
  readonly hovered: number | null
  readonly chosen: ReadonlySet<number>
  /** The node of the last step. */
  readonly acting: number | null
}

/** How far each node reaches from its middle. */
export function reachOf({ status }: RunFrame, { radius }: Geometry): (node: number) => number {
  return (node) => radius * (STATUSES[status[node]] === 'leader' ? LEADING : 1)
}

/** Draws all nodes: state by colour, shape and, where there is room, in words. */
export function paintNodes(
  context: Pen,
  frame: RunFrame,
  geometry: Geometry,
  colours: PageTheme,
  attention: Attention,
  labels: Labels,
): void {
  const { n, kind } = frame.log.world
  const { x, y, radius } = geometry
  const range = estimateRange(frame)
  for (let node = 0; node < n; node++) {
    const status = STATUSES[frame.status[node]]
    paintHalos(context, node, geometry, colours, attention)
    if (range !== null && status !== 'dead') {
      const fill = SHADES[shadeOf(frame.estimate[node], range)]
      disc(context, x[node], y[node], radius, fill, colours.line)
    } else paintNode(context, status, x[node], y[node], radius, colours)
    paintName(context, frame, node, geometry, colours, range !== null)
  }
  // Labels lie above all nodes, so that no node hides the label of its neighbour.
  if (n <= WORDED[kind])
    for (let node = 0; node < n; node++) paintWords(context, frame, node, geometry, colours, labels)
}

/** Rings around a node that acts or is in focus. */
export function paintHalos(
  context: Pen,
  node: number,
  { x, y, radius }: Geometry,
  colours: PageTheme,
  { acting, hovered, chosen }: Attention,
): void {
  if (acting === node) halo(context, x[node], y[node], radius + 6, colours.message)
  if (hovered === node || chosen.has(node))
    halo(context, x[node], y[node], radius + 4, colours.accent)
}

function paintNode(
  context: Pen,
  status: (typeof STATUSES)[number],
  x: number,
  y: number,
  radius: number,
  colours: PageTheme,
): void {
  switch (status) {
    case 'asleep':
      context.setLineDash([3, 3])
      disc(context, x, y, radius, colours.asleep, colours.edge)
      context.setLineDash([])
      break
    case 'unknown':
      disc(context, x, y, radius, colours.unknown, colours.edge)
      break
    case 'lost':
      disc(context, x, y, radius, colours.lost, colours.edge)
      break
    case 'leader':
      star(context, x, y, radius * LEADING, colours.leader, colours.ink)
      break
    case 'dead':
      context.fillStyle = colours.dead
      context.strokeStyle = colours.edge
      context.lineWidth = 1.5
      square(context, x, y, radius * 0.85)
      cross(context, x, y, radius * 0.8, colours.danger)
  }
}

function paintName(
  context: Pen,
  { log, status }: RunFrame,
  node: number,
  { x, y, radius }: Geometry,
  colours: PageTheme,
  shaded: boolean,
): void {
  const { ids } = log.world
  const word = STATUSES[status[node]]
  context.fillStyle = shaded ? DARK : word === 'dead' ? colours.ink : colours[`on-${word}`]
  const name = String(ids?.[node] ?? node)
  context.font = `600 ${Math.min(radius * 0.85, (radius * 2.6) / name.length)}px system-ui`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(name, x[node], y[node] + 1)
}

/** The status of a node and its leader: outside a circle of nodes, elsewhere next to the node. */
function paintWords(
  context: Pen,
  frame: RunFrame,
  node: number,
  { x, y, width, height, radius, scale }: Geometry,
  colours: PageTheme,
  labels: Labels,
): void {
  const words = wordsFor(frame, node)
  if (words === '') return
  const leads = STATUSES[frame.status[node]] === 'leader'
  const reach = radius * (leads ? LEADING : 1) + 8 * scale
  context.font = `${leads ? 700 : 400} ${labels.size}px system-ui`
  const half = context.measureText(words).width / 2 + 3
  const ink = leads ? colours.ink : colours.soft
  const [left, top] = [x[node], y[node]]
  if (frame.log.world.kind === 'graph') {
    const spots = [
      { x: left, y: top + reach + 2 },
      { x: left, y: top - reach - 2 },
      { x: left + reach + half - 4, y: top },
      { x: left - reach - half + 4, y: top },
    ]
    labels.write(context, words, spots, ink, colours.paper)
    return
  }
  const length = Math.hypot(left - width / 2, top - height / 2) || 1
  const [side, down] = [(left - width / 2) / length, (top - height / 2) / length]
  const aside = side > 0.4 ? half : side < -0.4 ? -half : 0
  const out = (further: number) => ({
    x: left + side * (reach + further) + aside,
    y: top + down * (reach + 4 + further),
  })
  // With many nodes on a circle, every second label stands further out.
  const sideways = [1, -1].map((way) => ({ x: left + way * (reach + half - 4), y: top }))
  labels.write(context, words, [out(0), out(13 * scale), ...sideways], ink, null)
}

function wordsFor({ status, leader, estimate }: RunFrame, node: number): string {
  const is = STATUSES[status[node]]
  if (is === 'dead' || is === 'asleep') return STATUS_WORDS[is]
  if (!Number.isNaN(estimate[node])) return shortNumber(estimate[node])
  if (is === 'leader') return 'leads'
  return Number.isNaN(leader[node]) ? '' : `follows ${leader[node]}`
}
