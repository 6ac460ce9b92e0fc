import pc from 'picocolors'
import type { FoundInRow } from '../../core/language/aggregate.ts'
import { ALMOST_SURELY, UNPROMISED, type Verdict } from '../../core/language/problem.ts'
import { checkMark, readable, rounded, wrapped } from '../../core/text-format.ts'
import type { Remarks } from '../../scenario/fields/remarks.ts'
import type { Io } from '../io.ts'

/** The columns of a line where the terminal does not say. */
const USUAL_WIDTH = 80

/** The columns that a line may take. */
export function widthOf({ width = USUAL_WIDTH }: Pick<Io, 'width'>): number {
  return width
}

/** How a report is painted: its colours, none for pipes and files, and the columns of its text. */
export type Colours = ReturnType<typeof pc.createColors> & { readonly width: number }

export function coloursFor(io: Pick<Io, 'colours' | 'width'>): Colours {
  return { ...pc.createColors(io.colours), width: widthOf(io) }
}

/** A paragraph of a report, indented; its further lines may be indented otherwise. */
export function paragraph(
  text: string | readonly string[],
  width: number,
  indent = '  ',
  hanging = indent,
): string[] {
  const room = width - Math.max(indent.length, hanging.length)
  return wrapped(text, room).map((line, i) => `${i === 0 ? indent : hanging}${line}`)
}

/** The most numbers of each kind that a report shows of what a node has found. */
const MOST_FOUND = 12

/** What a node has found in full, where that is more than its estimate. */
export function foundLines(found: FoundInRow | undefined, width: number): string[] {
  if (found === undefined) return []
  const texts = Object.entries(found).map(([name, value]) => {
    const numbers = typeof value === 'object' && value !== null ? value : [value]
    const shown = numbers.slice(0, MOST_FOUND).map((one) => figure(one))
    return `${name} ${shown.join(', ')}${numbers.length > MOST_FOUND ? ', ...' : ''}`
  })
  return paragraph(texts.join('; '), width)
}

/** The first line of a report: what is run, and the facts about its world. */
export function headingLines(name: string, facts: readonly string[], paint: Colours): string[] {
  const pieces = facts.map((fact, i) => (i < facts.length - 1 ? `${fact} ·` : fact))
  const [first, ...rest] = paragraph(pieces, paint.width, ' '.repeat(name.length + 2), '  ')
  return [
    `${paint.bold(name)}  ${paint.dim(first.trimStart())}`,
    ...rest.map((it) => paint.dim(it)),
  ]
}

/** A help text with its paragraphs filled; examples and tables, which are indented, stay. */
export function filled(text: string, width: number): string {
  const isProse = (line: string) => /^\S/.test(line)
  const blocks: string[][] = []
  for (const line of text.split('\n')) {
    const last = blocks.at(-1)
    if (last !== undefined && isProse(line) && isProse(last[0]) && !last[0].endsWith(':'))
      last.push(line)
    else blocks.push([line])
  }
  return blocks
    .flatMap((block) => (isProse(block[0]) ? wrapped(block.join(' '), width) : block))
    .join('\n')
}

/** A horizontal bar that fills a share of its cells. */
export function bar(share: number, cells: number): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * cells * 8)
  const full = Math.floor(eighths / 8)
  const rest = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8]
  return '█'.repeat(full) + rest
}

/** A number with five significant digits; a dash for none. */
export function figure(value: number | null): string {
  return value === null ? '-' : rounded(value, 5)
}

export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(4))} %`
}

/** Rows whose last column is prose, which continues below where there is no room. */
export function columnsWithin(rows: readonly (readonly string[])[], width: number): string[] {
  return rowsWithin(rows, width).flat()
}

/** The same, with the lines of each row by themselves. */
export function rowsWithin(rows: readonly (readonly string[])[], width: number): string[][] {
  const last = Math.max(...rows.map((row) => row.length)) - 1
  const widths = Array.from({ length: last }, (_, place) => widest(rows, place) + GAP)
  const room = Math.max(
    MIN_PROSE,
    widths.reduce((left, used) => left - used, width),
  )
  return rows.map((row) => {
    const cells = widths.map((used, place) => (row[place] ?? '').padEnd(used)).join('')
    const below = ' '.repeat(cells.length)
    return wrapped(row[last] ?? '', room).map((line, i) =>
      `${i === 0 ? cells : below}${line}`.trimEnd(),
    )
  })
}

/** Between columns; and a column of prose is never narrower. */
const GAP = 2
const MIN_PROSE = 20

function widest(rows: readonly (readonly string[])[], place: number): number {
  return Math.max(...rows.map((row) => (row[place] ?? '').length))
}

/** Rows of cells in aligned columns. */
export function columns(rows: readonly (readonly string[])[], gap = GAP): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(cell.length, widest[i] ?? 0)),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] + gap))
      .join('')
      .trimEnd(),
  )
}

/** The title and the notes of a scenario file, above its report. */
export function remarkLines({ title = '', notes = '' }: Remarks, paint: Colours): string[] {
  const lines = [
    ...(title === '' ? [] : wrapped(title, paint.width).map((line) => paint.bold(line))),
    ...(notes === '' ? [] : notes.split('\n').flatMap((line) => wrapped(line, paint.width))),
  ]
  return lines.length === 0 ? [] : [...lines, '']
}

/** The same within a report, whose first line says the result. */
export function indentedRemarks(remarks: Remarks, paint: Colours): string[] {
  return remarkLines(remarks, paint)
    .slice(0, -1)
    .map((line) => `  ${line}`)
}

/** A check mark, a cross, or a question mark, in its colour. */
export function verdictMark(holds: boolean | null, colours: Colours): string {
  const mark = checkMark(holds)
  if (holds === null) return colours.yellow(mark)
  return holds ? colours.green(mark) : colours.red(mark)
}

/** A line for each property; those that do not hold for certain say why. */
export function verdictLines(properties: readonly Verdict[], colours: Colours): string[] {
  return properties.flatMap(({ name, holds, detail }) => {
    const qualified = [ALMOST_SURELY, UNPROMISED].some((words) => detail.startsWith(words))
    const certain = holds === true && !qualified
    const text = certain ? name : `${name}: ${readable(detail)}`
    const [first, ...rest] = paragraph(text, colours.width, '    ')
    return [`  ${verdictMark(holds, colours)} ${first.trimStart()}`, ...rest]
  })
}
