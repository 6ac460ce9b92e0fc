import { valueText } from '../../core/trace/event-words.ts'
import { textWidth } from '../svg.ts'
import type { ArrowSegment, DrawnArrow } from './arrows.ts'
import type { MessageArrow } from './history.ts'

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The words beside an arrow, by their middle. */
export interface DiagramLabel {
  readonly arrow: DrawnArrow
  readonly text: string
  readonly x: number
  readonly y: number
}

export const LABEL_SIZE = 12
const HEIGHT = 12
const GAP = 2.5
/** Beyond this number of arrows labels cannot be read. */
const LABELLED_ARROWS_MAX = 300
/** How far along the arrow a label may stand, best first. */
const ALONG = [0.42, 0.32, 0.52, 0.25, 0.62, 0.7]

/** The field that labels show: the first one, which is the id in most algorithms. */
export function labelField(body: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(body)[0]
}

/** Labels for arrows with room for one: inside `frame`, clear of arrows and signs. */
export function placeArrowLabels(
  arrows: readonly DrawnArrow[],
  taken: readonly Box[],
  frame: Box,
): readonly DiagramLabel[] {
  if (arrows.length > LABELLED_ARROWS_MAX) return []
  const legs = arrows.flatMap((arrow) => arrow.legs)
  const boxes = [...taken, ...legs.map(tipOf)]
  const labels: DiagramLabel[] = []
  for (const arrow of arrows) {
    const text = textOf(arrow)
    if (text === '') continue
    const width = textWidth(text, LABEL_SIZE)
    for (const leg of arrow.legs) {
      const spot = spotsBeside(leg, width).find(
        (box) =>
          within(box, frame) &&
          !boxes.some((other) => overlap(other, box)) &&
          !legs.some((other) => crosses(other, box)),
      )
      if (!spot) continue
      boxes.push(spot)
      labels.push({ arrow, text, x: (spot.left + spot.right) / 2, y: (spot.top + spot.bottom) / 2 })
    }
  }
  return labels
}

/** The text beside an arrow. The last of a thick bundle of one type has the texts of all. */
function textOf({ flight, bundle }: DrawnArrow): string {
  const alike = bundle.every(({ type }) => type === flight.type)
  if (bundle.length < 3 || !alike) return fieldText(flight)
  return flight === bundle[bundle.length - 1] ? bundle.map(fieldText).join(' ') : ''
}

function fieldText({ body }: MessageArrow): string {
  const field = labelField(body)
  return field === undefined ? '' : valueText(body[field])
}

/** The places for a label beside a leg, best first. */
function spotsBeside(leg: ArrowSegment, width: number): Box[] {
  return ALONG.flatMap((along) => [1, -1].map((side) => beside(leg, along, side, width)))
}

/** A box that touches the leg with a corner, on its right (1) or left (-1) as the page has it. */
function beside({ x1, y1, x2, y2 }: ArrowSegment, along: number, side: number, width: number): Box {
  const slant = Math.abs((x2 - x1) / (y2 - y1 || 1))
  const x = x1 + along * (x2 - x1) + side * (GAP + width / 2 + (HEIGHT / 2) * slant)
  const y = y1 + along * (y2 - y1)
  return { left: x - width / 2, right: x + width / 2, top: y - HEIGHT / 2, bottom: y + HEIGHT / 2 }
}

/** An approximate box of the head of an arrow. */
function tipOf({ x1, y1, x2, y2 }: ArrowSegment): Box {
  const length = Math.hypot(x2 - x1, y2 - y1)
  const [x, y] = [x2 - (6 * (x2 - x1)) / length, y2 - (6 * (y2 - y1)) / length]
  return { left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 }
}

function within(a: Box, b: Box): boolean {
  return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/** Whether the leg passes through the box (Liang-Barsky clipping). */
function crosses({ x1, y1, x2, y2 }: ArrowSegment, box: Box): boolean {
  let [enter, exit] = [0, 1]
  for (const [start, change, low, high] of [
    [x1, x2 - x1, box.left, box.right],
    [y1, y2 - y1, box.top, box.bottom],
  ]) {
    if (change === 0) {
      if (start <= low || start >= high) return false
      continue
    }
    const [a, b] = [(low - start) / change, (high - start) / change]
    enter = Math.max(enter, Math.min(a, b))
    exit = Math.min(exit, Math.max(a, b))
  }
  return enter < exit
}
