import { checkMark, counted, digits, enumerated, wrapped } from '../../core/text-format.ts'
import { gradedWorldShort } from '../../experiment/grade/graded-world.ts'
import type { Colours } from '../terminal/format.ts'
import type { FileGrade } from './grade-files.ts'
import { shortNames } from './submissions.ts'

/** What was found gets this many columns, if need be at the cost of names and worlds. */
const FOUND = 36
const SHORTEST_NAME = 14
const SHORTEST_WORLD = 10
const GAP = 2

/** A line for each file within the width of the terminal, and a line that counts verdicts. */
export function tableReport(grades: readonly FileGrade[], paint: Colours): string {
  const names = shortNames(grades.map(({ file }) => file))
  const withPoints = grades.some(({ points }) => points !== null)
  const head = ['file', 'verdict', ...(withPoints ? ['points'] : []), 'world', 'what was found']
  const rows = grades.map((one, i) => [
    names[i],
    one.verdict,
    ...(withPoints ? [pointsText(one)] : []),
    one.grade === null ? '-' : gradedWorldShort(one.grade.world),
    finding(one),
  ])
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)))
  const last = widths.length - 1
  const used = () => widths.slice(0, last).reduce((sum, width) => sum + width + GAP, 0)
  for (const [column, least] of [
    [last - 1, SHORTEST_WORLD],
    [0, SHORTEST_NAME],
  ]) {
    const missing = used() + FOUND - paint.width
    if (missing > 0)
      widths[column] = Math.max(Math.min(widths[column], least), widths[column] - missing)
  }
  widths[last] = paint.width - used()
  const line = (row: readonly string[], painted = (text: string, _: number) => text) => {
    const cells = row.map((cell, i) => painted(cut(cell, widths[i]).padEnd(widths[i]), i))
    return cells.join(' '.repeat(GAP)).trimEnd()
  }
  return `${[
    paint.bold(line(head)),
    ...rows.map((row, i) =>
      line(row, (text, column) => (column === 1 ? verdictColour(grades[i], paint)(text) : text)),
    ),
    '',
    summary(grades),
    ...footnote(grades),
    ...equalFiles(grades).flatMap((said) => wrapped(said, paint.width)),
  ].join('\n')}\n`
}

/** Where the messages of right files were counted. */
function footnote(grades: readonly FileGrade[]): string[] {
  const at = grades.flatMap(({ grade }) => grade?.measured.map((one) => one.at) ?? [])
  return at.length === 0 ? [] : [`Messages: mean over random ids at n = ${at[0]}.`]
}

export function verdictColour({ verdict }: FileGrade, paint: Colours): (text: string) => string {
  if (verdict === 'wrong') return paint.red
  return verdict === 'right' || verdict === 'no error found' ? paint.green : paint.yellow
}

const SUMMED = {
  right: 'right',
  'no error found': 'no error found',
  wrong: 'wrong',
  refused: 'refused',
  none: 'without a verdict',
}

/** `30 files: 2 right, 18 no error found, 9 wrong, 1 without a verdict` */
export function summary(grades: readonly FileGrade[]): string {
  const counts = Object.entries(SUMMED).flatMap(([verdict, words]) => {
    const count = grades.filter((one) => one.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${words}`]
  })
  return `${counted(grades.length, 'file')}: ${counts.join(', ')}`
}

/** One sentence for each group of files that are equal. */
export function equalFiles(grades: readonly FileGrade[]): string[] {
  const names = shortNames(grades.map(({ file }) => file))
  const nameOf = new Map(grades.map(({ file }, i) => [file, names[i]]))
  return grades.flatMap(({ file, equals }, i) => {
    const first = equals.every((other) => grades.findIndex((one) => one.file === other.file) > i)
    if (equals.length === 0 || !first) return []
    const group = enumerated(
      [file, ...equals.map((other) => other.file)].map((one) => nameOf.get(one)!),
    )
    const text = equals.every(({ how }) => how === 'text')
    const but = text ? '' : ' but for comments, white space, types and names of variables'
    return [`${group} are equal${but}.`]
  })
}

export function pointsText({ points }: Pick<FileGrade, 'points'>): string {
  return points === null ? '-' : `${Number(points.sum.toFixed(2))}/${points.most}`
}

/** What was wrong and how many properties, or what it costs. */
export function finding({ verdict, reason, grade, file }: FileGrade): string {
  if (verdict === 'right' || verdict === 'no error found')
    return [reason, costText(grade)].filter((text) => text !== '').join('; ')
  const [first, ...others] = grade?.broken ?? []
  if (first === undefined || first.thrown !== undefined)
    return reason.startsWith(`${file}:`) ? reason.slice(file.length + 1).trim() : reason
  const more = others.length > 0 ? `, ${others.length} more` : ''
  return `${checkMark(false)} ${first.property} (n = ${first.n})${more}`
}

function costText(grade: FileGrade['grade']): string {
  const cost = grade?.measured.find(({ measure, on }) => measure === 'cost' && on === 'random')
  if (cost === undefined) return ''
  return `${digits(cost.value)} messages, ~ ${cost.growth.growth}`
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 3))}...` : text
}
