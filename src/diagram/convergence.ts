import { type DiagramColours, GREY, INK, ON_PAPER, strokesOf } from './palette.ts'
import {
  inGroup,
  type LineStyle,
  type Pen,
  paintLine,
  paintText,
  strokeWith,
  type TextStyle,
} from './pen.ts'
import { outline } from './shapes.ts'
import { textLines, textWidth } from './svg.ts'
import { SvgPen } from './svg-pen.ts'

/** What is drawn: the variance after each cycle, and the factor of theory, if there is one. */
interface Convergence {
  readonly title: string
  readonly subtitle: string
  /** By cycle; null where there is none. */
  readonly variances: readonly (number | null)[]
  readonly expected: number | null
}

type CurvePoint = readonly [cycle: number, log: number]

const [WIDTH, HEIGHT, MARGIN] = [760, 340, 24]
const [LEFT, BOTTOM, SMALL] = [96, 52, 12]
const MOST_TICKS = 9

/** The variance over the cycles on a logarithmic scale, as SVG; a constant factor is a line. */
export function convergencePicture(about: Convergence): string {
  const pen = new SvgPen()
  const top = paintHeading(pen, about) + 12
  const points = curvePoints(about.variances)
  const last = Math.max(1, about.variances.length - 1)
  const plot = new LogPlot(points, last, {
    left: LEFT,
    right: WIDTH - MARGIN,
    top,
    bottom: top + HEIGHT,
  })
  plot.paintAxes(pen, ON_PAPER, SMALL)
  paintFrame(pen, plot)
  const strokes = strokesOf(['measured', 'theory'])
  const curves = [
    { name: 'measured', text: 'variance of the estimates', points, width: 2.4 },
    ...theoryOf(points, last, about.expected, plot.low),
  ]
  for (const { name, points, width } of curves)
    inGroup(pen, name, () => plot.paintCurve(pen, points, { ...strokes.get(name)!, width }))
  let x = LEFT
  const y = plot.area.bottom + BOTTOM + MARGIN
  inGroup(pen, 'legend', () => {
    for (const { name, text } of curves) {
      paintLine(pen, [x, y - 4, x + 36, y - 4], { ...strokes.get(name)!, width: 2 })
      paintText(pen, text, x + 44, y, { size: 13, fill: INK })
      x += 44 + textWidth(text, 13) + MARGIN
    }
  })
  const height = Math.ceil(plot.area.bottom + BOTTOM + 2 * MARGIN)
  return pen.picture({ width: WIDTH, height, title: about.title, paper: ON_PAPER.paper, corner: 8 })
}

/** Returns the lower edge of the title and the subtitle. */
function paintHeading(pen: Pen, { title, subtitle }: Convergence): number {
  const width = WIDTH - 2 * MARGIN
  const lines: [text: string, style: TextStyle][] = [
    ...textLines(title, 18, width, true).map((text): [string, TextStyle] => [
      text,
      { size: 18, fill: INK, bold: true },
    ]),
    ...textLines(subtitle, 13, width).map((text): [string, TextStyle] => [
      text,
      { size: 13, fill: GREY },
    ]),
  ]
  let y = MARGIN
  for (const [text, style] of lines) {
    y += style.size * 1.5
    paintText(pen, text, MARGIN, y - style.size * 0.5, style)
  }
  return y
}

function paintFrame(pen: Pen, { area }: LogPlot): void {
  const { left, right, top, bottom } = area
  strokeWith(pen, { colour: ON_PAPER.pale, width: 1 })
  pen.beginPath()
  outline(pen, [
    [left, top],
    [left, bottom],
    [right, bottom],
  ])
  pen.stroke()
  const style = { size: SMALL, fill: GREY, align: 'center' } as const
  paintText(pen, 'cycle', (left + right) / 2, bottom + 40, style)
  pen.save()
  pen.translate(MARGIN + 8, (top + bottom) / 2)
  pen.rotate(-Math.PI / 2)
  paintText(pen, 'variance', 0, 0, style)
  pen.restore()
}

/** A line from the beginning of the measured curve, down to the edge of the picture. */
function theoryOf(
  [begin]: readonly CurvePoint[],
  last: number,
  expected: number | null,
  low: number,
) {
  if (expected === null || begin === undefined) return []
  const [from, log] = begin
  const slope = Math.log10(expected)
  const end = Math.min(last, from + (low - log) / slope)
  const points: CurvePoint[] = [begin, [end, log + slope * (end - from)]]
  return [
    { name: 'theory', text: `theory: factor ${expected.toFixed(4)} per cycle`, points, width: 1.6 },
  ]
}

/** The logarithms of those variances that have one. */
export function curvePoints(variances: readonly (number | null)[]): CurvePoint[] {
  return variances.flatMap((variance, cycle): CurvePoint[] =>
    variance ? [[cycle, Math.log10(variance)]] : [],
  )
}

interface PlotArea {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Powers of ten over cycles. */
export class LogPlot {
  readonly low: number
  private readonly high: number

  constructor(
    points: readonly CurvePoint[],
    private readonly last: number,
    readonly area: PlotArea,
  ) {
    const logs = points.map(([, log]) => log)
    this.low = Math.floor(logs.reduce((a, b) => Math.min(a, b), logs[0] ?? 0))
    this.high = Math.max(this.low + 1, Math.ceil(logs.reduce((a, b) => Math.max(a, b), this.low)))
  }

  x(cycle: number): number {
    const { left, right } = this.area
    return left + ((right - left) * cycle) / this.last
  }

  y(log: number): number {
    const { top, bottom } = this.area
    return top + ((bottom - top) * (this.high - log)) / (this.high - this.low)
  }

  /** Lines at whole powers of ten and at whole cycles, as many as can be read. */
  paintAxes(pen: Pen, { grid, grey }: DiagramColours, size: number): void {
    const { left, right, top, bottom } = this.area
    const line = { colour: grid, width: 1 }
    const style = { size, fill: grey }
    for (const log of wholeTicks(this.low, this.high)) {
      paintLine(pen, [left, this.y(log), right, this.y(log)], line)
      paintText(pen, `1e${log}`, left - 8, this.y(log) + 4, { ...style, align: 'right' })
    }
    for (const cycle of wholeTicks(0, this.last)) {
      paintLine(pen, [this.x(cycle), top, this.x(cycle), bottom], line)
      paintText(pen, String(cycle), this.x(cycle), bottom + 18, { ...style, align: 'center' })
    }
  }

  paintCurve(pen: Pen, points: readonly CurvePoint[], style: LineStyle): void {
    strokeWith(pen, style)
    pen.beginPath()
    outline(
      pen,
      points.map(([cycle, log]) => [this.x(cycle), this.y(log)]),
    )
    pen.stroke()
    pen.setLineDash([])
  }
}

function wholeTicks(from: number, to: number): number[] {
  const steps = [1, 2, 5].flatMap((digit) => [1, 10, 100, 1e3, 1e4, 1e5, 1e6].map((p) => digit * p))
  const step = steps.sort((a, b) => a - b).find((s) => (to - from) / s < MOST_TICKS)!
  const first = Math.ceil(from / step)
  const count = Math.floor(to / step) - first + 1
  return Array.from({ length: count }, (_, i) => (first + i) * step)
}
