import { ALMOST_SURELY, UNPROMISED, type Verdict } from '../../core/language/problem.ts'
import { checkMark, readable } from '../../core/text-format.ts'
import { type Colours, paragraph } from './format.ts'

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
