import type { Fit } from '../statistics/fit.ts'
import { intervalsText } from '../statistics/form-text.ts'
import {
  type ExperimentFindings,
  groupedBy,
  type PointSummary,
  seriesPlaces,
} from '../statistics/summary.ts'
import { type Experiment, seriesOf } from '../study/document.ts'
import { boundsOn, isBound, measureLabel } from '../study/measures.ts'
import type { ResultRow } from '../study/table.ts'
import {
  type Curve,
  drawFigure,
  type FigureSize,
  type FigureSpec,
  type Mean,
  type Series,
} from './figure.ts'

/** The origin of a result, as figures and reports state it. */
export interface Provenance {
  readonly command: string
  readonly version: string
}

/** How figures are drawn. */
export interface FigureStyle {
  /** Without title and footer. */
  readonly bare?: boolean | undefined
  readonly size?: FigureSize | undefined
}

export interface DrawnFigure {
  /** Its file name, without folder and extension. */
  readonly name: string
  readonly says: string
  draw(theme: 'light' | 'dark'): string
}

/** With more lines there is no room for the intervals of their coefficients. */
const MOST_DETAILED = 4
/** More points would hide each other. */
const MOST_RUNS = 1000

/** One figure per measure, if a number was swept. */
export function figuresOf(
  experiment: Experiment,
  rows: readonly ResultRow[],
  findings: ExperimentFindings,
  { command, version }: Provenance,
  style: FigureStyle = {},
): DrawnFigure[] {
  const { x, measures, title, log, seed } = experiment
  if (x === null) return []
  return measures
    .filter((measure) => !isBound(measure) && hasLine(experiment, findings, measure))
    .map((measure) => {
      const series = seriesIn(experiment, rows, findings, measure)
      const partial = series.some(({ means }) => means.some((mean) => mean.partial))
      const figure: FigureSpec = {
        title,
        subtitle: subtitleOf(experiment, partial),
        x: { label: x === 'n' ? 'n (nodes)' : x, log: log.includes('x') },
        y: { label: measureLabel(measure), log: log.includes('y') },
        series,
        bounds: boundsIn(experiment, findings, measure),
        footer: `${command} · conclave ${version}, seed ${seed}`,
        ...style,
      }
      return {
        name: measure.replaceAll('/', '-per-'),
        says: `${title}: ${measureLabel(measure)} by ${x}`,
        draw: (theme) => drawFigure({ ...figure, theme }),
      }
    })
}

function subtitleOf({ repeat }: Experiment, partial: boolean): string {
  if (repeat === 'all') return 'means over all permutations of the ids'
  const most = partial ? 'up to ' : ''
  return repeat === 1
    ? 'one run at each point'
    : `means of ${most}${repeat} runs with 95 % intervals`
}

function hasLine(experiment: Experiment, { points }: ExperimentFindings, measure: string): boolean {
  return [...seriesPlaces(experiment, points, measure).values()].some((its) => its.length > 1)
}

function seriesIn(
  experiment: Experiment,
  rows: readonly ResultRow[],
  { points, fits }: ExperimentFindings,
  measure: string,
): Series[] {
  const index = experiment.measures.indexOf(measure)
  const places = seriesPlaces(experiment, points, measure)
  const single = groupedBy(
    rows.length > MOST_RUNS ? [] : rows.filter(({ values }) => values[index] !== null),
    ({ point }) => seriesOf(experiment, point),
  )
  return [...places].map(([series, its]) => {
    const fit = fits.find((one) => one.measure === measure && one.series === series)?.fit
    const runs = (single.get(series) ?? []).map(({ point, values }) => ({
      x: Number(point[experiment.x!]),
      y: values[index]!,
    }))
    return {
      name: series || measureLabel(measure),
      means: meansIn(experiment, points, series, measure),
      ...(runs.length > its.length && { runs }),
      ...(fit && {
        curve: curveOf(
          fit,
          its.map(({ x }) => x),
          places.size <= MOST_DETAILED,
        ),
      }),
    }
  })
}

/** The means of all points of a series along x, also those where no run has a value. */
function meansIn(
  { x }: Experiment,
  points: readonly PointSummary[],
  series: string,
  measure: string,
): Mean[] {
  return points
    .filter((one) => one.series === series)
    .map(({ point, runs, measures }) => {
      const { mean = Number.NaN, low = null, high = null, count = 0 } = measures[measure] ?? {}
      return { x: Number(point[x!]), y: mean, low, high, partial: count < runs }
    })
    .toSorted((a, b) => a.x - b.x)
}

/** The bounds that are proven for all runs; equal bounds of several series are drawn once. */
function boundsIn(
  experiment: Experiment,
  { points }: ExperimentFindings,
  measure: string,
): Curve[] {
  return Object.entries(boundsOn[measure] ?? {}).flatMap(([bound, label]) => {
    const proven = points.every(({ measures, runs }) => (measures[bound]?.count ?? runs) === runs)
    if (!proven || !experiment.measures.includes(bound)) return []
    const lines = [...seriesPlaces(experiment, points, bound)].map(([series, its]) => ({
      series,
      points: its.map(({ x, y }) => ({ x, y })).toSorted((a, b) => a.x - b.x),
    }))
    const different = [...groupedBy(lines, (line) => JSON.stringify(line.points)).values()]
    return different.map(([first]) => ({
      label: different.length === 1 ? label : `${label}, ${first.series}`,
      points: first.points,
    }))
  })
}

/** Segments of a curve: enough that it looks smooth. */
const STEPS = 120

/** A fit over the range of these values, as a curve with its formula, and intervals below it. */
export function curveOf(fit: Fit, xs: readonly number[], detailed = true): Curve {
  const { formula, at } = fit
  const from = xs.reduce((a, b) => Math.min(a, b))
  const to = xs.reduce((a, b) => Math.max(a, b))
  const points = Array.from({ length: STEPS + 1 }, (_, i) => {
    const share = i / STEPS
    const between = from > 0 ? from * (to / from) ** share : from + (to - from) * share
    const x = i === STEPS ? to : between
    return { x, y: at(x) }
  })
  const intervals = detailed ? intervalsText(fit) : ''
  const range = intervals === '' ? '' : `\n95%: ${intervals}`
  return { label: `fit: ${formula}${range}`, points }
}
