import type { Experiment, Findings, Row } from '../experiment/index.ts'
import { fitSentence, meansTable, runsSentence } from '../experiment/report.ts'
import { type Study, shareFiles } from './experiment-folder.ts'
import { columns, filled, type Paint } from './paint.ts'

const WIDTH = 78
const FAILURES = 5

/** What an experiment found, for people. */
export function experimentText(experiment: Experiment, findings: Findings, paint: Paint): string {
  const { head, rows, left } = meansTable(experiment, findings)
  const [title, ...lines] = columns([head, ...rows])
  const { fits, claims, failures } = findings
  const text = [
    `${paint.bold(experiment.title)}  ${paint.dim(`${runsSentence(experiment, findings)} means ± 95 %`)}`,
    '',
    `  ${paint.bold(title)}`,
    ...lines.map((line) => `  ${line}`),
    ...(left > 0 ? [paint.dim(`  and ${left} points between them`)] : []),
    ...(fits.length > 0 ? [''] : []),
    ...fits.flatMap((fit) => filled(fitSentence(fit), WIDTH).map((line) => `  ${line}`)),
    ...(claims.length > 0 ? [''] : []),
    ...claims.flatMap(({ says, holds, found }) => {
      const [first, ...rest] = filled(`${says}: ${found}`, WIDTH - 2)
      const mark = holds ? paint.green('✓') : paint.red('✗')
      return [`  ${mark} ${first}`, ...rest.map((line) => `    ${line}`)]
    }),
    ...failureLines(failures, paint),
  ]
  return `${text.join('\n')}\n`
}

function failureLines(failures: Findings['failures'], paint: Paint): string[] {
  if (failures.length === 0) return []
  const shown = failures.slice(0, FAILURES).map(({ replay }) => `    ${replay}`)
  const more = failures.length - shown.length
  return [
    '',
    `  ${paint.red('✗')} a property did not hold in ${failures.length} of the runs; again:`,
    ...shown,
    ...(more > 0 ? [`    and ${more} more`] : []),
  ]
}

/** Every file of a finished experiment. */
export function reportFiles(
  { experiment, command }: Study,
  rows: readonly Row[],
  findings: Findings,
): Record<'summary.json', string> & Record<string, string | Uint8Array> {
  return { ...shareFiles({ experiment, command }, rows), 'summary.json': summaryJson(findings) }
}

function summaryJson(findings: Findings): string {
  return `${JSON.stringify(findings, null, 2)}\n`
}
