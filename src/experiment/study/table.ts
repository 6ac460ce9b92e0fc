import { UsageError } from '../../core/index.ts'
import type { ExperimentFindings } from '../statistics/summary.ts'
import type { Experiment } from './document.ts'
import type { ExperimentJob } from './jobs.ts'
import { ELECTED } from './measures.ts'
import type { SweepPoint } from './sweep.ts'

/** The result of one run: a line of results.csv. */
export interface ResultRow {
  readonly run: number
  readonly point: SweepPoint
  /** The number of nodes. */
  readonly n: number
  readonly repeat: number
  readonly seed: number
  /** In the order of the experiment's measures. */
  readonly values: readonly (number | null)[]
  /** Whether it elected, as the measure says it: 1 or 0; left out where nothing is elected. */
  readonly elected?: number
  readonly ok: boolean
  /** The command that reproduces a failure; empty if all properties hold. */
  readonly replay: string
}

/** The table as a file: one line per run, sorted; its bytes do not depend on the executor. */
export function csvOf(
  rows: readonly ResultRow[],
  names: readonly string[],
  measures: readonly string[],
): string {
  const fields = names.filter((name) => name !== 'n')
  const elected = rows.some((row) => row.elected !== undefined) && !measures.includes(ELECTED)
  const always = elected ? [ELECTED] : []
  const head = ['run', ...fields, 'n', 'repeat', 'seed', ...measures, ...always, 'ok', 'replay']
  const lines = rows
    .toSorted((a, b) => a.run - b.run)
    .map((row) => [
      row.run,
      ...fields.map((name) => textOf(row.point[name])),
      row.n,
      row.repeat,
      row.seed,
      ...row.values,
      ...always.map(() => row.elected),
      row.ok,
      row.replay,
    ])
  return csvText([head, ...lines])
}

function textOf(value: SweepPoint[string]): string | number {
  return typeof value === 'object' ? value.join(' ') : value
}

function csvText(lines: readonly (readonly unknown[])[]): string {
  const cell = (value: unknown) => {
    const text = String(value ?? '')
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return lines.map((cells) => `${cells.map(cell).join(',')}\n`).join('')
}

/** The means as a table: one line per point and measure. */
export function summaryCsv(
  { sweep }: Pick<Experiment, 'sweep'>,
  { points }: ExperimentFindings,
): string {
  const fields = Object.keys(sweep).filter((name) => name !== 'n')
  const head = [...fields, 'n', 'measure', 'runs', 'mean', 'low', 'high', 'min', 'max']
  const lines = points.flatMap(({ point, n, measures }) =>
    Object.entries(measures).map(([name, summary]) => {
      const { count = 0, mean, low, high, min, max } = summary ?? {}
      return [
        ...fields.map((field) => textOf(point[field])),
        n,
        name,
        count,
        mean,
        low,
        high,
        min,
        max,
      ]
    }),
  )
  return csvText([head, ...lines])
}

/** The rows of a table that `csvOf` wrote; fields of the jobs are not read again. */
export function rowsOf(csv: string, jobs: readonly ExperimentJob[], where: string): ResultRow[] {
  const [head, ...lines] = cellsOf(csv, where)
  const [{ measures }] = jobs
  const n = head.indexOf('n')
  const first = head.indexOf('seed') + 1
  const at = head.indexOf(ELECTED, first)
  return lines.map((cells, i) => {
    const job = jobs[Number(cells[0])]
    const values = cells.slice(first, first + measures.length)
    if (job === undefined || cells.length !== head.length || values.length < measures.length) {
      throw unreadable(where, i + 2)
    }
    const [ok, replay] = cells.slice(-2)
    const elected = cells[at] ?? ''
    return {
      run: job.run,
      point: job.point,
      n: Number(cells[n]),
      repeat: job.repeat,
      seed: Number(job.scenario.seed),
      values: values.map((value) => (value === '' ? null : Number(value))),
      ...(elected !== '' && { elected: Number(elected) }),
      ok: ok === 'true',
      replay,
    }
  })
}

function cellsOf(csv: string, where: string): string[][] {
  const lines: string[][] = [[]]
  const pattern = /("(?:[^"]|"")*"|[^",\n]*)(,|\n)/y
  for (let read = 0; read < csv.length; read = pattern.lastIndex) {
    const found = pattern.exec(csv)
    if (found === null) throw unreadable(where, lines.length)
    const [, text, end] = found
    const quoted = text.startsWith('"')
    lines[lines.length - 1].push(quoted ? text.slice(1, -1).replaceAll('""', '"') : text)
    if (end === '\n') lines.push([])
  }
  return lines.slice(0, -1)
}

function unreadable(where: string, line: number): UsageError {
  return new UsageError(
    where,
    `line ${line} is not a line of a results table.`,
    'Run the experiment again.',
  )
}
