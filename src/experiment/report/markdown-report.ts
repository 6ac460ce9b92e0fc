import type { DrawnFigure, Provenance } from '../figures/figures.ts'
import { digits } from '../statistics/formula.ts'
import type { SampleSummary } from '../statistics/statistics.ts'
import type { ExperimentFindings, SeriesFit } from '../statistics/summary.ts'
import type { Experiment } from '../study/document.ts'
import { isBound } from '../study/measures.ts'

/** The table shows at most about this many points; results.csv has all. */
const ROWS = 24
const FAILURES = 10

/** The report as Markdown: findings, figures, and how to reproduce them. */
export function markdownReport(
  experiment: Experiment,
  findings: ExperimentFindings,
  figures: readonly DrawnFigure[],
  { command, version }: Provenance,
): string {
  const { title, discussion } = experiment
  const { claims, fits, failures } = findings
  const parts = [
    `# ${title}`,
    discussion,
    claims
      .map(
        ({ says, holds, found }) => `- ${holds ? '✓' : '✗ **does not hold:**'} ${says}: ${found}`,
      )
      .join('\n'),
    ...figures.map(({ name, says }) => `![${says}](figures/${name}.svg)`),
    fits.length > 0 ? `## Growth\n\n${fits.map((fit) => `- ${fitSentence(fit)}`).join('\n')}` : '',
    `## Means with 95 % intervals\n\n${markdownTable(meansTable(experiment, findings))}`,
    failures.length > 0 ? failureSection(findings) : '',
    `## Reproduce\n\n${runsSentence(experiment, findings)} conclave ${version}:\n\n\`\`\`sh\n${command}\n\`\`\``,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** `messages ~ n: 5.96 n - 15.2, R² 0.981`, with the series where there are several. */
export function fitSentence({ question, series, fit, growth }: SeriesFit): string {
  const which = series === '' ? question : `${question}, ${series}`
  const quality = fit.r2 === null ? '' : `, R² ${fit.r2.toFixed(4)}`
  return `${which}: ${growth?.verdict ?? fit.formula}${quality}`
}

export function runsSentence(
  { seed, repeat }: Experiment,
  { runs, points }: ExperimentFindings,
): string {
  const times = repeat === 1 ? 'one run each' : `${repeat} runs each`
  const each = repeat === 'all' ? 'all permutations of the ids' : times
  const counted = `${count(runs, 'run')} at ${count(points.length, 'point')}`
  return `${counted}, ${each}, seed ${seed},`
}

/** The means of all measures at every point, or at some points if there are many. */
export function meansTable(
  { sweep, measures }: Experiment,
  { points }: ExperimentFindings,
): { head: string[]; rows: string[][]; left: number } {
  const fields = Object.keys(sweep)
  const shown = measures.filter(
    (name) => !isBound(name) && points.some((one) => one.measures[name] !== null),
  )
  const step = Math.ceil(points.length / ROWS)
  const some = points.filter((_, i) => i % step === 0 || i === points.length - 1)
  return {
    head: [...fields, ...(fields.includes('n') ? [] : ['n']), ...shown],
    rows: some.map(({ point, n, measures: means }) => [
      ...fields.map((name) => String(point[name])),
      ...(fields.includes('n') ? [] : [String(n)]),
      ...shown.map((name) => meanText(means[name])),
    ]),
    left: points.length - some.length,
  }
}

function meanText(summary: SampleSummary | null): string {
  if (summary === null) return '-'
  const { mean, high } = summary
  return high === null || high === mean ? digits(mean) : `${digits(mean)} ± ${digits(high - mean)}`
}

function markdownTable({ head, rows, left }: ReturnType<typeof meansTable>): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const lines = [line(head), line(head.map(() => '---:')), ...rows.map(line)]
  return `${lines.join('\n')}${left > 0 ? `\n\n${left} more points are in results.csv.` : ''}`
}

function failureSection({ failures, runs }: ExperimentFindings): string {
  const shown = failures.slice(0, FAILURES).map(({ replay }) => replay)
  const said = `In ${failures.length} of ${runs} runs a property did not hold:`
  return `## Violations\n\n${said}\n\n\`\`\`sh\n${shown.join('\n')}\n\`\`\``
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`
}
