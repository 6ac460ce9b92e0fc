import { figuresOf } from '../../experiment/figures/figures.ts'
import { pngRenderer } from '../../experiment/figures/png.ts'
import type { ExperimentFindings, ResultRow } from '../../experiment/index.ts'
import { htmlReport } from '../../experiment/report/html-report.ts'
import { markdownReport } from '../../experiment/report/markdown-report.ts'
import { summaryCsv } from '../../experiment/study/table.ts'
import { VERSION } from '../version.ts'
import { type StudyFiles, shareFiles } from './results-folder.ts'
import { summaryJson } from './text-report.ts'

const NO_PNG =
  'Figures are written as SVG only: PNG files need @resvg/resvg-js (npm install @resvg/resvg-js).\n'

/** Every file of a finished experiment. */
export async function reportFiles(
  study: StudyFiles,
  rows: readonly ResultRow[],
  findings: ExperimentFindings,
  warn: (line: string) => void,
): Promise<Record<string, string | Uint8Array>> {
  const { experiment, command } = study
  const provenance = { command, version: VERSION }
  const figures = figuresOf(experiment, rows, findings, provenance)
  const markdown = markdownReport(experiment, findings, figures, provenance)
  const png = figures.length === 0 ? null : await pngRenderer()
  if (png === null && figures.length > 0) warn(NO_PNG)
  const drawn = figures.flatMap(({ name, draw }) =>
    (['light', 'dark'] as const).flatMap((theme) => {
      const file = `figures/${name}${theme === 'dark' ? '-dark' : ''}`
      const svg = draw(theme)
      return [[`${file}.svg`, svg], ...(png === null ? [] : [[`${file}.png`, png(svg)]])]
    }),
  )
  return {
    ...shareFiles(study, rows),
    'summary.json': summaryJson(
      study,
      findings,
      figures.map(({ name }) => name),
    ),
    'summary.csv': summaryCsv(experiment, findings),
    'report.md': markdown,
    'report.html': htmlReport(markdown, experiment.title, figures),
    ...Object.fromEntries(drawn),
  }
}
