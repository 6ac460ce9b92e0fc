import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { BUILT } from '../../core/built.ts'
import { wrapped } from '../../core/text-format.ts'
import { type DrawnFigure, type FigureStyle, figuresOf } from '../../experiment/figures/figures.ts'
import type { Experiment, ExperimentFindings, ResultRow } from '../../experiment/index.ts'
import {
  fitSentence,
  htmlReport,
  markdownReport,
  runsSentence,
} from '../../experiment/report/documents.ts'
import { type MeansTable, meansTables, type TableLayout } from '../../experiment/report/tables.ts'
import { summaryCsv } from '../../experiment/study/table.ts'
import { type Colours, columns, paragraph, verdictMark } from '../terminal/format.ts'
import { VERSION } from '../version.ts'
import { type StudyFiles, shardFiles } from './results-folder.ts'

const NO_PNG =
  'Figures are written as SVG only: PNG files need @resvg/resvg-js (npm install @resvg/resvg-js).\n'

/** How the results of an experiment are shown. */
export interface ReportLayout {
  readonly layout: TableLayout
  readonly style: FigureStyle
  /** Whether figures are written as PDF too. */
  readonly pdf: boolean
}

/** All files of a finished experiment. */
export async function reportFiles(
  study: StudyFiles,
  rows: readonly ResultRow[],
  findings: ExperimentFindings,
  { layout, style, pdf }: ReportLayout,
  warn: (line: string) => void,
): Promise<Record<string, string | Uint8Array>> {
  const { experiment, command } = study
  const provenance = { command, version: VERSION }
  const figures = figuresOf(experiment, rows, findings, provenance, style)
  const markdown = markdownReport(experiment, findings, figures, provenance, layout)
  const png = figures.length === 0 ? null : await pngRenderer()
  if (png === null && figures.length > 0) warn(NO_PNG)
  const pdfs = pdf ? await Promise.all(figures.map(pdfFile)) : []
  const drawn = figures.flatMap(({ name, draw }) =>
    (['light', 'dark'] as const).flatMap((theme) => {
      const file = `figures/${name}${theme === 'dark' ? '-dark' : ''}`
      const svg = draw(theme)
      return [[`${file}.svg`, svg], ...(png === null ? [] : [[`${file}.png`, png(svg)]])]
    }),
  )
  return {
    ...shardFiles(study, rows),
    'summary.json': summaryJson(
      study,
      findings,
      figures.map(({ name }) => name),
    ),
    'summary.csv': summaryCsv(experiment, findings),
    'report.md': markdown,
    'report.html': htmlReport(markdown, experiment.title, figures),
    ...Object.fromEntries([...drawn, ...pdfs]),
  }
}

/** The PDF library is loaded only if it is used. */
async function pdfFile({ name, draw }: DrawnFigure): Promise<[name: string, content: Uint8Array]> {
  const { pdfOf } = await import('./figure-pdf.ts')
  const [regular, bold] = FONT_FILES.map(fontOf)
  return [`figures/${name}.pdf`, await pdfOf(draw('light'), { regular, bold })]
}

/** Renders an SVG as PNG, by default at twice its size. */
type PngRenderer = (svg: string, zoom?: number) => Uint8Array

const FAMILY = 'DejaVu Sans'
/** These fonts come with the program, so that a figure has the same glyphs on every machine. */
const FONT_FILES = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf']

/** The renderer; null if its optional package cannot be loaded. */
export async function pngRenderer(): Promise<PngRenderer | null> {
  const library = await import('@resvg/resvg-js').catch(() => null)
  if (library === null) return null
  const font = {
    fontFiles: FONT_FILES.map(fontFile),
    loadSystemFonts: false,
    defaultFontFamily: FAMILY,
    sansSerifFamily: FAMILY,
  }
  return (svg, zoom = 2) =>
    new library.Resvg(svg, { fitTo: { mode: 'zoom', value: zoom }, font }).render().asPng()
}

/** The package has its fonts compressed. */
function fontOf(name: string): Uint8Array {
  return brotliDecompressSync(readFileSync(new URL(`fonts/${name}.br`, BUILT)))
}

/** The renderer reads fonts from files. */
function fontFile(name: string): string {
  const folder = join(tmpdir(), `conclave-fonts-${process.getuid?.() ?? 0}`)
  const path = join(folder, name)
  const font = fontOf(name)
  if (existsSync(path) && readFileSync(path).equals(font)) return path
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Another process may do the same: a file is there as a whole or not at all.
  writeFileSync(`${path}.${process.pid}`, font)
  renameSync(`${path}.${process.pid}`, path)
  return path
}

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
