import type { NodeDisplay } from '../../../src/core/language/display.ts'
import type { Pen } from '../../../src/diagram/pen.ts'
import {
  circle,
  cross,
  disc,
  halo,
  polygon,
  square,
  starShape,
} from '../../../src/diagram/shapes.ts'
import { STATUS_WORDS, STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { PageTheme } from '../view/theme.ts'
import { beyond, estimateText, SHADES, shadeOf } from './estimates.ts'
import type { Geometry } from './geometry.ts'
import { paintBadge, paintCountdown, paintNodeValue } from './ideas/node-ideas.ts'
import type { Labels } from './labels.ts'
import { type NodeMotion, shake } from './motion.ts'
import type { StageScene } from './scene.ts'

/** The colour of text on the light shades of estimates. */
const DARK = '#111'
/** The largest numbers of nodes with labels, on a circle and elsewhere. */
const WORDED = { ring: 40, complete: 40, graph: 24 }
/** A smaller node has no number in it, and is painted as one of many. */
export const NUMBER_RADIUS_MIN = 8
/** How much larger a leader is. */
export const LEADER_SCALE = 1.6
/** How much smaller a node is that does not compete any more. */
const PASSIVE = 0.82

type Status = (typeof STATUSES)[number]

/** The nodes and messages in focus. */
export interface Attention {
  readonly hovered: number | null
  readonly chosen: ReadonlySet<number>
  /** The node of the last step. */
  readonly acting: number | null
  readonly hoveredFlight: number | null
  readonly chosenFlight: number | null
}

/** How far each node reaches from its middle. */
export function nodeExtent({ status }: RunFrame, { radius }: Geometry): (node: number) => number {
  return (node) => radius * (STATUSES[status[node]] === 'leader' ? LEADER_SCALE : 1)
}

/** Draws all nodes: state by colour, shape and, where there is room, in words. */
export function paintNodes(pen: Pen, scene: StageScene, colours: PageTheme, labels: Labels): void {
  const { frame, moving } = scene
  const { n, kind } = frame.log.world
  for (let node = 0; node < n; node++) paintWhole(pen, scene, node, moving.get(node), colours)
  // What is written lies above all nodes, so that no node hides the label of its neighbour.
  const { values } = frame.log.world
  const reach = nodeExtent(frame, scene.geometry)
  for (let node = 0; node < n; node++) {
    const badge = frame.display(node)?.badge
    if (badge !== undefined)
      paintBadge(pen, badge, node, { ...scene.geometry, radius: reach(node) }, colours, labels)
    if (values) paintNodeValue(pen, values[node], node, scene.geometry, colours, labels)
  }
  if (n <= WORDED[kind])
    for (let node = 0; node < n; node++) paintWords(pen, scene, node, colours, labels)
}

function paintWhole(
  pen: Pen,
  scene: StageScene,
  node: number,
  motion: NodeMotion | undefined,
  colours: PageTheme,
): void {
  const { frame, geometry, scale, time } = scene
  const status = STATUSES[frame.status[node]]
  const display = frame.display(node)
  const { radius } = geometry
  const y = geometry.y[node]
  const x = geometry.x[node] + (motion ? shake(motion.crashes) * radius : 0)
  paintHalos(pen, scene, node, colours)
  if (motion && motion.crowned > 0) paintCrowning(pen, x, y, radius, motion.crowned, colours)
  if (display?.countdown && status !== 'dead')
    paintCountdown(
      pen,
      x,
      y,
      nodeExtent(frame, geometry)(node) + 5,
      display.countdown,
      time,
      colours,
    )
  if (scale !== null && status !== 'dead') {
    const estimate = frame.estimate[node]
    disc(pen, x, y, radius, SHADES[shadeOf(estimate, scale)], colours.edge)
    paintBeyond(pen, x, y, radius, beyond(estimate, scale))
  } else paintNode(pen, lookOf(status, display), x, y, radius, colours)
  paintName(pen, scene, node, x, colours)
}

/** The look of a node: its status, or muted where it does not compete any more. */
function lookOf(status: Status, display: NodeDisplay | null): Status | 'passive' {
  return status === 'unknown' && display?.passive ? 'passive' : status
}

/** Rings around a node that acts or is in focus. */
export function paintHalos(
  pen: Pen,
  { frame, geometry, attention, moving }: StageScene,
  node: number,
  colours: PageTheme,
): void {
  const { x, y } = geometry
  const radius = nodeExtent(frame, geometry)(node)
  const { acting, hovered, chosen } = attention
  const acts = moving.get(node)?.acts ?? 0
  if (acting === node) halo(pen, x[node], y[node], radius + 6, colours.acting)
  else if (acts > 0) {
    pen.globalAlpha = acts
    halo(pen, x[node], y[node], radius + 5 + 5 * (1 - acts), colours.acting)
    pen.globalAlpha = 1
  }
  if (hovered === node || chosen.has(node))
    halo(pen, x[node], y[node], radius + (acting === node ? 10 : 4), colours.accent)
}

/** A golden ring that widens: the node has just been elected. */
function paintCrowning(
  pen: Pen,
  x: number,
  y: number,
  radius: number,
  left: number,
  colours: PageTheme,
): void {
  pen.globalAlpha = left
  pen.strokeStyle = colours.leader
  pen.lineWidth = 2 + 6 * left
  circle(pen, x, y, radius * (LEADER_SCALE + 1.2 * (1 - left)))
  pen.stroke()
  pen.globalAlpha = 1
}

export function paintNode(
  pen: Pen,
  look: Status | 'passive',
  x: number,
  y: number,
  radius: number,
  colours: PageTheme,
): void {
  switch (look) {
    case 'asleep':
      pen.setLineDash([3, 3])
      disc(pen, x, y, radius, colours.asleep, colours.edge)
      pen.setLineDash([])
      break
    case 'unknown':
      disc(pen, x, y, radius, colours.unknown, colours.edge)
      break
    case 'passive':
      disc(pen, x, y, radius * PASSIVE, colours.surface, colours.quiet)
      break
    case 'lost':
      disc(pen, x, y, radius, colours.lost, colours.edge)
      break
    case 'leader':
      starShape(pen, x, y, radius * LEADER_SCALE, colours.leader, colours.ink)
      break
    case 'dead':
      pen.fillStyle = colours.dead
      pen.strokeStyle = colours.edge
      pen.lineWidth = 1.5
      square(pen, x, y, radius * 0.85)
      cross(pen, x, y, radius * 0.8, colours.danger)
  }
}

/** A sign of an estimate beyond the colour scale, at the top or the bottom of the node. */
function paintBeyond(pen: Pen, x: number, y: number, radius: number, side: number): void {
  if (side === 0 || radius < NUMBER_RADIUS_MIN) return
  const reach = radius * 0.3
  const tip = y - side * radius * 0.95
  pen.fillStyle = DARK
  polygon(pen, [
    [x, tip],
    [x - reach, tip + side * reach],
    [x + reach, tip + side * reach],
  ])
  pen.fill()
}

function paintName(
  pen: Pen,
  { frame, geometry: { y, radius }, scale, positions }: StageScene,
  node: number,
  x: number,
  colours: PageTheme,
): void {
  const status = STATUSES[frame.status[node]]
  const look = lookOf(status, frame.display(node))
  if (scale !== null) pen.fillStyle = DARK
  else if (look === 'dead') pen.fillStyle = colours.ink
  else pen.fillStyle = look === 'passive' ? colours.soft : colours[`on-${look}`]
  const id = frame.idOf(node)
  const name = String(id ?? node)
  const size = Math.min(radius * 0.85, (radius * 2.6) / name.length)
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.font = `600 ${size}px system-ui`
  pen.fillText(name, x, y[node] + 1 - (positions ? size * 0.18 : 0))
  if (!positions || id === null || radius < 12) return
  pen.font = `400 ${size * 0.55}px system-ui`
  pen.fillText(`at ${node}`, x, y[node] + size * 0.62)
}

/** The status of a node and its leader: outside a circle of nodes, elsewhere next to the node. */
function paintWords(
  pen: Pen,
  { frame, geometry }: StageScene,
  node: number,
  colours: PageTheme,
  labels: Labels,
): void {
  const words = wordsFor(frame, node)
  if (words === '') return
  const { x, y, width, height, radius, scale } = geometry
  const leads = STATUSES[frame.status[node]] === 'leader'
  const reach = radius * (leads ? LEADER_SCALE : 1) + 8 * scale
  pen.font = `${leads ? 700 : 400} ${labels.size}px system-ui`
  const half = pen.measureText(words).width / 2 + 3
  const ink = leads ? colours.ink : colours.soft
  const [left, top] = [x[node], y[node]]
  if (frame.log.world.kind === 'graph') {
    const spots = [
      { x: left, y: top + reach + 2 },
      { x: left, y: top - reach - 2 },
      { x: left + reach + half - 4, y: top },
      { x: left - reach - half + 4, y: top },
    ]
    labels.write(pen, words, spots, ink, colours.surface)
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
  labels.write(pen, words, [out(0), out(13 * scale), ...sideways], ink, null)
}

function wordsFor({ status, leader, estimate }: RunFrame, node: number): string {
  const is = STATUSES[status[node]]
  if (is === 'dead' || is === 'asleep') return STATUS_WORDS[is]
  if (!Number.isNaN(estimate[node]))
    return Number.isFinite(estimate[node]) ? estimateText(estimate[node]) : ''
  if (is === 'leader') return 'leads'
  return Number.isNaN(leader[node]) ? '' : `follows ${leader[node]}`
}
