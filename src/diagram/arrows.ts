import { momentText } from '../core/text-format.ts'
import { messageText } from '../core/trace/event-words.ts'
import { type DiagramSetting, nodeName } from './caption.ts'
import type { MessageArrow } from './history.ts'
import { saltire } from './marks.ts'
import { PAPER, type Stroke } from './palette.ts'
import { element, escaped, px } from './svg.ts'

/** Where lines and moments lie on the picture. */
export interface Grid {
  /** The distance between two lines. */
  readonly lane: number
  readonly step: number
  x(at: number): number
  y(node: number): number
  /** How much of an arriving arrow the signs on the line need for themselves. */
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
  /** All that go the same way at the same time, itself among them, from left to right. */
  readonly bundle: readonly MessageArrow[]
}

/** Arrows that would cover each other are set side by side, so far apart. */
const APART = 7
/** A bundle of them is no wider. */
const WIDEST = 32
/** The length, at most, of what is drawn of a message under way. */
const STUB = 30
/** Tips stop so far above or below a line, so that two that meet there are still two. */
const SHY = 2

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
    const apart = Math.min(APART, Math.min(grid.step, WIDEST) / group.length)
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
    const x2 = grid.x(flight.lost!) + shift
    return [{ x1, y1, x2, y2: y1 + (down * grid.lane) / 2 }]
  }
  const half = (down * grid.lane) / 2
  const x2 = grid.x(flight.arrived) + shift
  const y2 = grid.y(to)
  const space = grid.space(to, flight.arrived)
  const landing = (leg: ArrowSegment) => (flight.vanished ? leg : shortened(leg, space))
  if (wraps === null) return [landing({ x1, y1, x2, y2 })]
  const seam = (x1 + x2) / 2
  return [{ x1, y1, x2: seam, y2: y1 + half }, landing({ x1: seam, y1: y2 - half, x2, y2 })]
}

/** The beginning of the way to a line so many lines further down. */
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

/** The leg without its last piece: far enough to keep off the line, or off the sign on it. */
function shortened(leg: ArrowSegment, space: number): ArrowSegment {
  const [dx, dy] = [leg.x2 - leg.x1, leg.y2 - leg.y1]
  const length = Math.hypot(dx, dy)
  const shy = Math.min((SHY * length) / Math.abs(dy), 3 * SHY)
  const off = Math.min(Math.max(space, shy), length / 3)
  return { ...leg, x2: leg.x2 - (off * dx) / length, y2: leg.y2 - (off * dy) / length }
}

/** The arrow as SVG; what it says in full is its title. */
export function drawArrow(
  { flight, legs }: DrawnArrow,
  stroke: Stroke,
  setting: DiagramSetting,
): string {
  const d = legs.map(({ x1, y1, x2, y2 }) => `M${px(x1)} ${px(y1)}L${px(x2)} ${px(y2)}`).join('')
  const shaft = element('path', { d, 'stroke-dasharray': stroke.dash })
  return element(
    'g',
    { class: 'message' },
    element('title', {}, escaped(story(flight, setting))),
    shaft,
    ending(flight, legs[legs.length - 1], stroke),
  )
}

function story(flight: MessageArrow, { ids, unit }: DiagramSetting): string {
  const route = `${nodeName(flight.from, ids)} to ${nodeName(flight.to, ids)}`
  const sent = `${unit} ${momentText(flight.sent)}`
  const start = `${messageText(flight)}, ${route}, ${sent}`
  if (flight.lost !== null) return `${start}, lost at ${momentText(flight.lost)}`
  if (flight.arrived === null) return `${start}, still under way`
  const fate = flight.vanished ? ', vanished' : flight.ignored ? ', ignored' : ''
  return `${start} to ${momentText(flight.arrived)}${fate}`
}

function ending(flight: MessageArrow, leg: ArrowSegment, stroke: Stroke): string {
  if (flight.vanished || flight.lost !== null) return saltire(leg.x2, leg.y2, 4, stroke.colour, 2)
  if (flight.arrived !== null) return arrowHead(leg, stroke)
  return element('circle', { cx: leg.x2, cy: leg.y2, r: 2.5, fill: PAPER })
}

type Outline = readonly (readonly [along: number, aside: number])[]

const TRIANGLE: Outline = [
  [0, 0],
  [-10, 4],
  [-10, -4],
]
const HEADS: Record<Stroke['head'], Outline> = {
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

/** A head with its tip at the end of the leg. */
export function arrowHead({ x1, y1, x2, y2 }: ArrowSegment, { head, colour }: Stroke): string {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1
  const [cos, sin] = [(x2 - x1) / length, (y2 - y1) / length]
  const points = HEADS[head].map(
    ([along, aside]) =>
      `${px(x2 + along * cos - aside * sin)} ${px(y2 + along * sin + aside * cos)}`,
  )
  const fill = head === 'open' ? 'none' : head === 'hollow' ? PAPER : colour
  return element('path', { d: `M${points.join('L')}${head === 'open' ? '' : 'z'}`, fill })
}
