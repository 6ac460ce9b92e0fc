import * as Plot from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { counted } from '../../core/text-format.ts'
import { element, px, textLines, words } from '../../diagram/svg.ts'
import type { DataPoint } from '../statistics/noise.ts'
import {
  drawLabels,
  heightOf,
  LABEL_ROOM,
  labelsOf,
  type PlacedLabel,
  placeLabels,
} from './figure-labels.ts'
import { marksOf } from './figure-marks.ts'
import { type FigureTheme, frameOf, type PlotFrame, THEMES } from './frame.ts'
import { isDrawable, type Scale } from './scales.ts'

/** A y of NaN: there is no value. */
export interface Mean extends DataPoint {
  /** The interval of the mean; null where there is none. */
  readonly low: number | null
  readonly high: number | null
  /** Whether some runs have no value: the mark is hollow. */
  readonly partial?: boolean
}

export interface Curve {
  readonly label: string
  readonly points: readonly DataPoint[]
}

export interface Series {
  readonly name: string
  readonly means: readonly Mean[]
  /** Single runs, drawn faintly behind. */
  readonly runs?: readonly DataPoint[]
  /** The fit; without one, lines join the means. */
  readonly curve?: Curve
}

export interface Axis {
  /** With its unit. */
  readonly label: string
  readonly log?: boolean
}

export interface FigureSpec {
  readonly title: string
  readonly subtitle?: string
  readonly x: Axis
  readonly y: Axis
  readonly series: readonly Series[]
  /** Proven bounds, drawn dashed. */
  readonly bounds?: readonly Curve[]
  /** The command, version and seed that made it. */
  readonly footer: string
  readonly theme?: 'light' | 'dark'
  /** Without title and footer, for a paper that has a caption. */
  readonly bare?: boolean | undefined
  /** In pixels; the size of a slide by default. */
  readonly size?: FigureSize | undefined
}

export interface FigureSize {
  readonly width: number
  readonly height: number
}

const FONTS = 'DejaVu Sans, Verdana, sans-serif'
const SLIDE: FigureSize = { width: 1280, height: 720 }
const MARGIN = 36
/** A smaller figure is laid out at this width and scaled down. */
const WIDTH_MIN = 800
const [TITLE, TEXT, SMALL] = [28, 18, 13]
const TICK = 17
/** Longer words, in characters, do not fit into a line. */
const LONGEST_WORD = 80
/** A figure as SVG, the same bytes for the same data. */
export function drawFigure(figure: FigureSpec): string {
  const theme = THEMES[figure.theme ?? 'light']
  const size = figure.size ?? SLIDE
  const width = Math.max(WIDTH_MIN, size.width)
  const room = width - 2 * MARGIN
  const { title = '', subtitle = '', footer: source = '' } = figure.bare ? {} : figure
  const header = [
    ...textLines(title, TITLE, room, true).map((text) => ({ text, size: TITLE })),
    ...textLines(subtitle, TEXT, room).map((text) => ({ text, size: TEXT })),
  ]
  const footer = [...notesOf(figure), brokenAtSigns(source)].flatMap((text) =>
    textLines(text, SMALL, room),
  )
  const labels = labelsOf(figure, theme)
  const top = MARGIN + header.reduce((sum, { size }) => sum + size * 1.4, 0) + TEXT * 2.3
  const below = TICK * 2.2 + TEXT * 1.6 + 12 + footer.length * SMALL * 1.4 + MARGIN / 2
  const needed = labels.reduce((sum, label) => sum + heightOf(label), 0)
  const height = Math.ceil(Math.max((size.height / size.width) * width, top + needed + below))
  const right = width - MARGIN / 2 - Math.max(...labels.map(({ width }) => width), 0) - LABEL_ROOM
  const frame = frameOf(figure, { left: MARGIN / 2, right, top, bottom: height - below }, TICK)
  const placed = placeLabels(labels, frame)
  let y = MARGIN / 2
  const titles = header.map(({ text, size }) => {
    y += size * 1.4
    const style = { size, fill: size === TITLE ? theme.ink : theme.grey, bold: size === TITLE }
    return words(text, { x: MARGIN, y }, style)
  })
  const middle = (frame.left + frame.right) / 2
  const grey = { size: TEXT, fill: theme.ink }
  const names = [
    words(figure.y.label, { x: MARGIN, y: top - TEXT * 1.1 }, grey),
    words(
      figure.x.label,
      { x: middle, y: frame.bottom + TICK * 2.2 + TEXT },
      { ...grey, anchor: 'middle' },
    ),
  ]
  const origin = footer.map((text, i) => {
    const line = height - MARGIN / 2 - (footer.length - 1 - i) * SMALL * 1.4
    return words(text, { x: MARGIN, y: line }, { size: SMALL, fill: theme.grey })
  })
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width: size.width,
      height: figure.size === undefined ? height : size.height,
      role: 'img',
      'aria-label': figure.title,
      'font-family': FONTS,
    },
    `\n${element('rect', { width, height, fill: theme.paper })}`,
    `\n${titles.join('')}\n${names.join('')}`,
    `\n${plot(figure, placed, frame, theme, { width, height })}`,
    `\n${drawLabels(placed, frame, theme)}`,
    `\n${element('g', { class: 'footer' }, ...origin)}\n`,
  )}\n`
}

/** What a reader does not see in the plot; it stands below a bare figure, too. */
function notesOf({ x, y, series }: FigureSpec): string[] {
  const points = series.flatMap(({ means }) => means)
  const known = points.filter((point) => !Number.isNaN(point.y))
  const shown = known.filter(
    (point) => isDrawable(point.x, x.log ?? false) && isDrawable(point.y, y.log ?? false),
  )
  const [without, left] = [points.length - known.length, known.length - shown.length]
  return [
    ...(shown.some(({ partial }) => partial)
      ? ['Hollow marks are means over the runs that have a value, which not all runs have.']
      : []),
    ...(without > 0 ? [`${counted(without, 'point')} without any value: gaps in the lines.`] : []),
    ...(left > 0
      ? [`${counted(left, 'point')} left out: a logarithmic axis shows positive values only.`]
      : []),
  ]
}

/** Breaks words that are too long for a line, such as paths and lists, after a sign if possible. */
function brokenAtSigns(text: string): string {
  const parts = (word: string): string[] => {
    if (word.length <= LONGEST_WORD) return [word]
    const sign = word.slice(0, LONGEST_WORD).search(/[,/;:=&][^,/;:=&]*$/) + 1
    const at = sign > 0 ? sign : LONGEST_WORD
    return [word.slice(0, at), ...parts(word.slice(at))]
  }
  return text.split(/\s+/).flatMap(parts).join(' ')
}

function plot(
  figure: FigureSpec,
  labels: readonly PlacedLabel[],
  frame: PlotFrame,
  theme: FigureTheme,
  { width, height }: FigureSize,
): string {
  const { document } = parseHTML('<!doctype html><html></html>')
  const axis = ({ log, domain }: Scale) => ({
    type: log ? ('log' as const) : ('linear' as const),
    domain: [...domain],
    label: null,
    axis: null,
  })
  const drawn = Plot.plot({
    document,
    width,
    height,
    marginLeft: frame.left,
    marginRight: width - frame.right,
    marginTop: frame.top,
    marginBottom: height - frame.bottom,
    x: axis(frame.x),
    y: axis(frame.y),
    marks: marksOf(figure, labels, frame, theme, TICK),
  })
  drawn.querySelector('style')?.remove()
  const rounded = (_: string, name: string, value: string) =>
    ` ${name}="${value.replace(/-?\d+\.\d+/g, (number) => px(Number(number)))}"`
  const inner = String(drawn.innerHTML).replace(/ (\w[\w-]*)="([^"]*)"/g, rounded)
  return element('g', { class: 'plot', 'text-anchor': 'middle', fill: theme.ink }, inner)
}
