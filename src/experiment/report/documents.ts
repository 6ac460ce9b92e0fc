import { marked } from 'marked'
import { checkMark, digits } from '../../core/text-format.ts'
import type { DrawnFigure, Provenance } from '../figures/figures.ts'
import { UNLIKELY } from '../statistics/fit.ts'
import { intervalsText } from '../statistics/form-text.ts'
import type { ExperimentFindings, SeriesFit } from '../statistics/summary.ts'
import type { Experiment } from '../study/document.ts'
import { ELECTED } from '../study/measures.ts'
import { type MeansTable, meansTables, type TableLayout } from './tables.ts'

const FAILURES = 10

/** The report as Markdown: findings, figures, and how to reproduce them. */
export function markdownReport(
  experiment: Experiment,
  findings: ExperimentFindings,
  figures: readonly DrawnFigure[],
  { command, version }: Provenance,
  layout: TableLayout = {},
): string {
  const { title, discussion } = experiment
  const { claims, fits, failures } = findings
  const parts = [
    `# ${title}`,
    discussion,
    claims
      .map(({ says, holds, found }) => {
        const not = holds === false ? ' **does not hold:**' : ''
        return `- ${checkMark(holds)}${not} ${says}: ${found}`
      })
      .join('\n'),
    ...figures.map(({ name, says }) => `![${says}](figures/${name}.svg)`),
    fits.length > 0 ? `## Growth\n\n${fits.map((fit) => `- ${fitSentence(fit)}`).join('\n')}` : '',
    `## Means with 95 % intervals\n\n${meansTables(experiment, findings, layout).map(markdownTable).join('\n\n')}`,
    failures.length > 0 ? failureSection(findings) : '',
    `## Reproduce\n\n${runsSentence(experiment, findings)} conclave ${version}:\n\n\`\`\`sh\n${command}\n\`\`\``,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** `messages ~ n: 5.96 n - 15.2, R² 0.981; 95 % intervals: ...`, with the series if several. */
export function fitSentence({ question, series, ...found }: SeriesFit): string {
  const { fit, growth, fittedOver, problem } = found
  const which = series === '' ? question : `${question}, ${series}`
  if (fit === null) return `${which}: ${problem}`
  const { r2, lackOfFit } = fit
  const intervals = intervalsText(fit)
  const misfits = growth === null && lackOfFit !== null && lackOfFit < UNLIKELY
  const parts = [
    `${which}: ${growth?.verdict ?? fit.formula}${r2 === null ? '' : `, R² ${r2.toFixed(4)}`}`,
    misfits
      ? `does not fit within the spread of the runs, lack of fit p = ${digits(lackOfFit)}`
      : '',
    intervals === '' ? '' : `95 % intervals: ${intervals}`,
    fittedOver ?? '',
  ]
  return parts.filter((part) => part !== '').join('; ')
}

export function runsSentence(
  { seed, repeat }: Experiment,
  { runs, points }: ExperimentFindings,
): string {
  const times = repeat === 1 ? 'one run each' : `${repeat} runs each`
  const each = repeat === 'all' ? 'all permutations of the ids' : times
  const counted = `${count(runs, 'run')} at ${count(points.length, 'point')}`
  const all = points.every((one) => one.measures[ELECTED]?.mean === 1)
  return `${counted}, ${each}, ${all ? 'all elected, ' : ''}seed ${seed},`
}

function markdownTable({ caption, head, rows, left }: MeansTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const lines = [line(head), line(head.map(() => '---:')), ...rows.map(line)]
  const title = caption === null ? '' : `### ${caption}\n\n`
  const more = left > 0 ? `\n\n${left} more points are in summary.csv.` : ''
  return `${title}${lines.join('\n')}${more}`
}

function failureSection({ failures, runs }: ExperimentFindings): string {
  const shown = failures.slice(0, FAILURES).map(({ replay }) => replay)
  const said = `In ${failures.length} of ${runs} runs a property did not hold:`
  return `## Violations\n\n${said}\n\n\`\`\`sh\n${shown.join('\n')}\n\`\`\``
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`
}

/** A report as one self-contained page, with figures for light and dark themes. */
export function htmlReport(
  markdown: string,
  title: string,
  figures: readonly DrawnFigure[],
): string {
  const body = marked
    .parse(markdown, { async: false })
    .replace(/<img src="figures\/([^"]+)\.svg"[^>]*>/g, (_, name: string) => {
      const figure = figures.find((one) => one.name === name)!
      const themed = (theme: 'light' | 'dark') =>
        `<span class="${theme}">${figure.draw(theme)}</span>`
      return `${themed('light')}${themed('dark')}`
    })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<main>
${body}</main>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
td, th { padding: .2rem .8rem; border-bottom: 1px solid #8884; text-align: right }
svg { max-width: 100%; height: auto }
.dark { display: none }
@media (prefers-color-scheme: dark) { .dark { display: inline } .light { display: none } }
pre { overflow-x: auto; padding: 1rem; background: #8882 }
`

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
