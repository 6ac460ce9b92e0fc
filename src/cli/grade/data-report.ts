import { gradedWorldText } from '../../experiment/grade/graded-world.ts'
import type { FileGrade } from './grade-files.ts'

/** The result as data. For one file the fields of its grade are also at the top. */
export function jsonReport(grades: readonly FileGrade[]): string {
  const files = grades.map(jsonOf)
  const [only] = files
  return `${JSON.stringify(files.length === 1 ? { ...only, files } : { files })}\n`
}

function jsonOf({ file, name, verdict, reason, error, grade, points, sandbox }: FileGrade) {
  const { explored = [], simulated = 0, properties = [], measured = [], costs = [] } = grade ?? {}
  const broken = (grade?.broken ?? []).map(({ thrown: _, ...one }) => one)
  return {
    ...{ file, name, verdict, reason },
    world: grade?.world ?? null,
    ...{ broken, properties, points },
    ...(error !== null && { error }),
    refused: grade?.refused ?? [],
    ...{ explored, simulated, proof: grade?.proof ?? null },
    ...{ counterexample: grade?.counterexample ?? null, measured, costs },
    sandbox,
  }
}

/** One line for each file, for spreadsheets. */
export function csvReport(grades: readonly FileGrade[]): string {
  const items = grades.find(({ points }) => points !== null)?.points?.items ?? []
  const head = [
    ...['file', 'algorithm', 'verdict', 'reason', 'world', 'broken', 'smallest n', 'reproduce'],
    ...['cost', 'cost at n', 'growth'],
    ...(items.length > 0 ? ['points', 'of', ...items.map(({ what }) => what)] : []),
  ]
  const rows = grades.map(({ file, name, verdict, reason, grade, points }) => {
    const first = grade?.broken[0]
    const cost = grade?.measured.find(({ measure, on }) => measure === 'cost' && on === 'random')
    return [
      ...[file, name ?? '', verdict, reason],
      grade === null ? '' : gradedWorldText(grade.world),
      (grade?.broken ?? []).map(({ property }) => property).join('; '),
      ...[first?.n ?? '', first?.replay ?? ''],
      ...[cost?.value ?? '', cost?.at ?? '', cost?.growth.growth ?? ''],
      ...(points === null
        ? []
        : [points.sum, points.most, ...points.items.map((item) => item.points)]),
    ]
  })
  return [head, ...rows].map((row) => `${row.map(cell).join()}\r\n`).join('')
}

/** Quoted where needed; a text that a spreadsheet would take for a formula begins with a quote. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
