import { COLOURS, GREY, GRID, INK, PALE, PAPER } from '../../diagram/palette.ts'
import { textWidth } from '../../diagram/svg.ts'
import type { DataPoint } from '../statistics/noise.ts'
import type { FigureSpec } from './figure.ts'
import { isDrawable, type Scale, scaleFor } from './scales.ts'

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The area of the plot, and the mapping of points to pixels. */
export interface PlotFrame extends Box {
  readonly x: Scale
  readonly y: Scale
  /** Pixels. */
  at(point: DataPoint): { readonly x: number; readonly y: number }
}

/** A bound this many times above all measurements is outside the plot. */
const FAR = { linear: 2, log: 100 }

/** The plot area inside a box, with ticks of this font size. */
export function frameOf(figure: FigureSpec, box: Box, size: number): PlotFrame {
  const { series, bounds = [] } = figure
  const found = series
    .flatMap(({ means, runs = [] }) => [...means, ...runs].map(({ y }) => y))
    .filter((y) => !Number.isNaN(y))
  // Where nothing that was measured is below 0, neither is the axis: a fit or an interval is cut.
  const floor = found.every((y) => y >= 0) ? 0 : Number.NEGATIVE_INFINITY
  const drawn = series.flatMap(({ means, curve }) => [
    ...means.flatMap(({ y, low, high }) => [low ?? y, high ?? y]),
    ...(curve?.points ?? []).map(({ y }) => y),
  ])
  const known = drawn.filter((y) => !Number.isNaN(y))
  const measured = [...found, ...known.map((y) => Math.max(floor, y))]
  const most = measured.reduce((a, b) => Math.max(a, b), 0)
  const reach = most > 0 ? most * (figure.y.log ? FAR.log : FAR.linear) : Number.POSITIVE_INFINITY
  const proven = bounds.flatMap(({ points }) => points.map(({ y }) => y)).filter((y) => y <= reach)
  const y = scaleFor([...measured, ...proven], figure.y.log ?? false, {
    length: box.bottom - box.top,
    extent: () => 2 * size,
  })
  const xs = series.flatMap(({ means, runs = [] }) => [...means, ...runs].map((point) => point.x))
  const widest = Math.max(...y.ticks.map((tick) => textWidth(y.write(tick), size)))
  const left = Math.ceil(box.left + Math.max(widest + 12, 3 * size))
  const x = scaleFor(xs, figure.x.log ?? false, {
    length: box.right - left,
    extent: (text) => textWidth(text, size) + size,
  })
  const across = placing(x, left, box.right)
  const up = placing(y, box.bottom, box.top)
  return { ...box, left, x, y, at: (point) => ({ x: across(point.x), y: up(point.y) }) }
}

/** The scale of Plot, computed before it draws. */
function placing({ log, domain }: Scale, from: number, to: number): (value: number) => number {
  const [low, high] = log ? domain.map(Math.log) : domain
  return (value) => from + ((to - from) * ((log ? Math.log(value) : value) - low)) / (high - low)
}

/** Whether a point is inside the plot, up to rounding at its edge. */
export function isInside(
  { left, right, top, bottom, x, y, at }: PlotFrame,
  point: DataPoint,
): boolean {
  if (!isDrawable(point.x, x.log) || !isDrawable(point.y, y.log)) return false
  const place = at(point)
  const within = (value: number, low: number, high: number) =>
    value >= low - ROUNDING && value <= high + ROUNDING
  return within(place.x, left, right) && within(place.y, top, bottom)
}

const ROUNDING = 0.01

/** The colours of the light and the dark theme. */
export interface FigureTheme {
  readonly paper: string
  readonly ink: string
  readonly grey: string
  readonly pale: string
  readonly grid: string
  /** Distinguishable with every common colour blindness, and readable as text. */
  readonly colours: readonly string[]
}

export const THEMES: Readonly<Record<'light' | 'dark', FigureTheme>> = {
  light: { paper: PAPER, ink: INK, grey: GREY, pale: PALE, grid: GRID, colours: COLOURS },
  dark: {
    paper: '#14191f',
    ink: '#f2f5f8',
    grey: '#b3bdc8',
    pale: '#5f6b78',
    grid: '#29313a',
    colours: [
      '#6cbcf0',
      '#ff9d5c',
      '#3fd0a4',
      '#e699c4',
      '#e8c34a',
      '#a9b8ff',
      '#c3ccd6',
      '#ff7f7f',
    ],
  },
}

/** The marks of a series. Shapes and colours repeat with different periods. */
export interface FigureLook {
  readonly colour: string
  readonly symbol: (typeof SYMBOLS)[number]
  /** Hollow: an outline in its colour. */
  readonly hollow: boolean
}

const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'cross', 'star', 'wye'] as const

export function lookOf(series: number, { colours }: FigureTheme): FigureLook {
  return {
    colour: colours[series % colours.length],
    symbol: SYMBOLS[series % SYMBOLS.length],
    hollow: Math.floor(series / SYMBOLS.length) % 2 === 1,
  }
}
