import { UsageError } from '../../core/index.ts'
import { digits, grouped, quoted } from '../../core/text-format.ts'
import type { SampleSummary } from '../statistics/statistics.ts'
import { type ExperimentFindings, type PointSummary, shownMeasures } from '../statistics/summary.ts'
import type { Experiment } from '../study/document.ts'
import { ELECTED } from '../study/measures.ts'
import type { SweepPoint } from '../study/sweep.ts'

/** A table of means, for people. */
export interface MeansTable {
  /** What it shows, where there are several. */
  readonly caption: string | null
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** The number of points that are not shown. */
  readonly left: number
}

/** How the means are laid out. */
export interface TableLayout {
  /** `n x algorithm`: one field down, one across. */
  readonly table?: string | undefined
  /** All points, however many. */
  readonly all?: boolean | undefined
}

/** A long table shows about this many points; results.csv has all. */
const ROWS = 24

/** The means of all measures: one row a point, or one table a measure. */
export function meansTables(
  experiment: Experiment,
  findings: ExperimentFindings,
  { table, all = false }: TableLayout = {},
): MeansTable[] {
  if (table === undefined) return [pointTable(experiment, findings, all)]
  const [down, across] = fieldsOf(table, experiment)
  return pivotTables(experiment, findings, down, across)
}

/** Rejects a layout whose fields are not swept, before anything runs. */
export function validateLayout(
  { table }: TableLayout,
  experiment: Experiment,
  where: string,
): void {
  if (table !== undefined) fieldsOf(table, experiment, where)
}

function pointTable(
  experiment: Experiment,
  { points }: ExperimentFindings,
  all: boolean,
): MeansTable {
  const fields = Object.keys(experiment.sweep)
  const shown = shownMeasures(experiment, points)
  const step = all ? 1 : Math.ceil(points.length / ROWS)
  const some = points.filter((_, i) => i % step === 0 || i === points.length - 1)
  const sized = fields.includes('n')
  return {
    caption: null,
    head: [...fields, ...(sized ? [] : ['n']), ...shown],
    rows: some.map(({ point, n, runs, measures }) => [
      ...fields.map((name) => fieldText(name, point[name])),
      ...(sized ? [] : [fieldText('n', n)]),
      ...shown.map((name) => meanText(name, measures[name], runs)),
    ]),
    left: points.length - some.length,
  }
}

/** One table for each measure and each combination of the other swept fields. */
function pivotTables(
  experiment: Experiment,
  { points }: ExperimentFindings,
  down: string,
  across: string,
): MeansTable[] {
  const others = Object.keys(experiment.sweep).filter((name) => name !== down && name !== across)
  const rest = (point: SweepPoint) =>
    others.map((name) => `${name} ${fieldText(name, point[name])}`).join(', ')
  const groups = [...new Set(points.map(({ point }) => rest(point)))]
  const of = (name: string, one: PointSummary) => fieldText(name, valueAt(name, one))
  const distinct = (name: string) => [...new Set(points.map((one) => of(name, one)))]
  const [rows, columns] = [distinct(down), distinct(across)]
  return shownMeasures(experiment, points).flatMap((measure) =>
    groups.map((group) => {
      const cells = new Map(
        points
          .filter(({ point }) => rest(point) === group)
          .map((one) => [
            `${of(down, one)}\n${of(across, one)}`,
            meanText(measure, one.measures[measure], one.runs),
          ]),
      )
      return {
        caption: group === '' ? measure : `${measure}, ${group}`,
        head: [down, ...columns],
        rows: rows.map((row) => [
          row,
          ...columns.map((column) => cells.get(`${row}\n${column}`) ?? '-'),
        ]),
        left: 0,
      }
    }),
  )
}

/** The two fields of `n x algorithm`. */
function fieldsOf(
  table: string,
  { sweep }: Experiment,
  where = 'table',
): [down: string, across: string] {
  const known = [...new Set(['n', ...Object.keys(sweep)])]
  const names = table
    .trim()
    .split(/\s+x\s+|\s*[×,]\s*|\s+by\s+/)
    .map((name) => name.trim())
  const [down, across] = names
  if (names.length === 2 && down !== across && names.every((name) => known.includes(name)))
    return [down, across]
  const swept = Object.keys(sweep)
  throw new UsageError(
    where,
    `${quoted(table)} does not name two swept fields; swept are ${swept.join(' and ') || 'none'}.`,
    swept.length < 2
      ? 'Sweep two fields, for example n and algorithm.'
      : `Write for example "${swept[1]} x ${swept[0]}".`,
  )
}

function valueAt(name: string, { point, n }: PointSummary): unknown {
  return point[name] ?? (name === 'n' ? n : undefined)
}

/** A swept value; seeds are names, not amounts. */
function fieldText(name: string, value: unknown): string {
  return Number.isInteger(value) && name !== 'seed' ? grouped(Number(value)) : String(value)
}

/** Ends whose distances from the mean differ by a larger factor are printed one by one. */
const LOPSIDED_RATIO = 1.25

/** `7 ± 1`; over fewer runs than there are, `7 ± 1 (2 of 30)`. */
function meanText(measure: string, summary: SampleSummary | null, runs: number): string {
  if (summary === null) return '-'
  const { mean, low, high, count } = summary
  if (measure === ELECTED) {
    const range = low === null || high === null ? '' : ` (${percent(low)} to ${percent(high)} %)`
    return `${Math.round(mean * count)} of ${count}${range}`
  }
  const value = withInterval(summary)
  return count === runs ? value : `${value} (${count} of ${runs})`
}

/** `12.4 ± 0.3`, with the farther end; `0.1, 0.021 to 0.265` if the other is much nearer. */
function withInterval({ mean, low, high }: SampleSummary): string {
  if (low === null || high === null || low === high) return digits(mean)
  const [near, far] = [mean - low, high - mean].toSorted((a, b) => a - b)
  return far <= LOPSIDED_RATIO * near
    ? `${digits(mean)} ± ${digits(far)}`
    : `${digits(mean)}, ${digits(low)} to ${digits(high)}`
}

function percent(share: number): string {
  return digits(100 * share)
}
