import { counted } from '../../core/text-format.ts'
import { gradedWorldShort } from '../../experiment/grade/graded-world.ts'
import { digits } from '../../experiment/statistics/formula.ts'
import type { Colours } from '../terminal/format.ts'
import type { FileGrade } from './grade-files.ts'
import { shortNames } from './submissions.ts'

const WIDEST = 80
const LONGEST_NAME = 24
const LONGEST_WORLD = 18

/** A line for each file, in 80 columns, and a line that counts verdicts. */
export function tableReport(grades: readonly FileGrade[], paint: Colours): string {
  const names = shortNames(grades.map(({ file }) => file))
  const withPoints = grades.some(({ points }) => points !== null)
  const head = ['file', 'verdict', ...(withPoints ? ['points'] : []), 'world', 'what was found']
  const rows = grades.map((one, i) => [
    cut(names[i], LONGEST_NAME),
    verdictWord(one),
    ...(withPoints ? [pointsText(one)] : []),
    cut(one.grade === null ? '-' : gradedWorldShort(one.grade.world), LONGEST_WORLD),
    finding(one),
  ])
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)))
  const line = (row: readonly string[], painted = (text: string, _: number) => text) => {
    const before = row.slice(0, -1).map((cell, i) => painted(cell.padEnd(widths[i]), i))
    const used = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
    return [...before, cut(row[row.length - 1], WIDEST - used)].join('  ').trimEnd()
  }
  const colour = { right: paint.green, wrong: paint.red, none: paint.yellow }
  return `${[
    paint.bold(line(head)),
    ...rows.map((row, i) =>
      line(row, (text, column) => (column === 1 ? colour[grades[i].verdict](text) : text)),
    ),
    '',
    summary(grades),
    ...footnote(grades),
  ].join('\n')}\n`
}

/** Where the messages of right files were counted. */
function footnote(grades: readonly FileGrade[]): string[] {
  const at = grades.flatMap(({ grade }) => grade?.measured.map((one) => one.at) ?? [])
  return at.length === 0 ? [] : [`Messages: mean over random ids at n = ${at[0]}.`]
}

/** `30 files: 20 right, 9 wrong, 1 without a verdict` */
export function summary(grades: readonly FileGrade[]): string {
  const count = (verdict: FileGrade['verdict']) =>
    grades.filter((one) => one.verdict === verdict).length
  const none = count('none')
  return [
    `${counted(grades.length, 'file')}: ${count('right')} right, ${count('wrong')} wrong`,
    ...(none > 0 ? [`${none} without a verdict`] : []),
  ].join(', ')
}

/** The verdict in one word, which tells files that were refused from wrong ones. */
export function verdictWord({ verdict, grade }: FileGrade): string {
  return grade !== null && grade.refused.length > 0 ? 'refused' : verdict
}

export function pointsText({ points }: Pick<FileGrade, 'points'>): string {
  return points === null ? '-' : `${Number(points.sum.toFixed(2))}/${points.most}`
}

/** What was wrong and how many properties, or what it costs. */
export function finding({ verdict, reason, grade, file }: FileGrade): string {
  if (verdict === 'right') return costText(grade)
  const more = (grade?.broken.length ?? 0) - 1
  const smallest = grade?.broken[0]
  const where = smallest === undefined ? '' : ` (n = ${smallest.n})`
  const text = reason.startsWith(`${file}:`) ? reason.slice(file.length + 1).trim() : reason
  return `${text}${where}${more > 0 ? ` and ${more} more` : ''}`
}

function costText(grade: FileGrade['grade']): string {
  const cost = grade?.measured.find(({ measure, on }) => measure === 'cost' && on === 'random')
  if (cost === undefined) return ''
  return `${digits(cost.value)} messages, ~ ${cost.growth.growth}`
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 3))}...` : text
}
