import { UsageError } from '../../core/index.ts'
import { asOftenAsStated, type Claim, type ClaimVerdict } from '../study/claims.ts'
import { type Experiment, seriesOf } from '../study/document.ts'
import { ELECTED, isBound, isOfEveryRun } from '../study/measures.ts'
import type { SweepPoint } from '../study/sweep.ts'
import type { ResultRow } from '../study/table.ts'
import { type Fit, fitForm } from './fit.ts'
import { readFit } from './form-text.ts'
import { type Growth, growthOf } from './growth.ts'
import type { DataPoint } from './noise.ts'
import { type SampleSummary, summarize } from './statistics.ts'

/** All runs at one point. */
export interface PointSummary {
  readonly point: SweepPoint
  readonly n: number
  /** The line of a figure that it belongs to; empty if there is only one. */
  readonly series: string
  readonly runs: number
  /** The number of runs in which a property did not hold. */
  readonly violated: number
  /** Over the runs that have the measure, as `count` says; null if none has. */
  readonly measures: Readonly<Record<string, SampleSummary | null>>
}

/** The growth of a measure along x in one series. */
export interface SeriesFit {
  readonly question: string
  readonly measure: string
  readonly series: string
  /** Null if the points do not determine it. */
  readonly fit: Fit | null
  /** The growth law, if the fit is `auto`. */
  readonly growth: Growth | null
  /** How many of the points of the series have a value, if not all: `fitted over 4 of 7 points`. */
  readonly fittedOver?: string
  /** Why there is no fit. */
  readonly problem?: string
}

/** The results of an experiment. */
export interface ExperimentFindings {
  readonly runs: number
  readonly points: readonly PointSummary[]
  readonly fits: readonly SeriesFit[]
  readonly claims: readonly (Pick<Claim, 'says' | 'source'> & ClaimVerdict)[]
  /** The runs in which a property did not hold, with the command that reproduces each. */
  readonly failures: readonly { readonly run: number; readonly replay: string }[]
}

/** Summarises the runs, which may be in any order. */
export function findingsOf(experiment: Experiment, rows: readonly ResultRow[]): ExperimentFindings {
  const sorted = rows.toSorted((a, b) => a.run - b.run)
  const rates = ratesIn(experiment, sorted)
  const points = [...groupedBy(sorted, ({ point }) => JSON.stringify(point)).values()].map((its) =>
    summaryOf(experiment, its, rates),
  )
  const found = {
    runs: rows.length,
    points,
    fits: fitsOf(experiment, points),
    failures: sorted.filter(({ ok }) => !ok).map(({ run, replay }) => ({ run, replay })),
  }
  const stated = points.some(({ measures }) => measures.elected && measures.chance)
  const asked = stated ? [...experiment.claims, asOftenAsStated] : experiment.claims
  const claims = asked.map(({ says, source, judge }) => {
    return { says, ...(source !== undefined && { source }), ...judge(found) }
  })
  return { ...found, claims }
}

function summaryOf(
  experiment: Experiment,
  rows: readonly ResultRow[],
  rates: readonly string[],
): PointSummary {
  const [{ point, n }] = rows
  const electing = rows.filter((row) => row.elected !== 0)
  const samples = experiment.measures.map((name, i): [string, number[]] => [
    name,
    (isOfEveryRun(name) ? rows : electing).flatMap(({ values }) => values[i] ?? []),
  ])
  const elected = rows.flatMap((row) => row.elected ?? [])
  if (elected.length > 0) samples.push([ELECTED, elected])
  const measures = samples.map(([name, sample]): [string, SampleSummary | null] => {
    if (sample.length === 0) return [name, null]
    // Over all permutations the mean is exact, not an estimate.
    const exact = experiment.repeat === 'all' && { low: null, high: null }
    return [name, { ...summarize(sample, rates.includes(name)), ...exact }]
  })
  return {
    point,
    n,
    series: seriesOf(experiment, point),
    runs: rows.length,
    violated: rows.filter(({ ok }) => !ok).length,
    measures: Object.fromEntries(measures),
  }
}

/** The measures that are 0 or 1 in every run, and may be by their nature. */
function ratesIn({ measures, ownMeasures = {} }: Experiment, rows: readonly ResultRow[]): string[] {
  const rates = measures.filter(
    (name, i) =>
      (name === 'failed' || Object.hasOwn(ownMeasures, name)) &&
      rows.every(({ values }) => [0, 1, null].includes(values[i])),
  )
  return [ELECTED, ...rates]
}

/** The measures of tables: how many runs elected is shown unless all did. */
export function shownMeasures(
  { measures }: Pick<Experiment, 'measures'>,
  points: readonly PointSummary[],
): string[] {
  const all = points.every((one) => (one.measures[ELECTED]?.mean ?? 1) === 1)
  const shown = measures.filter((name) => !isBound(name))
  return [...new Set([...shown, ...(all ? [] : [ELECTED])])]
}

/** The points of each series at which a measure has a mean, with their x coordinates. */
export function seriesPlaces(
  { x }: Pick<Experiment, 'x'>,
  points: readonly PointSummary[],
  measure: string,
): Map<string, (DataPoint & { readonly summary: SampleSummary })[]> {
  const places = points.flatMap(({ point, series, measures }) => {
    const summary = measures[measure]
    if (x === null || !summary) return []
    return [{ series, x: Number(point[x]), y: summary.mean, summary }]
  })
  return groupedBy(places, ({ series }) => series)
}

function fitsOf(experiment: Experiment, points: readonly PointSummary[]): SeriesFit[] {
  return experiment.fits.flatMap((question) => {
    const measure = readFit(question, 'fit').measure!
    const places = seriesPlaces(experiment, points, measure)
    return [...groupedBy(points, ({ series }) => series)].map(([series, all]) => {
      const some = places.get(series) ?? []
      const over = `over ${some.length} of ${all.length} points`
      try {
        const found = fitOf(question, some, experiment.x ?? 'n')
        const part = some.length < all.length && { fittedOver: `fitted ${over}` }
        return { question, measure, series, ...found, ...part }
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        const part = some.length < all.length ? `${over}: ` : ''
        const problem = `not fitted: ${part}${error.problem}`
        return { question, measure, series, fit: null, growth: null, problem }
      }
    })
  })
}

function fitOf(question: string, points: readonly DataPoint[], variable: string) {
  const { form } = readFit(question)
  if (form !== null) return { fit: fitForm(form, points), growth: null }
  const growth = growthOf(points, variable)
  return { fit: growth.fit, growth }
}

/** Groups by key, in the order of first occurrence. */
export function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups
}
