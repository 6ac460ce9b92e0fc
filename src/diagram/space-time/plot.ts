import { type DiagramSetting, laneName } from '../diagram-setting.ts'
import { BLUSH, type DiagramColours, type Stroke } from '../palette.ts'
import { inGroup, type Pen, paintLine, paintText, strokeWith } from '../pen.ts'
import { arrowsOf, arrowTitle, type DrawnArrow, type Grid, paintArrows } from './arrows.ts'
import type { SpaceTimeHistory } from './history.ts'
import { type DiagramLabel, LABEL_SIZE, placeArrowLabels } from './labels.ts'
import { type Extent, laneBoxes, NAME_SIZE, paintLanes, paintMarks, paintNames } from './lanes.ts'
import { halfOf, reachesOf, shiftsOf } from './marks.ts'
import { paintTicks, TICK_SIZE, type TimeAxis } from './time-axis.ts'

/** Room before the first moment of a line, and after the last. */
export const LEAD = 18
export const TAIL = 44
/** The preferred height of all lines together, and the distances between two of them. */
const COMFORTABLE = 480
const LINE_DISTANCE_MIN = 30
const LINE_DISTANCE_MAX = 64
/** Half the height of the frame around the event that violates a property. */
const FRAME = 14
const ARROW_WIDTH = 1.6

/** A moment, and the node of its event. */
export interface PlotPoint {
  readonly at: number
  readonly node?: number
}

/** Columns from the beginning to the end of the lines, rows from the upper edge on. */
type PlotArea = Extent & { readonly top: number }

interface PlotLook {
  readonly strokes: ReadonlyMap<string, Stroke>
  readonly setting: DiagramSetting
  readonly colours: DiagramColours
  readonly broken?: PlotPoint
}

/** Paints the lines, the arrows and the axis of time below `top`; returns the lower edge. */
export function paintPlot(
  pen: Pen,
  history: SpaceTimeHistory,
  axis: TimeAxis,
  area: PlotArea,
  look: PlotLook,
): { readonly bottom: number /** Whether some arrow has a label. */; readonly labelled: boolean } {
  const { strokes, setting, colours } = look
  const n = history.lanes.length
  const lane = Math.min(LINE_DISTANCE_MAX, Math.max(LINE_DISTANCE_MIN, COMFORTABLE / n))
  const grid: Grid = {
    lane,
    step: axis.step,
    clearance: 2,
    x: (at) => area.left + LEAD + axis.x(at),
    y: (node) => area.top + lane * (node + 0.5),
    space: reachesOf(history.marks),
  }
  const bottom = area.top + lane * n
  const arrows = arrowsOf(history.flights, grid)
  const labels = placeArrowLabels(arrows, laneBoxes(history, grid, area), { ...area, bottom })
  paintAxis(pen, axis, area, bottom, setting.unit, colours)
  if (look.broken) paintBroken(pen, look.broken, history, grid, { top: area.top, bottom }, colours)
  paintLanes(pen, history.lanes, grid, area, colours)
  paintBreaks(pen, axis, area, bottom, colours)
  if (history.flights.some(({ wraps }) => wraps)) paintSeam(pen, area, bottom, n, colours)
  for (const [type, stroke] of strokes)
    for (const arrow of arrows)
      if (arrow.flight.type === type) paintMessage(pen, arrow, stroke, look)
  paintLabels(pen, labels, strokes, colours)
  paintMarks(pen, history.marks, grid, colours, setting)
  const names = history.lanes.map(({ leaderships }, node) => ({
    text: laneName(node, setting.ids),
    bold: leaderships.length > 0,
    leads: leaderships.at(-1)?.to === null,
  }))
  paintNames(pen, names, grid, area, { size: NAME_SIZE, fill: colours.ink })
  return { bottom: bottom + 40, labelled: labels.length > 0 }
}

function paintMessage(
  pen: Pen,
  arrow: DrawnArrow,
  stroke: Stroke,
  { setting, colours }: PlotLook,
): void {
  const paint = () => paintArrows(pen, [arrow], stroke, ARROW_WIDTH, colours)
  inGroup(pen, 'message', paint, arrowTitle(arrow, setting))
}

function paintLabels(
  pen: Pen,
  labels: readonly DiagramLabel[],
  strokes: ReadonlyMap<string, Stroke>,
  { paper }: DiagramColours,
): void {
  for (const { arrow, text, x, y } of labels) {
    const fill = strokes.get(arrow.flight.type)!.colour
    const style = { size: LABEL_SIZE, fill, align: 'center', rim: paper } as const
    paintText(pen, text, x, y + LABEL_SIZE * 0.36, style)
  }
}

function paintAxis(
  pen: Pen,
  axis: TimeAxis,
  { left, right, top }: PlotArea,
  bottom: number,
  unit: string,
  colours: DiagramColours,
): void {
  const y = bottom + 6
  const ticks = axis.ticks.map(({ x, label }) => ({ x: left + LEAD + x, label }))
  paintTicks(pen, ticks, { top, bottom: y }, colours)
  paintLine(pen, [left, y, right, y], { colour: colours.pale, width: 1 })
  const style = { size: TICK_SIZE, fill: colours.grey, align: 'right' } as const
  paintText(pen, unit, left - 12, y + TICK_SIZE * 1.5, style)
}

/** The line through the moment at which a property is violated. */
export function paintBrokenLine(
  pen: Pen,
  x: number,
  top: number,
  bottom: number,
  { danger }: DiagramColours,
): void {
  paintLine(pen, [x, top, x, bottom], { colour: danger, width: 1.5, dash: [5, 4] })
}

/** The moment at which a property is violated, with a frame around the events of the node. */
function paintBroken(
  pen: Pen,
  { at, node }: PlotPoint,
  { marks }: SpaceTimeHistory,
  grid: Grid,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  colours: DiagramColours,
): void {
  const x = grid.x(at)
  paintBrokenLine(pen, x, top, bottom + 6, colours)
  if (node === undefined || node * grid.lane + top >= bottom) return
  const shift = shiftsOf(marks)
  const ends = marks
    .filter((mark) => mark.node === node && mark.at === at)
    .map((mark) => shift(mark) + halfOf(mark))
  const width = FRAME + Math.max(FRAME, ...ends.map((end) => end + 5))
  inGroup(pen, 'broken', () => {
    strokeWith(pen, { colour: colours.danger, width: 1 })
    pen.fillStyle = BLUSH
    pen.beginPath()
    pen.roundRect(x - FRAME, grid.y(node) - FRAME, width, 2 * FRAME, 8)
    pen.fill()
    pen.stroke()
  })
}

/** A silence that was cut short: two wavy lines, and nothing between them. */
function paintBreaks(
  pen: Pen,
  axis: TimeAxis,
  { left, top }: PlotArea,
  bottom: number,
  { paper, pale }: DiagramColours,
): void {
  const height = bottom + 12 - top
  const waves = Math.max(1, Math.round(height / 16))
  const half = height / waves / 2
  for (const { from, to } of axis.breaks) {
    const x = left + LEAD + (from + to) / 2
    inGroup(pen, 'break', () => {
      pen.fillStyle = paper
      pen.fillRect(x - 4, top, 8, height)
      strokeWith(pen, { colour: pale, width: 1 })
      for (const side of [x - 4, x + 4]) {
        pen.beginPath()
        pen.moveTo(side, top)
        for (let i = 0; i < 2 * waves; i++)
          pen.quadraticCurveTo(
            side + (i % 2 === 0 ? 4 : -4),
            top + (i + 0.5) * half,
            side,
            top + (i + 1) * half,
          )
        pen.stroke()
      }
    })
  }
}

/** The nodes that lie beyond the edges of a ring. */
export function namesBeyond(n: number): { readonly top: string; readonly bottom: string } {
  return { top: `↑ p${n - 1}`, bottom: '↓ p0' }
}

/** The edges at which arrows leave the picture and enter it again on the other side. */
function paintSeam(
  pen: Pen,
  { left, right, top }: PlotArea,
  bottom: number,
  n: number,
  { pale, grey }: DiagramColours,
): void {
  const names = namesBeyond(n)
  for (const { y, name } of [
    { y: top, name: names.top },
    { y: bottom, name: names.bottom },
  ]) {
    inGroup(pen, 'seam', () =>
      paintLine(pen, [left, y, right, y], { colour: pale, width: 1, dash: [2, 4] }),
    )
    paintText(pen, name, left - 12, y + 3.5, { size: 11, fill: grey, align: 'right' })
  }
}
