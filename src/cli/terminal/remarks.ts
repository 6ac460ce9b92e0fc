import { wrapped } from '../../core/text-format.ts'
import type { Remarks } from '../../scenario/fields/remarks.ts'
import type { Colours } from './format.ts'

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
