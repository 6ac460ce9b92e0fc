import type { DiagramColours } from '../../../../src/diagram/palette.ts'
import { type Pen, paintLine, paintText } from '../../../../src/diagram/pen.ts'
import { circle } from '../../../../src/diagram/shapes.ts'
import {
  arrowsOf,
  type DrawnArrow,
  paintArrows,
} from '../../../../src/diagram/space-time/arrows.ts'
import { LABEL_SIZE, placeArrowLabels } from '../../../../src/diagram/space-time/labels.ts'
import { paintLanes } from '../../../../src/diagram/space-time/lanes.ts'
import { paintMark, shiftsOf } from '../../../../src/diagram/space-time/marks.ts'
import { paintBrokenLine } from '../../../../src/diagram/space-time/plot.ts'
import { paintTicks } from '../../../../src/diagram/space-time/time-axis.ts'
import { textWidth } from '../../../../src/diagram/svg.ts'
import { numberOf, STATUSES } from '../../recording/events.ts'
import type { RunFrame } from '../../recording/frame.ts'
import type { RunLog } from '../../recording/run-log.ts'
import type { PageTheme } from '../../view/theme.ts'
import { type LaneGrid, LEGIBLE_HEADS, type TimeSpan, TOP } from './lanes.ts'
import {
  clipped,
  type FlightArrow,
  lanesIn,
  messageIn,
  type StepRange,
  stepMarks,
} from './run-window.ts'

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
  /** Messages that stand out, since they were searched for; null where all do. */
  readonly found?: ReadonlySet<number> | null
  /** The message under the pointer. */
  readonly pointed?: number | null
}

/** What was painted: how many messages were left out, and where the others are. */
export interface PaintedDiagram {
  readonly omitted: number
  readonly arrows: readonly FlightArrow[]
}

const LEADER = STATUSES.indexOf('leader')
const LOSE = numberOf('lose')
/** At most this many messages are drawn, and signs only of fewer steps. */
const MOST_DRAWN = 1500
/** Lines of nodes are drawn where they are farther apart than this. */
const LEGIBLE_LANES = 3
/** Words are written where lines are farther apart than this. */
const LEGIBLE_WORDS = 18
/** The distance of lines at which signs have their full size. */
const ROOMY = 18
/** Lines of nodes show their past only where it has at most this many steps. */
const MOST_STEPS = 50_000

/**
 * Paints the part of a run that lies in a span: a line for each node, an arrow for each message.
 * `start` is a frame that may be moved.
 */
export function paintDiagram(
  pen: Pen,
  start: RunFrame,
  view: DiagramView,
  grid: LaneGrid,
  theme: PageTheme,
): PaintedDiagram {
  const { log } = start
  const colours = coloursOf(theme)
  const known = view.secret ? view.step : log.steps
  // One step before the span: messages then in flight cross its border.
  const first = Math.min(log.stepsUntil(view.span.from - 1e-9), known)
  const last = Math.min(log.stepsUntil(view.span.to), known)
  const flights = flightsIn(log, start.seek(first), { first, last }).filter((flight) => {
    const sending = log.sending.at(flight)
    return grid.order.shows(log.node.at(sending)) && grid.order.shows(log.peer.at(sending))
  })
  paintAxis(pen, log, grid, colours)
  if (grid.lane > LEGIBLE_LANES) paintLines(pen, start, { first, last }, view, grid, colours)
  const every = Math.ceil(flights.length / MOST_DRAWN)
  const drawn = every <= 1 ? flights : flights.filter((_, i) => i % every === 0)
  const arrows = paintMessages(pen, log, drawn, view, grid, theme, colours)
  if (every <= 1) paintWords(pen, log, arrows, view, grid, theme)
  paintNodeNames(pen, start.seek(view.step), grid, colours)
  if (grid.lane > LEGIBLE_LANES && last - first < MOST_DRAWN)
    paintSteps(pen, log, { first, last }, view, grid, colours)
  for (const { step } of log.violations) {
    const x = grid.x(log.timeOf(step - 1))
    if (step <= known && isOn(grid, x)) paintBrokenLine(pen, x, 0, grid.bottom, colours)
  }
  const { chosen } = view
  if (chosen !== null && chosen >= first && chosen < last && grid.order.shows(log.nodeOf(chosen)))
    paintChosen(pen, log, chosen, grid, theme)
  const x = grid.x(view.time)
  if (isOn(grid, x)) paintLine(pen, [x, 0, x, grid.bottom], { colour: theme.accent, width: 1.5 })
  return { omitted: flights.length - drawn.length, arrows }
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
    return { x, label, labelX: Math.max(x, textWidth(label, size) / 2) }
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
  const lanes = lanesIn(start, shown, span.from).map((lane, node) =>
    grid.order.shows(node) ? lane : HIDDEN,
  )
  const scale = Math.min(1, grid.lane / ROOMY)
  paintLanes(pen, clipped(lanes, span.from, time), grid, grid, colours, scale)
  pen.globalAlpha = FAINT
  paintLanes(pen, clipped(lanes, time, null), grid, grid, colours, scale)
  pen.globalAlpha = 1
}

const HIDDEN = { lives: [], leaderships: [] }

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
): FlightArrow[] {
  const { length } = theme.types
  const known = view.secret ? view.step : log.steps
  const messages = flights.map((flight) => messageIn(log, flight, known))
  const flightOf = new Map(messages.map((message, i) => [message, flights[i]]))
  const all = arrowsOf(messages, grid).map((arrow) => ({
    flight: flightOf.get(arrow.flight)!,
    arrow,
  }))
  const groups = new Map<number, DrawnArrow[]>()
  for (const { flight, arrow } of all) {
    const type = log.type.at(log.sending.at(flight)) % length
    const key = length * lookOf(log, flight, view) + type
    const group = groups.get(key)
    if (group) group.push(arrow)
    else groups.set(key, [arrow])
  }
  // Messages that have been sent lie on top.
  for (const [key, group] of [...groups].sort(([a], [b]) => b - a)) {
    const look = Math.floor(key / length)
    const head = grid.lane > LEGIBLE_HEADS ? 'open' : 'none'
    const stroke = { colour: theme.types[key % length], dash: [], head } as const
    const strong = look === HAPPENED && (view.past !== null || view.found != null)
    const width = flights.length > THICK ? 1 : strong ? 2 : 1.2
    pen.globalAlpha = ALPHAS[look]
    paintArrows(pen, group, stroke, width, colours)
  }
  pen.globalAlpha = 1
  const pointed = all.find(({ flight }) => flight === view.pointed)
  if (pointed !== undefined) {
    const stroke = { colour: theme.accent, dash: [], head: 'open' } as const
    paintArrows(pen, [pointed.arrow], stroke, 3, colours)
  }
  return all
}

/** Words beside the arrows that have room for them. */
function paintWords(
  pen: Pen,
  log: RunLog,
  arrows: readonly FlightArrow[],
  view: DiagramView,
  grid: LaneGrid,
  theme: PageTheme,
): void {
  if (grid.lane < LEGIBLE_WORDS) return
  const paint = ({ flight, text, x, y }: ArrowWords) => {
    const look = lookOf(log, flight, view)
    if (look === UNRELATED) return
    pen.globalAlpha = look === HAPPENED ? 1 : 0.45
    const fill = theme.types[log.type.at(log.sending.at(flight)) % theme.types.length]
    const style = { size: LABEL_SIZE * 0.9, fill, rim: theme.surface, align: 'center' } as const
    paintText(pen, text, x, y + 4, style)
  }
  for (const words of labelsFor(log, arrows, grid, view.secret ? view.step : log.steps))
    paint(words)
  pen.globalAlpha = 1
}

function lookOf(log: RunLog, flight: number, { step, past, found }: DiagramView): number {
  if (found != null && !found.has(flight)) return UNRELATED
  const [sent, ended] = [log.sentIn.at(flight), log.endedIn.at(flight)]
  if (past !== null && !(ended >= 0 && past.has(ended) && past.has(sent))) return UNRELATED
  return sent >= step ? COMING : HAPPENED
}

/** The current ids beside the lines, over arrows that come from before the span. */
function paintNodeNames(
  pen: Pen,
  now: RunFrame,
  grid: LaneGrid,
  { paper, grey, ink }: DiagramColours,
): void {
  pen.fillStyle = paper
  pen.fillRect(0, 0, grid.left - 6, grid.bottom)
  const size = 11 * grid.scale
  // As many names as there is room for.
  const every = Math.ceil((size + 2) / grid.lane)
  for (const [lane, node] of grid.order.nodes.entries()) {
    if (lane % every > 0) continue
    const leads = now.status[node] === LEADER
    const style = { size, fill: leads ? ink : grey, bold: leads, align: 'right' } as const
    paintText(pen, String(now.idOf(node) ?? node), grid.left - 12, grid.y(node) + size / 3, style)
  }
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
  const steps = Array.from({ length: last - first }, (_, i) =>
    stepMarks(log, first + i).filter(({ node }) => grid.order.shows(node)),
  )
  const shift = shiftsOf(steps.flat())
  const scale = Math.min(1, grid.lane / ROOMY)
  for (const [i, marks] of steps.entries()) {
    const number = first + i
    pen.globalAlpha = past !== null && !past.has(number) ? 0.12 : number >= step ? FAINT : 1
    if (!grid.order.shows(log.nodeOf(number))) continue
    if (marks.every((mark) => shift(mark) > 0) && !isLoss(log, number))
      paintDot(pen, log, number, grid, colours)
    for (const mark of marks) {
      const x = grid.x(mark.at) + shift(mark) * scale
      paintMark(pen, mark, { x, y: grid.y(mark.node), scale }, colours)
    }
  }
  pen.globalAlpha = 1
}

/** A step that is nothing but the loss of a message happens on its way, at no node. */
function isLoss(log: RunLog, step: number): boolean {
  return log.kind.at(log.first.at(step)) === LOSE
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

/** The words of one message, and their middle. */
export interface ArrowWords {
  readonly flight: number
  readonly text: string
  readonly x: number
  readonly y: number
}

/** More arrows than this have no room for words. */
const MOST_LABELLED = 160

/** The last labels of each run: they do not depend on the clock, which moves all the time. */
const placed = new WeakMap<RunLog, { readonly key: string; readonly words: ArrowWords[] }>()

/**
 * Labels for arrows with room for one: the field that decides, or the first one. `known` is the
 * number of steps after which nothing is shown.
 */
function labelsFor(
  log: RunLog,
  arrows: readonly FlightArrow[],
  grid: LaneGrid,
  known: number,
): readonly ArrowWords[] {
  if (arrows.length === 0 || arrows.length > MOST_LABELLED) return []
  const { width, height, span, order } = grid
  const ends = [arrows[0].flight, arrows[arrows.length - 1].flight, arrows.length, known]
  const key = [width, height, span.from, span.to, ...order.nodes, ...ends].join()
  const before = placed.get(log)
  if (before?.key === key) return before.words
  const words = wordsFor(log, arrows, grid)
  placed.set(log, { key, words })
  return words
}

function wordsFor(log: RunLog, arrows: readonly FlightArrow[], grid: LaneGrid): ArrowWords[] {
  const flights = new Map(arrows.map(({ arrow, flight }) => [arrow.flight, flight]))
  const labelled = arrows.map(({ arrow, flight }) => ({
    ...arrow,
    flight: { ...arrow.flight, body: decisiveField(log, flight) },
  }))
  const original = new Map(labelled.map((arrow, i) => [arrow.flight, arrows[i].arrow.flight]))
  const bundled = labelled.map((arrow) => ({ ...arrow, bundle: [arrow.flight] }))
  const lines = grid.order.nodes.map((node) => ({
    left: grid.left,
    right: grid.right,
    top: grid.y(node) - 4,
    bottom: grid.y(node) + 4,
  }))
  const frame = { left: grid.left, right: grid.width, top: 0, bottom: grid.bottom }
  return placeArrowLabels(bundled, lines, frame).map(({ arrow, text, x, y }) => ({
    flight: flights.get(original.get(arrow.flight)!)!,
    text,
    x,
    y,
  }))
}

/** The content of a message with the field that decides alone, or the first one. */
function decisiveField(log: RunLog, flight: number): Readonly<Record<string, unknown>> {
  const { type, body } = log.event(log.sending.at(flight))
  const fields: Readonly<Record<string, unknown>> = body === '' ? {} : JSON.parse(body)
  const decides = log.world.display?.decides?.[type] ?? Object.keys(fields)[0]
  return decides === undefined || !(decides in fields) ? {} : { [decides]: fields[decides] }
}

/** The theme of the page as the colours of a diagram. */
export function coloursOf(theme: PageTheme): DiagramColours {
  const { surface: paper, ink, soft: grey, line, quiet: pale, leader: gold, danger } = theme
  return { paper, ink, grey, pale, grid: line, lane: grey, gold, danger }
}
