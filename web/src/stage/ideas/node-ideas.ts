import type { Pen } from '../../../../src/diagram/pen.ts'
import { outline } from '../../../../src/diagram/shapes.ts'
import type { PageTheme } from '../../view/theme.ts'
import type { Geometry } from '../geometry.ts'
import type { Labels } from '../labels.ts'

/** A badge beside a smaller node could not be read. */
const LEAST_RADIUS = 10
const LONGEST_BADGE = 9
const ARC_PIECES = 32

/** A short text on a tag at the upper right of a node: its phase, its level, its term. */
export function paintBadge(
  pen: Pen,
  text: string,
  node: number,
  { x, y, radius, scale }: Geometry,
  colours: PageTheme,
  labels: Labels,
): void {
  if (radius < LEAST_RADIUS) return
  const shown = text.length > LONGEST_BADGE ? `${text.slice(0, LONGEST_BADGE - 1)}…` : text
  const size = Math.max(10 * scale, Math.min(13 * scale, radius * 0.55))
  pen.font = `600 ${size}px system-ui`
  const left = x[node] + radius * 0.62 + tagWidth(pen, shown, size) * 0.55
  const top = y[node] - radius * 0.82
  const { wide, high } = paintTag(pen, shown, left, top, size, colours)
  labels.reserve(left, top, wide, high)
}

/** The value of a node by which it is elected, at its lower right. */
export function paintNodeValue(
  pen: Pen,
  value: number,
  node: number,
  { x, y, radius, scale }: Geometry,
  colours: PageTheme,
  labels: Labels,
): void {
  if (radius < LEAST_RADIUS) return
  const size = Math.max(10 * scale, Math.min(13 * scale, radius * 0.55))
  const [left, top] = [x[node] + radius * 0.8, y[node] + radius * 0.85]
  const half = paintValue(pen, String(Number(value.toPrecision(4))), left, top, size, colours)
  labels.reserve(left, top, half, size * 0.7)
}

/** A value on a dark ground; returns half of its width. */
export function paintValue(
  pen: Pen,
  text: string,
  x: number,
  y: number,
  size: number,
  colours: PageTheme,
): number {
  pen.font = `600 ${size}px system-ui`
  const half = pen.measureText(text).width / 2 + 4
  pen.fillStyle = colours.ink
  pen.beginPath()
  pen.roundRect(x - half, y - size * 0.7, 2 * half, size * 1.4, 3)
  pen.fill()
  pen.fillStyle = colours.surface
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(text, x, y + 0.5)
  return half
}

function tagWidth(pen: Pen, text: string, size: number): number {
  return Math.max(size * 0.68, pen.measureText(text).width / 2 + 4)
}

/** A short text on a tag around a point; returns half of its width and height. */
export function paintTag(
  pen: Pen,
  text: string,
  x: number,
  y: number,
  size: number,
  colours: PageTheme,
): { readonly wide: number; readonly high: number } {
  pen.font = `600 ${size}px system-ui`
  const [wide, high] = [tagWidth(pen, text, size), size * 0.68]
  pen.fillStyle = colours.surface
  pen.strokeStyle = colours.ink
  pen.lineWidth = 1
  pen.setLineDash([])
  pen.beginPath()
  pen.roundRect(x - wide, y - high, 2 * wide, 2 * high, high)
  pen.fill()
  pen.stroke()
  pen.fillStyle = colours.ink
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(text, x, y + 0.5)
  return { wide, high }
}

/** The share of a countdown that is left at a time, from 1 to 0. */
export function leftOf([from, until]: readonly [number, number], time: number): number {
  return until > from ? Math.min(1, Math.max(0, (until - time) / (until - from))) : 0
}

/** A ring that runs out: the part that is left, clockwise from the top. */
export function paintCountdown(
  pen: Pen,
  x: number,
  y: number,
  radius: number,
  countdown: readonly [number, number],
  time: number,
  colours: PageTheme,
): void {
  const left = leftOf(countdown, time)
  if (left === 0) return
  pen.strokeStyle = left < 0.25 ? colours.warning : colours.good
  pen.lineWidth = 4
  pen.setLineDash([])
  pen.beginPath()
  const pieces = Math.max(2, Math.round(ARC_PIECES * left))
  outline(
    pen,
    Array.from({ length: pieces + 1 }, (_, piece) => {
      const angle = 2 * Math.PI * left * (piece / pieces) - Math.PI / 2
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const
    }),
  )
  pen.stroke()
}
