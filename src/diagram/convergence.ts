import { GREY, GRID, INK, PALE, PAPER, strokesOf } from './palette.ts'
import { element, px, widthOf, words, wrapped } from './svg.ts'

/** What is drawn: the variance after each cycle, and the factor of theory, if there is one. */
interface Convergence {
  readonly title: string
  readonly subtitle: string
  /** By cycle; null where there is none. */
  readonly variances: readonly (number | null)[]
  readonly expected: number | null
}

const FONTS = 'Verdana, DejaVu Sans, sans-serif'
const [WIDTH, HEIGHT, MARGIN] = [760, 340, 24]
const [LEFT, BOTTOM, SMALL] = [96, 52, 12]
const MOST_TICKS = 9

/** The variance over the cycles on a logarithmic scale, as SVG; a constant factor is a line. */
export function convergencePicture(about: Convergence): string {
  const { variances, expected } = about
  const logs = variances.map((variance) => (variance ? Math.log10(variance) : null))
  const known = logs.filter((log) => log !== null)
  const low = Math.floor(known.reduce((a, b) => Math.min(a, b), known[0] ?? 0))
  const high = Math.max(low + 1, Math.ceil(known.reduce((a, b) => Math.max(a, b), low)))
  const lines = [
    ...wrapped(about.title, 18, WIDTH - 2 * MARGIN, true).map((text) => heading(text, 18, INK)),
    ...wrapped(about.subtitle, 13, WIDTH - 2 * MARGIN).map((text) => heading(text, 13, GREY)),
  ]
  const top = MARGIN + lines.reduce((sum, { size }) => sum + size * 1.5, 0) + 12
  const last = Math.max(1, logs.length - 1)
  const plot: Plot = {
    top,
    bottom: top + HEIGHT,
    x: (cycle) => LEFT + ((WIDTH - MARGIN - LEFT) * cycle) / last,
    y: (log) => top + (HEIGHT * (high - log)) / (high - low),
  }
  const height = Math.ceil(plot.bottom + BOTTOM + 2 * MARGIN)
  let y = MARGIN
  const titles = lines.map(({ text, size, fill }) => {
    y += size * 1.5
    return words(text, { x: MARGIN, y: y - size * 0.5 }, { size, fill, bold: size > 13 })
  })
  const strokes = strokesOf(['measured', 'theory'])
  const curves = [
    { name: 'measured', text: 'variance of the estimates', points: pointsOf(logs) },
    ...theoryOf(logs, expected, low),
  ]
  const drawn = curves.map(({ name, points }) => {
    const { colour, dash } = strokes.get(name)!
    const d = points.map(([cycle, log], i) => {
      return `${i === 0 ? 'M' : 'L'}${px(plot.x(cycle))} ${px(plot.y(log))}`
    })
    return element('path', {
      class: name,
      d: d.join(''),
      fill: 'none',
      stroke: colour,
      'stroke-width': name === 'measured' ? 2.4 : 1.6,
      'stroke-dasharray': dash.join(' ') || undefined,
    })
  })
  let x = LEFT
  const legend = curves.map(({ name, text }) => {
    const { colour, dash } = strokes.get(name)!
    const at = plot.bottom + BOTTOM + MARGIN
    const d = `M${px(x)} ${px(at - 4)}h36`
    const sign = element('path', {
      d,
      stroke: colour,
      'stroke-width': 2,
      'stroke-dasharray': dash.join(' ') || undefined,
    })
    const entry = sign + words(text, { x: x + 44, y: at }, { size: 13, fill: INK })
    x += 44 + widthOf(text, 13) + MARGIN
    return entry
  })
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      role: 'img',
      'aria-label': about.title,
      'font-family': FONTS,
    },
    `\n${element('rect', { width: WIDTH, height, rx: 8, fill: PAPER })}`,
    `\n${titles.join('')}\n${axes(plot, last, low, high)}`,
    `\n${drawn.join('\n')}`,
    `\n${element('g', { class: 'legend' }, ...legend)}\n`,
  )}\n`
}

interface Plot {
  readonly top: number
  readonly bottom: number
  x(cycle: number): number
  y(log: number): number
}

type Points = [cycle: number, log: number][]

const heading = (text: string, size: number, fill: string) => ({ text, size, fill })

function pointsOf(logs: readonly (number | null)[]): Points {
  return logs.flatMap((log, cycle): Points => (log === null ? [] : [[cycle, log]]))
}

/** A line from where the measured curve begins, down to the edge of the picture. */
function theoryOf(logs: readonly (number | null)[], expected: number | null, low: number) {
  const [begin] = pointsOf(logs)
  if (expected === null || begin === undefined) return []
  const [from, log] = begin
  const slope = Math.log10(expected)
  const end = Math.min(logs.length - 1, from + (low - log) / slope)
  const points: Points = [begin, [end, log + slope * (end - from)]]
  return [{ name: 'theory', text: `theory: times ${expected.toFixed(4)} a cycle`, points }]
}

/** Lines at whole powers of ten and at whole cycles, as many as can be read. */
function axes({ top, bottom, x, y }: Plot, last: number, low: number, high: number): string {
  const grey = { size: SMALL, fill: GREY }
  const right = x(last)
  const powers = ticks(low, high).map((log) => {
    const line = element('path', { d: `M${LEFT} ${px(y(log))}H${px(right)}`, stroke: GRID })
    const place = { x: LEFT - 8, y: y(log) + 4 }
    return line + words(`1e${log}`, place, { ...grey, anchor: 'end' })
  })
  const cycles = ticks(0, last).map((cycle) => {
    const line = element('path', { d: `M${px(x(cycle))} ${px(top)}V${px(bottom)}`, stroke: GRID })
    const place = { x: x(cycle), y: bottom + 18 }
    return line + words(String(cycle), place, { ...grey, anchor: 'middle' })
  })
  const frame = element('path', {
    d: `M${LEFT} ${px(top)}V${px(bottom)}H${px(right)}`,
    fill: 'none',
    stroke: PALE,
  })
  const middle = (top + bottom) / 2
  const turned = { transform: `rotate(-90 ${px(MARGIN + 8)} ${px(middle)})` }
  return [
    ...powers,
    ...cycles,
    frame,
    words('cycle', { x: (LEFT + right) / 2, y: bottom + 40 }, { ...grey, anchor: 'middle' }),
    words('variance', { x: MARGIN + 8, y: middle }, { ...grey, anchor: 'middle' }, turned),
  ].join('')
}

function ticks(from: number, to: number): number[] {
  const steps = [1, 2, 5].flatMap((digit) => [1, 10, 100, 1e3, 1e4, 1e5, 1e6].map((p) => digit * p))
  const step = steps.sort((a, b) => a - b).find((s) => (to - from) / s < MOST_TICKS)!
  const first = Math.ceil(from / step)
  const count = Math.floor(to / step) - first + 1
  return Array.from({ length: count }, (_, i) => (first + i) * step)
}
