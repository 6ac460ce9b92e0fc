import { gradedWorldText } from '../../experiment/grade/graded-world.ts'
import type { FileGrade } from './grade-files.ts'

/** The result as data. */
export function jsonReport(grades: readonly FileGrade[]): string {
  return `${JSON.stringify({ files: grades.map(jsonOf) })}\n`
}

function jsonOf({ file, name, verdict, reason, error, grade, points, equals, sandbox }: FileGrade) {
  const { explored = [], simulated = 0, properties = [], measured = [], costs = [] } = grade ?? {}
  const broken = (grade?.broken ?? []).map(({ thrown: _, ...one }) => one)
  return {
    file,
    name,
    verdict,
    reason,
    world: grade?.world ?? null,
    broken,
    properties,
    points,
    ...(error !== null && { error }),
    refused: grade?.refused ?? [],
    explored,
    never: grade?.never ?? [],
    simulated,
    sizes: grade?.sizes ?? null,
    proof: grade?.proof ?? null,
    counterexample: grade?.counterexample ?? null,
    measured,
    costs,
    equals,
    sandbox,
  }
}

/** One line for each file, for spreadsheets. */
export function csvReport(grades: readonly FileGrade[]): string {
  const items = grades.find(({ points }) => points !== null)?.points?.items ?? []
  const head = [
    'file',
    'algorithm',
    'verdict',
    'reason',
    'world',
    'broken',
    'smallest n',
    'reproduce',
    'cost',
    'cost at n',
    'growth',
    'equals',
    ...(items.length > 0 ? ['points', 'of', ...items.map(({ what }) => what)] : []),
  ]
  const rows = grades.map(({ file, name, verdict, reason, grade, points, equals }) => {
    const first = grade?.broken[0]
    const cost = grade?.measured.find(({ measure, on }) => measure === 'cost' && on === 'random')
    return [
      file,
      name ?? '',
      verdict,
      reason,
      grade === null ? '' : gradedWorldText(grade.world),
      (grade?.broken ?? []).map(({ property }) => property).join('; '),
      first?.n ?? '',
      first?.replay ?? '',
      cost?.value ?? '',
      cost?.at ?? '',
      cost?.growth.growth ?? '',
      equals.map((other) => other.file).join('; '),
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
