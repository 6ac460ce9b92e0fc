import { asOftenAsStated, type Claim, type ClaimVerdict } from '../study/claims.ts'
import { type Experiment, seriesOf } from '../study/document.ts'
import type { SweepPoint } from '../study/sweep.ts'
import type { ResultRow } from '../study/table.ts'
import { type Fit, fitForm, type DataPoint as Place } from './fit.ts'
import { readFit } from './form-text.ts'
import { type Growth, growthOf } from './growth.ts'
import { type SampleSummary, summarize } from './statistics.ts'

/** All runs at one point. */
export interface PointSummary {
  readonly point: SweepPoint
  readonly n: number
  /** The line of a figure that it belongs to; empty if there is only one. */
  readonly series: string
  readonly runs: number
  readonly failed: number
  /** Null if no run has the measure. */
  readonly measures: Readonly<Record<string, SampleSummary | null>>
}

/** The growth of a measure along x in one series. */
export interface SeriesFit {
  readonly question: string
  readonly measure: string
  readonly series: string
  readonly fit: Fit
  /** The growth class, if the fit is `auto`. */
  readonly growth: Growth | null
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
  const points = [...groupedBy(sorted, ({ point }) => JSON.stringify(point)).values()].map((its) =>
    summaryOf(experiment, its),
  )
  const found = {
    runs: rows.length,
    points,
    fits: fitsOf(experiment, points),
    failures: sorted.filter(({ ok }) => !ok).map(({ run, replay }) => ({ run, replay })),
  }
  const stated = points.some(({ measures }) => measures.failed && measures.chance)
  const asked = stated ? [...experiment.claims, asOftenAsStated] : experiment.claims
  const claims = asked.map(({ says, source, judge }) => {
    return { says, ...(source !== undefined && { source }), ...judge(found) }
  })
  return { ...found, claims }
}

function summaryOf(experiment: Experiment, rows: readonly ResultRow[]): PointSummary {
  const [{ point, n }] = rows
  const measures = experiment.measures.map((name, i): [string, SampleSummary | null] => {
    const sample = rows.map(({ values }) => values[i]).filter((value) => value !== null)
    if (sample.length === 0) return [name, null]
    // Over all permutations the mean is exact, not an estimate.
    const exact = experiment.repeat === 'all' && { low: null, high: null }
    return [name, { ...summarize(sample), ...exact }]
  })
  return {
    point,
    n,
    series: seriesOf(experiment, point),
    runs: rows.length,
    failed: rows.filter(({ ok }) => !ok).length,
    measures: Object.fromEntries(measures),
  }
}

/** The points of each series at which a measure has a mean, with their x coordinates. */
export function seriesPlaces(
  { x }: Pick<Experiment, 'x'>,
  points: readonly PointSummary[],
  measure: string,
): Map<string, (Place & { readonly summary: SampleSummary })[]> {
  const places = points.flatMap(({ point, series, measures }) => {
    const summary = measures[measure]
    if (x === null || !summary) return []
    return [{ series, x: Number(point[x]), y: summary.mean, summary }]
  })
  return groupedBy(places, ({ series }) => series)
}

function fitsOf(experiment: Experiment, points: readonly PointSummary[]): SeriesFit[] {
  return experiment.fits.flatMap((question) => {
    const { measure, form } = readFit(question, 'fit')
    const variable = experiment.x ?? 'n'
    return [...seriesPlaces(experiment, points, measure!)].map(([series, places]) => {
      const growth = form === null ? growthOf(places, variable, question) : null
      const found =
        form === null ? growth!.candidates[0].fit : fitForm(form, places, 'absolute', question)
      return { question, measure: measure!, series, fit: found, growth }
    })
  })
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
