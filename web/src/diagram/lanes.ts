import type { Pen } from '../pen/pen.ts'
import { type EventKind, KINDS } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { RunLog } from '../recording/run-log.ts'
import type { PageTheme } from '../view/theme.ts'
import { paintFlights } from './arrows.ts'
import type { TimeSpan } from './span.ts'

/** What of a run the diagram shows. */
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

const LABELS = 46
const TOP = 8
const AXIS = 22
/** So many messages are drawn; of more, some are left out. */
const MOST = 1500
const LABELLED_LANES = 60

/** Where lanes and moments are on a surface. */
export class Lanes {
  readonly left: number
  readonly gap: number
  /** Height of the axis below the lanes. */
  readonly axis: number

  constructor(
    readonly n: number,
    readonly width: number,
    readonly height: number,
    readonly span: TimeSpan,
    /** How large words are: 1 on a desk, more for a projector. */
    readonly scale = 1,
  ) {
    this.left = n <= LABELLED_LANES ? LABELS * scale : 12
    this.axis = AXIS * scale
    this.gap = Math.max(0.1, (height - TOP - this.axis) / n)
  }

  x(time: number): number {
    const { from, to } = this.span
    return this.left + ((time - from) / (to - from)) * (this.width - this.left - 16)
  }

  timeAt(x: number): number {
    const { from, to } = this.span
    return from + ((x - this.left) / (this.width - this.left - 16)) * (to - from)
  }

  y(node: number): number {
    return TOP + (node + 0.5) * this.gap
  }

  nodeAt(y: number): number {
    return Math.min(this.n - 1, Math.max(0, Math.round((y - TOP) / this.gap - 0.5)))
  }
}

/**
 * Paints the part of a run that lies in a span: a lane for each node, an arrow for each message.
 * `start` is a frame that may be moved; returns how many messages were left out.
 */
export function paintLanes(
  pen: Pen,
  start: RunFrame,
  view: DiagramView,
  lanes: Lanes,
  theme: PageTheme,
): number {
  const { log } = start
  const { span, step, secret } = view
  const reached = secret ? step : log.steps
  paintGrid(pen, log, lanes, theme)
  // One step before the span: what is then under way crosses its border.
  const first = Math.min(log.stepsUntil(span.from - 1e-9), reached)
  const last = Math.min(log.stepsUntil(span.to), reached)
  const crossing = [...start.seek(first).open]
  const flights: number[] = crossing
  for (let event = first < log.steps ? log.first.at(first) : 0; event < endOf(log, last); event++) {
    const flight = log.flight.at(event)
    if (flight >= 0 && log.sending.at(flight) === event) flights.push(flight)
  }
  const every = Math.ceil(flights.length / MOST)
  const drawn = every <= 1 ? flights : flights.filter((_, i) => i % every === 0)
  paintFlights(pen, log, drawn, view, lanes, theme)
  paintLabels(pen, log, lanes, theme)
  if (lanes.gap > 3 && last - first < MOST)
    for (let number = first; number < last; number++)
      paintStep(pen, log, number, view, lanes, theme)
  paintViolations(pen, log, reached, lanes, theme)
  paintPlayhead(pen, lanes, view.time, theme)
  return flights.length - drawn.length
}

function endOf(log: RunLog, step: number): number {
  return step < log.steps ? log.first.at(step) : log.at.length
}

function paintGrid(pen: Pen, log: RunLog, lanes: Lanes, theme: PageTheme): void {
  const { n, unit } = log.world
  const right = lanes.width - 8
  pen.strokeStyle = theme.line
  pen.lineWidth = 1
  pen.font = `${11 * lanes.scale}px system-ui`
  pen.textBaseline = 'middle'
  if (lanes.gap > 3) {
    pen.beginPath()
    for (let node = 0; node < n; node++) {
      pen.moveTo(lanes.left, lanes.y(node))
      pen.lineTo(right, lanes.y(node))
    }
    pen.stroke()
  }
  pen.fillStyle = theme.soft
  pen.textAlign = 'center'
  for (const tick of ticks(lanes.span, unit !== 'time')) {
    const x = lanes.x(tick)
    const text = tick === 0 ? `${unit} 0` : String(tick)
    const half = pen.measureText(text).width / 2
    pen.fillText(text, Math.max(half + 2, x), lanes.height - lanes.axis / 2)
  }
}

/** Over the arrows that come from before, which else would cross them. */
function paintLabels(pen: Pen, log: RunLog, lanes: Lanes, theme: PageTheme): void {
  const { n, ids } = log.world
  pen.fillStyle = theme.surface
  pen.fillRect(0, 0, lanes.left - 6, lanes.height - lanes.axis)
  pen.fillStyle = theme.soft
  pen.textAlign = 'right'
  if (n <= LABELLED_LANES && lanes.gap > 8)
    for (let node = 0; node < n; node++)
      pen.fillText(String(ids?.[node] ?? node), lanes.left - 10, lanes.y(node))
}

/** Round times, about eight of them; rounds have nothing between them. */
function ticks({ from, to }: TimeSpan, whole: boolean): number[] {
  const rough = (to - from) / 8
  const power = 10 ** Math.floor(Math.log10(rough))
  const fine = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= rough) ?? rough
  const step = whole ? Math.max(1, fine) : fine
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}

const MARKS: Readonly<Partial<Record<EventKind, string>>> = {
  lead: '★',
  crash: '✕',
  recover: '↑',
  timeout: '◷',
  stop: '■',
  wake: '○',
}

function paintStep(
  pen: Pen,
  log: RunLog,
  number: number,
  { step, past, chosen }: DiagramView,
  lanes: Lanes,
  theme: PageTheme,
): void {
  const [x, y] = [lanes.x(log.timeOf(number)), lanes.y(log.nodeOf(number))]
  pen.globalAlpha = past !== null && !past.has(number) ? 0.12 : number >= step ? 0.3 : 1
  let mark: EventKind | null = null
  for (let event = log.first.at(number); event < log.end(number); event++) {
    const kind = KINDS[log.kind.at(event)]
    if (kind in MARKS && mark !== 'lead') mark = kind
  }
  if (mark === null || mark === 'wake' || mark === 'stop') {
    pen.fillStyle = mark === 'wake' ? theme.surface : theme.ink
    pen.strokeStyle = theme.ink
    pen.lineWidth = 1.2
    pen.beginPath()
    if (mark === 'stop') pen.fillRect(x - 3, y - 3, 6, 6)
    else pen.arc(x, y, Math.min(3, lanes.gap / 4), 0, 2 * Math.PI)
    pen.fill()
    pen.stroke()
  } else {
    pen.fillStyle = mark === 'lead' ? theme.leader : mark === 'crash' ? theme.danger : theme.ink
    pen.font = `700 ${mark === 'lead' ? 17 : 13}px system-ui`
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.fillText(MARKS[mark]!, x, y)
  }
  if (number === chosen) {
    pen.strokeStyle = theme.accent
    pen.lineWidth = 2
    pen.beginPath()
    pen.arc(x, y, 8, 0, 2 * Math.PI)
    pen.stroke()
  }
  pen.globalAlpha = 1
}

function paintViolations(
  pen: Pen,
  log: RunLog,
  reached: number,
  lanes: Lanes,
  theme: PageTheme,
): void {
  pen.strokeStyle = theme.danger
  pen.lineWidth = 2
  for (const { step } of log.violations) {
    const x = lanes.x(log.timeOf(step - 1))
    if (step > reached || x < lanes.left || x > lanes.width) continue
    pen.beginPath()
    pen.moveTo(x, 0)
    pen.lineTo(x, lanes.height - lanes.axis)
    pen.stroke()
  }
}

function paintPlayhead(pen: Pen, lanes: Lanes, time: number, theme: PageTheme): void {
  const x = lanes.x(time)
  if (x < lanes.left - 1 || x > lanes.width) return
  pen.strokeStyle = theme.accent
  pen.lineWidth = 1.5
  pen.beginPath()
  pen.moveTo(x, 0)
  pen.lineTo(x, lanes.height - lanes.axis)
  pen.stroke()
}
