import * as Plot from '@observablehq/plot'
import type { DataPoint } from '../statistics/noise.ts'
import type { FigureSpec, Series } from './figure.ts'
import { DASHES, type PlacedLabel, SIGN } from './figure-labels.ts'
import { type FigureLook, type FigureTheme, isInside, lookOf, type PlotFrame } from './frame.ts'

/** All marks of the plot, from back to front. */
export function marksOf(
  figure: FigureSpec,
  labels: readonly PlacedLabel[],
  frame: PlotFrame,
  theme: FigureTheme,
  size: number,
): Plot.Markish[] {
  const { series, bounds = [] } = figure
  const looks = series.map((_, i) => lookOf(i, theme))
  const proven = bounds.map(({ points }, i) =>
    Plot.line(broken(points, frame), {
      ...PLACE,
      stroke: theme.ink,
      strokeOpacity: 0.75,
      strokeWidth: 2,
      strokeDasharray: DASHES[i % DASHES.length],
    }),
  )
  return [
    ...axes(frame, theme, size),
    ...series.flatMap((one, i) => runs(one, looks[i], frame)),
    ...series.flatMap((one, i) => lines(one, looks[i], frame)),
    ...proven,
    ...series.flatMap((one, i) => means(one, looks[i], frame, theme)),
    ...labels.flatMap(({ look, y }) => {
      if (look === undefined) return []
      const offset = { frameAnchor: 'top-right' as const, dx: SIGN, dy: y - frame.top }
      return [Plot.dot([0], { ...offset, r: 6, ...symbolOf(look, theme) })]
    }),
  ]
}

const PLACE = { x: 'x', y: 'y' }

/** Ticks are drawn one by one, because Plot omits some on logarithmic axes. */
function axes({ x, y }: PlotFrame, theme: FigureTheme, fontSize: number): Plot.Markish[] {
  const text = { fontSize, fill: theme.ink }
  return [
    Plot.gridX([...x.ticks], { stroke: theme.grid, strokeOpacity: 1 }),
    Plot.gridY([...y.ticks], { stroke: theme.grid, strokeOpacity: 1 }),
    Plot.frame({ anchor: 'bottom', stroke: theme.pale, strokeWidth: 1.5 }),
    Plot.text([...x.ticks], {
      ...text,
      x: (tick: number) => tick,
      text: x.write,
      frameAnchor: 'bottom',
      lineAnchor: 'top',
      dy: 12,
    }),
    Plot.text([...y.ticks], {
      ...text,
      y: (tick: number) => tick,
      text: y.write,
      frameAnchor: 'left',
      textAnchor: 'end',
      dx: -10,
    }),
  ]
}

function runs({ runs = [] }: Series, { colour }: FigureLook, frame: PlotFrame): Plot.Markish[] {
  const shown = runs.filter((point) => isInside(frame, point))
  return [Plot.dot(shown, { ...PLACE, r: 2.2, fill: colour, fillOpacity: 0.28 })]
}

/** A line has a gap where a point has no value or cannot be shown. */
function broken(points: readonly DataPoint[], frame: PlotFrame): DataPoint[] {
  return points.map((point) => (isInside(frame, point) ? point : { x: point.x, y: Number.NaN }))
}

/** The fitted curve, or a line through the means. */
function lines({ curve, means }: Series, { colour }: FigureLook, frame: PlotFrame): Plot.Markish[] {
  const strokeWidth = curve === undefined ? 2 : 2.8
  return [
    Plot.line(broken(curve?.points ?? means, frame), { ...PLACE, stroke: colour, strokeWidth }),
  ]
}

/** Marks are smaller where there are many means, so that they do not overlap. */
function means(
  { means }: Series,
  look: FigureLook,
  frame: PlotFrame,
  theme: FigureTheme,
): Plot.Markish[] {
  const shown = means.filter((point) => isInside(frame, point))
  const [bottom, top] = frame.y.domain
  const within = (value: number) => Math.min(top, Math.max(bottom, value))
  const bars = shown.flatMap(({ x, low, high }) =>
    low === null || high === null || low === high
      ? []
      : [{ x, low: within(low), high: within(high) }],
  )
  const r = shown.length > 40 ? 3.6 : 6
  return [
    Plot.ruleX(bars, { x: 'x', y1: 'low', y2: 'high', stroke: look.colour, strokeWidth: 1.8 }),
    ...[false, true].map((partial) =>
      Plot.dot(
        shown.filter((mean) => (mean.partial ?? false) === partial),
        { ...PLACE, r, ...symbolOf(partial ? { ...look, hollow: true } : look, theme) },
      ),
    ),
  ]
}

/** Marks have an outline in the background colour, so that overlapping marks stay visible. */
function symbolOf({ colour, symbol, hollow }: FigureLook, { paper }: FigureTheme) {
  return hollow
    ? { symbol, fill: paper, stroke: colour, strokeWidth: 2 }
    : { symbol, fill: colour, stroke: paper, strokeWidth: 0.8 }
}
