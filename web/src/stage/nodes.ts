import { STATUSES } from '../engine/events.ts'
import type { Frame } from '../engine/frame.ts'
import type { Theme } from '../view/theme.ts'
import type { Geometry } from './geometry.ts'
import type { Pen } from './pen.ts'

/** What is written on the light shades of estimates. */
const DARK = '#111'
/** Up to here there is room for words beside nodes. */
const WORDED = 40
/** A smaller node has no number in it. */
const NUMBERED = 8

/** What is looked at, by position. */
export interface Attention {
  readonly hovered: number | null
  readonly chosen: ReadonlySet<number>
  /** The node of the last step. */
  readonly acting: number | null
}

/** Draws all nodes: state by colour, shape and, where there is room, in words. */
export function paintNodes(
  context: Pen,
  frame: Frame,
  geometry: Geometry,
  colours: Theme,
  attention: Attention,
): void {
  const { n } = frame.log.world
  const range = estimateRange(frame)
  for (let node = 0; node < n; node++) {
    const status = STATUSES[frame.status[node]]
    const [x, y] = [geometry.x(node), geometry.y(node)]
    const radius = geometry.radius
    if (attention.acting === node) halo(context, x, y, radius + 6, colours.message)
    if (attention.hovered === node || attention.chosen.has(node))
      halo(context, x, y, radius + 4, colours.accent)
    const estimate = frame.estimate[node]
    if (range !== null && status !== 'dead')
      disc(context, x, y, radius, shade(estimate, range), colours.line)
    else paintNode(context, status, x, y, radius, colours)
    if (radius >= NUMBERED) paintName(context, frame, node, x, y, radius, colours, range !== null)
    if (n <= WORDED) paintWords(context, frame, node, geometry, colours)
  }
}

function paintNode(
  context: Pen,
  status: (typeof STATUSES)[number],
  x: number,
  y: number,
  radius: number,
  colours: Theme,
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
      star(context, x, y, radius * 1.75, colours)
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
  { log, status }: Frame,
  node: number,
  x: number,
  y: number,
  radius: number,
  colours: Theme,
  shaded: boolean,
): void {
  const { ids } = log.world
  const word = STATUSES[status[node]]
  context.fillStyle = shaded ? DARK : word === 'dead' ? colours.ink : colours[`on-${word}`]
  const name = String(ids?.[node] ?? node)
  context.font = `600 ${Math.min(radius * 0.85, (radius * 2.6) / name.length)}px system-ui`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(name, x, y + 1)
}

/** Outside the node, away from the middle: what it is and whom it follows. */
function paintWords(
  context: Pen,
  frame: Frame,
  node: number,
  { x, y, width, height, radius }: Geometry,
  colours: Theme,
): void {
  const status = STATUSES[frame.status[node]]
  const leader = frame.leader[node]
  const estimate = frame.estimate[node]
  const words =
    status === 'dead' || status === 'asleep'
      ? status
      : !Number.isNaN(estimate)
        ? shortNumber(estimate)
        : status === 'leader'
          ? 'leads'
          : Number.isNaN(leader)
            ? ''
            : `follows ${leader}`
  if (words === '') return
  const [dx, dy] = [x(node) - width / 2, y(node) - height / 2]
  const length = Math.hypot(dx, dy) || 1
  const reach = radius * (status === 'leader' ? 1.75 : 1) + 8
  const side = dx / length
  context.fillStyle = status === 'leader' ? colours.ink : colours.soft
  context.font = `${status === 'leader' ? 700 : 400} 12px system-ui`
  context.textAlign = side > 0.4 ? 'left' : side < -0.4 ? 'right' : 'center'
  context.textBaseline = 'middle'
  context.fillText(words, x(node) + side * reach, y(node) + (dy / length) * (reach + 4))
}

function disc(context: Pen, x: number, y: number, radius: number, fill: string, edge: string) {
  context.fillStyle = fill
  context.strokeStyle = edge
  context.lineWidth = radius > 6 ? 2 : 1
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fill()
  context.stroke()
}

function square(context: Pen, x: number, y: number, reach: number): void {
  context.beginPath()
  context.moveTo(x - reach, y - reach)
  context.lineTo(x + reach, y - reach)
  context.lineTo(x + reach, y + reach)
  context.lineTo(x - reach, y + reach)
  context.closePath()
  context.fill()
  context.stroke()
}

function halo(context: Pen, x: number, y: number, radius: number, colour: string): void {
  context.strokeStyle = colour
  context.lineWidth = 3
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.stroke()
}

function star(context: Pen, x: number, y: number, radius: number, colours: Theme): void {
  context.fillStyle = colours.leader
  context.strokeStyle = colours.ink
  context.lineWidth = 1.5
  context.beginPath()
  for (let point = 0; point < 16; point++) {
    const reach = point % 2 === 0 ? radius : radius * 0.78
    const angle = (Math.PI * point) / 8 - Math.PI / 2
    context.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle))
  }
  context.closePath()
  context.fill()
  context.stroke()
}

function cross(context: Pen, x: number, y: number, reach: number, colour: string): void {
  context.strokeStyle = colour
  context.lineWidth = 2.5
  context.beginPath()
  context.moveTo(x - reach, y - reach)
  context.lineTo(x + reach, y + reach)
  context.moveTo(x + reach, y - reach)
  context.lineTo(x - reach, y + reach)
  context.stroke()
}

/** The least and the greatest estimate; null where nobody has one. */
export function estimateRange({ estimate }: Frame): readonly [number, number] | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of estimate) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? null : [low, high]
}

/** From blue over white to orange; light enough for dark figures. */
export function shade(value: number, [low, high]: readonly [number, number]): string {
  if (!Number.isFinite(value)) return '#bbb'
  const share = high > low ? (value - low) / (high - low) : 0.5
  const [from, to] = share < 0.5 ? [BLUE, WHITE] : [WHITE, ORANGE]
  const part = (share < 0.5 ? share : share - 0.5) * 2
  return `rgb(${from.map((shadeOf, i) => Math.round(shadeOf + (to[i] - shadeOf) * part)).join()})`
}

const BLUE = [103, 169, 207]
const WHITE = [245, 245, 240]
const ORANGE = [239, 138, 98]

export function shortNumber(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : 'none'
}
