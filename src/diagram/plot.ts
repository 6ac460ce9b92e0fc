import { arrowsOf, type DrawnArrow, drawArrow, type Grid } from './arrows.ts'
import type { DiagramSetting } from './caption.ts'
import type { History } from './history.ts'
import { type DiagramLabel, LABEL_SIZE, placeLabels } from './labels.ts'
import { drawLanes, drawMarks, drawNames, type Extent, laneBoxes } from './lanes.ts'
import { brokenLine, halfOf, reachesOf, shiftsOf } from './marks.ts'
import { ALARM, BLUSH, GREY, GRID, PALE, PAPER, type Stroke } from './palette.ts'
import { element, px, words } from './svg.ts'
import { TICK_SIZE, type TimeAxis } from './time-axis.ts'

/** Room before the first moment of a line, and after the last. */
export const LEAD = 18
export const TAIL = 44
/** The height that all lines together like to have, and the distances between two of them. */
const COMFORTABLE = 480
const NARROW = 30
const WIDE = 64
/** Half the height of the frame around what breaks a property. */
const FRAME = 14

/** A moment, and the node to which it happens. */
export interface PlotPoint {
  readonly at: number
  readonly node?: number
}

/** Columns from the beginning to the end of the lines, rows from the upper edge on. */
type Place = Extent & { readonly top: number }

interface Plot {
  readonly svg: string
  readonly bottom: number
  /** Whether there was room for labels beside arrows. */
  readonly labelled: boolean
}

/** The lines, arrows and the axis of time, below `top`. */
export function plotOf(
  history: History,
  axis: TimeAxis,
  place: Place,
  look: {
    readonly strokes: ReadonlyMap<string, Stroke>
    readonly setting: DiagramSetting
    readonly broken?: PlotPoint
  },
): Plot {
  const { strokes, setting } = look
  const n = history.lanes.length
  const lane = Math.min(WIDE, Math.max(NARROW, COMFORTABLE / n))
  const grid: Grid = {
    lane,
    step: axis.step,
    x: (at) => place.left + LEAD + axis.x(at),
    y: (node) => place.top + lane * (node + 0.5),
    space: reachesOf(history.marks),
  }
  const bottom = place.top + lane * n
  const arrows = arrowsOf(history.flights, grid)
  const labels = placeLabels(arrows, laneBoxes(history, grid, place), { ...place, bottom })
  const svg = [
    drawTicks(axis, place, bottom, setting.unit) +
      (look.broken ? drawBroken(look.broken, history, grid, { top: place.top, bottom }) : ''),
    drawLanes(history, grid, place),
    drawBreaks(axis, place, bottom),
    history.flights.some(({ wraps }) => wraps) ? drawSeam(place, bottom, n) : '',
    drawArrows(arrows, strokes, setting),
    drawLabels(labels, strokes),
    drawMarks(history.marks, grid, setting),
    drawNames(history, grid, place, setting.ids),
  ]
  return { svg: svg.join('\n'), bottom: bottom + 40, labelled: labels.length > 0 }
}

function drawArrows(
  arrows: readonly DrawnArrow[],
  strokes: ReadonlyMap<string, Stroke>,
  setting: DiagramSetting,
): string {
  const groups = [...strokes].map(([type, stroke]) => {
    const drawn = arrows
      .filter(({ flight }) => flight.type === type)
      .map((arrow) => drawArrow(arrow, stroke, setting))
    return element('g', { stroke: stroke.colour, 'stroke-width': 1.6, fill: 'none' }, ...drawn)
  })
  return groups.join('\n')
}

/** Words over a rim of paper, so that a line nearby does not touch them. */
function drawLabels(labels: readonly DiagramLabel[], strokes: ReadonlyMap<string, Stroke>): string {
  const rim = { stroke: PAPER, 'stroke-width': 3, 'paint-order': 'stroke' }
  return labels
    .map(({ arrow, text, x, y }) => {
      const fill = strokes.get(arrow.flight.type)!.colour
      const style = { size: LABEL_SIZE, fill, anchor: 'middle' as const }
      return words(text, { x, y: y + LABEL_SIZE * 0.36 }, style, rim)
    })
    .join('')
}

function drawTicks(axis: TimeAxis, { left, right, top }: Place, bottom: number, unit: string) {
  const y = bottom + 6
  const style = { size: TICK_SIZE, fill: GREY }
  const lines = axis.ticks.map((tick) => {
    const x = left + LEAD + tick.x
    return element('path', { d: `M${px(x)} ${px(top)}V${px(y)}`, stroke: GRID })
  })
  const labels = axis.ticks.map((tick) =>
    words(tick.label, { x: left + LEAD + tick.x, y: y + 18 }, { ...style, anchor: 'middle' }),
  )
  const name = words(unit, { x: left - 12, y: y + 18 }, { ...style, anchor: 'end' })
  const base = element('path', { d: `M${px(left)} ${px(y)}H${px(right)}`, stroke: PALE })
  return [...lines, base, ...labels, name].join('')
}

/** The moment at which a property breaks, with a frame around what the node does then. */
function drawBroken(
  { at, node }: PlotPoint,
  { marks }: History,
  grid: Grid,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): string {
  const x = grid.x(at)
  const moment = brokenLine(`M${px(x)} ${px(top)}V${px(bottom + 6)}`)
  if (node === undefined || node * grid.lane + top >= bottom) return moment
  const shift = shiftsOf(marks)
  const ends = marks
    .filter((mark) => mark.node === node && mark.at === at)
    .map((mark) => shift(mark) + halfOf(mark))
  const width = FRAME + Math.max(FRAME, ...ends.map((end) => end + 5))
  const box = { x: x - FRAME, y: grid.y(node) - FRAME, width, height: 2 * FRAME, rx: 8 }
  return moment + element('rect', { class: 'broken', ...box, fill: BLUSH, stroke: ALARM })
}

/** A silence that was cut short: two wavy lines, and nothing between them. */
function drawBreaks(axis: TimeAxis, { left, top }: Place, bottom: number): string {
  const height = bottom + 12 - top
  const waves = Math.max(1, Math.round(height / 16))
  const wave = `q4 ${px(height / waves / 4)} 0 ${px(height / waves / 2)}`
  const back = wave.replace('q', 'q-')
  return axis.breaks
    .map(({ from, to }) => {
      const x = left + LEAD + (from + to) / 2
      const edge = `${wave}${back}`.repeat(waves)
      const gap = element('rect', { x: x - 4, y: top, width: 8, height, fill: PAPER })
      const edges = [x - 4, x + 4].map((side) =>
        element('path', { d: `M${px(side)} ${px(top)}${edge}`, fill: 'none', stroke: PALE }),
      )
      return element('g', { class: 'break' }, gap, ...edges)
    })
    .join('')
}

/** The nodes that lie beyond the edges of a ring. */
export function namesBeyond(n: number): { readonly top: string; readonly bottom: string } {
  return { top: `↑ p${n - 1}`, bottom: '↓ p0' }
}

/** The edges at which arrows leave the picture and come in again on the other side. */
function drawSeam({ left, right, top }: Place, bottom: number, n: number): string {
  const style = { size: 11, fill: GREY, anchor: 'end' as const }
  const names = namesBeyond(n)
  return [
    { y: top, name: names.top },
    { y: bottom, name: names.bottom },
  ]
    .map(({ y, name }) => {
      const d = `M${px(left)} ${px(y)}H${px(right)}`
      const edge = element('path', { class: 'seam', d, stroke: PALE, 'stroke-dasharray': '2 4' })
      return edge + words(name, { x: left - 12, y: y + 3.5 }, style)
    })
    .join('')
}
