import { wrapped } from '../../core/text-format.ts'
import type { Experiment, ExperimentFindings } from '../../experiment/index.ts'
import { fitSentence, runsSentence } from '../../experiment/report/markdown-report.ts'
import { type MeansTable, meansTables, type TableLayout } from '../../experiment/report/tables.ts'
import { type Colours, columns, paragraph } from '../terminal/format.ts'
import { verdictMark } from '../terminal/verdicts.ts'
import { VERSION } from '../version.ts'
import type { StudyFiles } from './results-folder.ts'

const FAILURES = 5

/** The text report of an experiment. */
export function experimentText(
  experiment: Experiment,
  findings: ExperimentFindings,
  paint: Colours,
  layout: TableLayout = {},
): string {
  const tables = meansTables(experiment, findings, layout)
  const { fits, claims, failures } = findings
  const text = [
    ...titleLines(experiment, `${runsSentence(experiment, findings)} means ± 95 %`, paint),
    ...tables.flatMap((table) => ['', ...tableLines(table, paint)]),
    ...(fits.length > 0 ? [''] : []),
    ...fits.flatMap((fit) => paragraph(fitSentence(fit), paint.width)),
    ...(claims.length > 0 ? [''] : []),
    ...claims.flatMap(({ says, holds, found }) => {
      const [first, ...rest] = wrapped(`${says}: ${found}`, paint.width - 4)
      return [`  ${verdictMark(holds, paint)} ${first}`, ...rest.map((line) => `    ${line}`)]
    }),
    ...failureLines(failures, paint),
  ]
  return `${text.join('\n')}\n`
}

function tableLines({ caption, head, rows, left }: MeansTable, paint: Colours): string[] {
  const [title, ...lines] = columns([[...head], ...rows])
  return [
    ...(caption === null ? [] : [`  ${paint.bold(caption)}`]),
    `  ${paint.bold(title)}`,
    ...lines.map((line) => `  ${line}`),
    ...(left > 0 ? [paint.dim(`  and ${left} points in between; --all shows them`)] : []),
  ]
}

function titleLines({ title }: Experiment, facts: string, paint: Colours): string[] {
  const beside = title.length + 2 + facts.length <= paint.width
  if (beside) return [`${paint.bold(title)}  ${paint.dim(facts)}`]
  return [
    ...wrapped(title, paint.width).map((line) => paint.bold(line)),
    ...paragraph(facts, paint.width).map((line) => paint.dim(line)),
  ]
}

function failureLines(failures: ExperimentFindings['failures'], paint: Colours): string[] {
  if (failures.length === 0) return []
  const shown = failures.slice(0, FAILURES).map(({ replay }) => `    ${replay}`)
  const more = failures.length - shown.length
  return [
    '',
    `  ${verdictMark(false, paint)} a property did not hold, or was not decided, in ${failures.length} of the runs; reproduce:`,
    ...shown,
    ...(more > 0 ? [`    and ${more} more`] : []),
  ]
}

/** The findings, as `--json` prints them. */
export function summaryJson(
  study: StudyFiles,
  findings: ExperimentFindings,
  figures: readonly string[] = [],
): string {
  const { experiment, command } = study
  const { title, discussion, seed } = experiment
  const fits = findings.fits.map((one) => ({ ...one, sentence: fitSentence(one) }))
  const summary = { title, discussion, command, version: VERSION, seed, ...findings, fits, figures }
  return `${JSON.stringify(summary, null, 2)}\n`
}
