import type { DiagramColours } from '../../../src/diagram/palette.ts'
import { type Pen, paintLine } from '../../../src/diagram/pen.ts'
import { circle } from '../../../src/diagram/shapes.ts'
import { arrowsOf, type Grid, paintArrows } from '../../../src/diagram/space-time/arrows.ts'
import type { MessageArrow } from '../../../src/diagram/space-time/history.ts'
import { paintLanes, paintNames } from '../../../src/diagram/space-time/lanes.ts'
import { paintMark, shiftsOf } from '../../../src/diagram/space-time/marks.ts'
import { paintBrokenLine } from '../../../src/diagram/space-time/plot.ts'
import { paintTicks } from '../../../src/diagram/space-time/time-axis.ts'
import { widthOf } from '../../../src/diagram/svg.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { RunLog } from '../recording/run-log.ts'
import type { PageTheme } from '../view/theme.ts'
import { coloursOf } from './diagram-colours.ts'
import { clipped, lanesIn, marksIn, messageIn, type StepRange } from './run-window.ts'
import type { TimeSpan } from './span.ts'

/** Which part of a run the diagram shows, and from which moment it is looked at. */
export interface DiagramView {
  readonly span: TimeSpan
  /** The clock, and how many steps have happened. */
  readonly time: number
  readonly step: number
  readonly chosen: number | null
  /** Steps that stand out; null where all do. */
  readonly past: ReadonlySet<number> | null
  /** Nothing is shown of what has not happened yet. */
  readonly secret: boolean
}

const NAMES = 46
const TOP = 8
const AXIS = 22
const RIGHT = 16
/** At most this many messages are drawn, and signs only of fewer steps. */
const MOST = 1500
const NAMED_LANES = 60
/** Lines of nodes are drawn where they are farther apart than this, heads of arrows than that. */
const LEGIBLE_LANES = 3
const LEGIBLE_HEADS = 8
/** The distance of lines at which signs have their full size. */
const ROOMY = 18
/** Lines of nodes show their past only where it has at most this many steps. */
const MOST_STEPS = 50_000

/** Where lines and moments are on a surface. */
export class LaneGrid implements Grid {
  readonly left: number
  readonly right: number
  readonly lane: number
  /** Height of the axis below the lines. */
  readonly axis: number

  constructor(
    readonly n: number,
    readonly width: number,
    readonly height: number,
    readonly span: TimeSpan,
    /** How large words are: 1 on a desk, more for a projector. */
    readonly scale = 1,
  ) {
    this.left = n <= NAMED_LANES ? NAMES * scale : 12
    this.right = width - RIGHT
    this.axis = AXIS * scale
    this.lane = Math.max(0.1, (height - TOP - this.axis) / n)
  }

  /** Pixels of a unit of time. */
  get step(): number {
    const { from, to } = this.span
    return (this.right - this.left) / (to - from)
  }

  /** Where there are no heads, arrows that follow each other make one line. */
  get clearance(): number {
    return this.lane > LEGIBLE_HEADS ? 2 : 0
  }

  get bottom(): number {
    return this.height - this.axis
  }

  x(time: number): number {
    return this.left + (time - this.span.from) * this.step
  }

  timeAt(x: number): number {
    return this.span.from + (x - this.left) / this.step
  }

  y(node: number): number {
    return TOP + (node + 0.5) * this.lane
  }

  nodeAt(y: number): number {
    return Math.min(this.n - 1, Math.max(0, Math.round((y - TOP) / this.lane - 0.5)))
  }

  /** Arrows reach to the line: the page has small signs. */
  space(): number {
    return 0
  }
}

/**
 * Paints the part of a run that lies in a span: a line for each node, an arrow for each message.
 * `start` is a frame that may be moved; returns how many messages were left out.
 */
export function paintDiagram(
  pen: Pen,
  start: RunFrame,
  view: DiagramView,
  grid: LaneGrid,
  theme: PageTheme,
): number {
  const { log } = start
  const colours = coloursOf(theme)
  const known = view.secret ? view.step : log.steps
  // One step before the span: messages then in flight cross its border.
  const first = Math.min(log.stepsUntil(view.span.from - 1e-9), known)
  const last = Math.min(log.stepsUntil(view.span.to), known)
  const flights = flightsIn(log, start.seek(first), { first, last })
  paintAxis(pen, log, grid, colours)
  if (grid.lane > LEGIBLE_LANES) paintLines(pen, start, { first, last }, view, grid, colours)
  const every = Math.ceil(flights.length / MOST)
  const drawn = every <= 1 ? flights : flights.filter((_, i) => i % every === 0)
  paintMessages(pen, log, drawn, view, grid, theme, colours)
  paintNodeNames(pen, log, grid, colours)
  if (grid.lane > LEGIBLE_LANES && last - first < MOST)
    paintSteps(pen, log, { first, last }, view, grid, colours)
  for (const { step } of log.violations) {
    const x = grid.x(log.timeOf(step - 1))
    if (step <= known && isOn(grid, x)) paintBrokenLine(pen, x, 0, grid.bottom, colours)
  }
  if (view.chosen !== null && view.chosen >= first && view.chosen < last)
    paintChosen(pen, log, view.chosen, grid, theme)
  const x = grid.x(view.time)
  if (isOn(grid, x)) paintLine(pen, [x, 0, x, grid.bottom], { colour: theme.accent, width: 1.5 })
  return flights.length - drawn.length
}

function isOn({ left, width }: LaneGrid, x: number): boolean {
  return x >= left - 1 && x <= width
}

/** Messages in flight before the range, then those that are sent in it. */
function flightsIn(log: RunLog, start: RunFrame, { first, last }: StepRange): number[] {
  const flights = [...start.open]
  const end = last < log.steps ? log.first.at(last) : log.at.length
  for (let event = first < log.steps ? log.first.at(first) : 0; event < end; event++) {
    const flight = log.flight.at(event)
    if (flight >= 0 && log.sending.at(flight) === event) flights.push(flight)
  }
  return flights
}

function paintAxis(pen: Pen, { world }: RunLog, grid: LaneGrid, colours: DiagramColours): void {
  const size = 11 * grid.scale
  const ticks = roundTimes(grid.span, world.unit !== 'time').map((time) => {
    const x = grid.x(time)
    const label = time === 0 ? `${world.unit} 0` : String(time)
    return { x, label, labelX: Math.max(x, widthOf(label, size) / 2) }
  })
  paintTicks(pen, ticks, { top: TOP, bottom: grid.bottom, size }, colours)
}

/** Round times, about eight of them; rounds have nothing between them. */
function roundTimes({ from, to }: TimeSpan, whole: boolean): number[] {
  const rough = (to - from) / 8
  const power = 10 ** Math.floor(Math.log10(rough))
  const fine = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= rough) ?? rough
  const step = whole ? Math.max(1, fine) : fine
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}

/** The lines of the nodes: strong up to now, faint from now on. */
function paintLines(
  pen: Pen,
  start: RunFrame,
  range: StepRange,
  { span, time }: DiagramView,
  grid: LaneGrid,
  colours: DiagramColours,
): void {
  const shown = range.last - range.first <= MOST_STEPS ? range : { ...range, last: range.first }
  const lanes = lanesIn(start, shown, span.from)
  const scale = Math.min(1, grid.lane / ROOMY)
  paintLanes(pen, clipped(lanes, span.from, time), grid, grid, colours, scale)
  pen.globalAlpha = FAINT
  paintLanes(pen, clipped(lanes, time, null), grid, grid, colours, scale)
  pen.globalAlpha = 1
}

/** How arrows look: before now, after now, or outside the causal past. */
const [HAPPENED, COMING, UNRELATED] = [0, 1, 2]
const ALPHAS = [0.9, 0.22, 0.08]
const FAINT = 0.3
/** More arrows than this are thin ones, which are painted several times faster. */
const THICK = 400

/** An arrow for each message, from its sending to its end; those that look alike at once. */
function paintMessages(
  pen: Pen,
  log: RunLog,
  flights: readonly number[],
  view: DiagramView,
  grid: LaneGrid,
  theme: PageTheme,
  colours: DiagramColours,
): void {
  const { length } = theme.types
  const known = view.secret ? view.step : log.steps
  const groups = new Map<number, MessageArrow[]>()
  for (const flight of flights) {
    const type = log.type.at(log.sending.at(flight)) % length
    const key = length * lookOf(log, flight, view) + type
    const group = groups.get(key)
    const message = messageIn(log, flight, known)
    if (group) group.push(message)
    else groups.set(key, [message])
  }
  // Messages that have been sent lie on top.
  for (const [key, group] of [...groups].sort(([a], [b]) => b - a)) {
    const look = Math.floor(key / length)
    const head = grid.lane > LEGIBLE_HEADS ? 'open' : 'none'
    const stroke = { colour: theme.types[key % length], dash: [], head } as const
    const width = flights.length > THICK ? 1 : view.past && look === HAPPENED ? 2 : 1.2
    pen.globalAlpha = ALPHAS[look]
    paintArrows(pen, arrowsOf(group, grid), stroke, width, colours)
  }
  pen.globalAlpha = 1
}

function lookOf(log: RunLog, flight: number, { step, past }: DiagramView): number {
  const [sent, ended] = [log.sentIn.at(flight), log.endedIn.at(flight)]
  if (past !== null && !(ended >= 0 && past.has(ended) && past.has(sent))) return UNRELATED
  return sent >= step ? COMING : HAPPENED
}

/** The ids beside the lines, over arrows that come from before the span. */
function paintNodeNames(
  pen: Pen,
  { world: { n, ids } }: RunLog,
  grid: LaneGrid,
  { paper, grey: fill }: DiagramColours,
): void {
  pen.fillStyle = paper
  pen.fillRect(0, 0, grid.left - 6, grid.bottom)
  if (n > NAMED_LANES || grid.lane <= LEGIBLE_HEADS) return
  const names = Array.from({ length: n }, (_, node) => ({
    text: String(ids?.[node] ?? node),
    bold: false,
    leads: false,
  }))
  paintNames(pen, names, grid, grid, { size: 11 * grid.scale, fill })
}

/** The signs of all steps; a dot where a step has none at its moment. */
function paintSteps(
  pen: Pen,
  log: RunLog,
  { first, last }: StepRange,
  { step, past }: DiagramView,
  grid: LaneGrid,
  colours: DiagramColours,
): void {
  const steps = Array.from({ length: last - first }, (_, i) => marksIn(log, first + i))
  const shift = shiftsOf(steps.flat())
  const scale = Math.min(1, grid.lane / ROOMY)
  for (const [i, marks] of steps.entries()) {
    const number = first + i
    pen.globalAlpha = past !== null && !past.has(number) ? 0.12 : number >= step ? FAINT : 1
    if (marks.every((mark) => shift(mark) > 0)) paintDot(pen, log, number, grid, colours)
    for (const mark of marks) {
      const x = grid.x(mark.at) + shift(mark) * scale
      paintMark(pen, mark, { x, y: grid.y(mark.node), scale }, colours)
    }
  }
  pen.globalAlpha = 1
}

function paintDot(
  pen: Pen,
  log: RunLog,
  step: number,
  grid: LaneGrid,
  { ink }: DiagramColours,
): void {
  pen.fillStyle = ink
  circle(pen, grid.x(log.timeOf(step)), grid.y(log.nodeOf(step)), Math.min(3, grid.lane / 4))
  pen.fill()
}

/** A ring around the step that was chosen. */
function paintChosen(
  pen: Pen,
  log: RunLog,
  step: number,
  grid: LaneGrid,
  { accent }: PageTheme,
): void {
  pen.strokeStyle = accent
  pen.lineWidth = 2
  pen.setLineDash([])
  circle(pen, grid.x(log.timeOf(step)), grid.y(log.nodeOf(step)), 8)
  pen.stroke()
}
