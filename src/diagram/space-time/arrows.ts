import { momentText } from '../../core/text-format.ts'
import { messageText } from '../../core/trace/event-words.ts'
import { type DiagramSetting, laneName } from '../diagram-setting.ts'
import type { DiagramColours, Stroke } from '../palette.ts'
import { type LineStyle, type Pen, strokeWith } from '../pen.ts'
import { circle, cross, outline } from '../shapes.ts'
import type { MessageArrow } from './history.ts'

/** Where lines and moments lie on the picture. */
export interface Grid {
  /** The distance between two lines. */
  readonly lane: number
  readonly step: number
  x(at: number): number
  y(node: number): number
  /** Tips stop this far from a line, so that two that meet there can be told apart. */
  readonly clearance: number
  /** The length that signs on the line need at the end of an arriving arrow. */
  space(node: number, at: number): number
}

export interface ArrowSegment {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

/** A message on the picture: one leg, or two where it leaves at one edge and enters at another. */
export interface DrawnArrow {
  readonly flight: MessageArrow
  readonly legs: readonly ArrowSegment[]
  /** All messages with the same route and times, itself included, from left to right. */
  readonly bundle: readonly MessageArrow[]
}

/** The distance between arrows that would cover each other, in pixels. */
const APART = 7
/** The largest width of a bundle of them. */
const BUNDLE_WIDTH_MAX = 32
/** The largest length of the arrow of a message in flight. */
const STUB = 30
export function arrowsOf(flights: readonly MessageArrow[], grid: Grid): DrawnArrow[] {
  const alike = new Map<string, MessageArrow[]>()
  for (const flight of flights) {
    const key = [
      flight.from,
      flight.to,
      flight.sent,
      flight.arrived,
      flight.lost,
      flight.wraps,
    ].join()
    const others = alike.get(key)
    if (others) others.push(flight)
    else alike.set(key, [flight])
  }
  const arrows: DrawnArrow[] = []
  for (const group of alike.values()) {
    const apart = Math.min(APART, Math.min(grid.step, BUNDLE_WIDTH_MAX) / group.length)
    group.forEach((flight, i) => {
      const shift = (i - (group.length - 1) / 2) * apart
      arrows.push({ flight, legs: legsOf(flight, grid, shift), bundle: group })
    })
  }
  return arrows
}

function legsOf(flight: MessageArrow, grid: Grid, shift: number): ArrowSegment[] {
  const { from, to, wraps } = flight
  const x1 = grid.x(flight.sent) + shift
  const y1 = grid.y(from)
  const down = wraps === 'down' || (wraps === null && to > from) ? 1 : -1
  const lanes = wraps === null ? Math.max(1, Math.abs(to - from)) : 1
  if (flight.arrived === null && (flight.lost === null || flight.lost === flight.sent))
    return [stub({ x1, y1 }, down * lanes, grid)]
  if (flight.arrived === null) {
    // A lost message ends half-way to its receiver.
    const x2 = grid.x(flight.lost!) + shift
    return [{ x1, y1, x2, y2: y1 + (down * lanes * grid.lane) / 2 }]
  }
  const half = (down * grid.lane) / 2
  const x2 = grid.x(flight.arrived) + shift
  const y2 = grid.y(to)
  const space = grid.space(to, flight.arrived)
  const landing = (leg: ArrowSegment) =>
    flight.vanished ? leg : shortened(leg, space, grid.clearance)
  if (wraps === null) return [landing({ x1, y1, x2, y2 })]
  const seam = (x1 + x2) / 2
  return [{ x1, y1, x2: seam, y2: y1 + half }, landing({ x1: seam, y1: y2 - half, x2, y2 })]
}

/** The first part of the way to a line that is `lanes` lines further down. */
function stub(
  { x1, y1 }: Pick<ArrowSegment, 'x1' | 'y1'>,
  lanes: number,
  { step, lane }: Grid,
): ArrowSegment {
  const part = Math.min(0.42, STUB / step)
  const length = Math.min(part * Math.hypot(step, lane), 0.8 * lane)
  const whole = Math.hypot(step, lanes * lane)
  return { x1, y1, x2: x1 + (length * step) / whole, y2: y1 + (length * lanes * lane) / whole }
}

/** The leg without its last piece, which keeps clear of the line or of the sign on it. */
function shortened(leg: ArrowSegment, space: number, clearance: number): ArrowSegment {
  const [dx, dy] = [leg.x2 - leg.x1, leg.y2 - leg.y1]
  const length = Math.hypot(dx, dy)
  const clear = Math.min((clearance * length) / Math.abs(dy) || 0, 3 * clearance)
  const off = Math.min(Math.max(space, clear), length / 3)
  return { ...leg, x2: leg.x2 - (off * dx) / length, y2: leg.y2 - (off * dy) / length }
}

/** The message of an arrow in full. */
export function arrowTitle({ flight }: DrawnArrow, { ids, unit }: DiagramSetting): string {
  const route = `${laneName(flight.from, ids)} to ${laneName(flight.to, ids)}`
  const sent = `${unit} ${momentText(flight.sent)}`
  const start = `${messageText(flight)}, ${route}, ${sent}`
  if (flight.lost !== null) return `${start}, lost at ${momentText(flight.lost)}`
  if (flight.arrived === null) return `${start}, still in flight`
  const end = flight.vanished ? ', to a crashed node' : flight.ignored ? ', ignored' : ''
  return `${start} to ${momentText(flight.arrived)}${end}`
}

/** Paints arrows that look alike: all shafts in one stroke, then all heads. */
export function paintArrows(
  pen: Pen,
  arrows: readonly DrawnArrow[],
  stroke: Stroke,
  width: number,
  colours: DiagramColours,
): void {
  const [lost, others] = [arrows.filter(isLost), arrows.filter((arrow) => !isLost(arrow))]
  paintShafts(pen, others, { ...stroke, width })
  paintShafts(pen, lost, { ...stroke, width, dash: LOST_DASH })
  pen.setLineDash([])
  const received = arrows.filter(({ flight }) => isReceived(flight))
  paintHeads(pen, received.map(tipOf), stroke, colours)
  if (received.length < arrows.length)
    for (const arrow of arrows) if (!isReceived(arrow.flight)) paintEnd(pen, arrow, stroke, colours)
}

/** The shafts of messages that never arrive are dashed. */
const LOST_DASH = [4, 3]

function isLost({ flight: { lost, vanished } }: DrawnArrow): boolean {
  return lost !== null || vanished
}

function paintShafts(pen: Pen, arrows: readonly DrawnArrow[], style: LineStyle): void {
  if (arrows.length === 0) return
  strokeWith(pen, style)
  pen.beginPath()
  for (const { legs } of arrows)
    for (const { x1, y1, x2, y2 } of legs) {
      pen.moveTo(x1, y1)
      pen.lineTo(x2, y2)
    }
  pen.stroke()
}

function isReceived({ arrived, vanished, lost }: MessageArrow): boolean {
  return arrived !== null && !vanished && lost === null
}

function tipOf({ legs }: DrawnArrow): ArrowSegment {
  return legs[legs.length - 1]
}

/** The end of a message that is not received: a cross where it is lost, a circle in flight. */
function paintEnd(pen: Pen, arrow: DrawnArrow, stroke: Stroke, colours: DiagramColours): void {
  const { x2, y2 } = tipOf(arrow)
  const { vanished, lost } = arrow.flight
  if (vanished || lost !== null) cross(pen, x2, y2, 4, stroke.colour, 2)
  else paintOpenEnd(pen, x2, y2, stroke.colour, colours)
}

/** The circle at which the arrow of a message in flight ends. */
export function paintOpenEnd(
  pen: Pen,
  x: number,
  y: number,
  colour: string,
  { paper }: DiagramColours,
): void {
  strokeWith(pen, { colour, width: 1.6 })
  pen.fillStyle = paper
  circle(pen, x, y, 2.5)
  pen.fill()
  pen.stroke()
}

type Outline = readonly (readonly [along: number, aside: number])[]

const TRIANGLE: Outline = [
  [0, 0],
  [-10, 4],
  [-10, -4],
]
const HEADS: Record<Stroke['head'], Outline> = {
  none: [],
  full: TRIANGLE,
  hollow: TRIANGLE,
  open: [
    [-9, 4.5],
    [0, 0],
    [-9, -4.5],
  ],
  blunt: [
    [0, 0],
    [-5, 5],
    [-8, 5],
    [-8, -5],
    [-5, -5],
  ],
}

/** Heads with their tips at the ends of the legs, in one stroke. */
export function paintHeads(
  pen: Pen,
  legs: readonly ArrowSegment[],
  { head, colour }: Pick<Stroke, 'head' | 'colour'>,
  { paper }: DiagramColours,
): void {
  if (legs.length === 0 || head === 'none') return
  pen.beginPath()
  for (const { x1, y1, x2, y2 } of legs) {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1
    const [cos, sin] = [(x2 - x1) / length, (y2 - y1) / length]
    outline(
      pen,
      HEADS[head].map(([along, aside]) => [
        x2 + along * cos - aside * sin,
        y2 + along * sin + aside * cos,
      ]),
    )
    if (head !== 'open') pen.closePath()
  }
  if (head !== 'open') {
    pen.fillStyle = head === 'hollow' ? paper : colour
    pen.fill()
  }
  pen.stroke()
}
