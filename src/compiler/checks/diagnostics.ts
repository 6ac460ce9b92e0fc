import type ts from 'typescript'
import { enumerated } from '../../core/text-format.ts'
import type { OwnProgram } from '../own-program.ts'
import { placeAt, type SourceProblem } from '../source-place.ts'
import { explained, missingNames } from './hints.ts'

/** What the parser says about own files. */
export function syntaxProblems({ ts, program, own }: OwnProgram): SourceProblem[] {
  return own.flatMap((file) =>
    program.getSyntacticDiagnostics(file).map(({ start, messageText }) => {
      const text = ts
        .flattenDiagnosticMessageText(messageText, ' ')
        .replace(/\.$/, '')
        .replace(/'([^']+)'/g, '"$1"')
      const ends = file.text.slice(start).trim() === ''
      const but = ends && /expected$/.test(text) ? ', but the file ends here' : ''
      return {
        place: placeAt(file.fileName, file.text, start),
        problem: `syntax error: ${text}${but}.`,
        hint: '',
      }
    }),
  )
}

/** An import without types is not a mistake, nor is a name that the program gives a type itself. */
const IGNORED = [
  7016, // Could not find a declaration file for module
  2580, // Cannot find name 'x'. Do you need to install type definitions for node?
  2591,
]

/** What follows where a type is not known, mostly because of a mistake elsewhere. */
const CONSEQUENCES = [
  7006, // Parameter 'x' implicitly has an 'any' type.
  7031, // Binding element 'x' implicitly has an 'any' type.
  18046, // 'x' is of type 'unknown'.
]

/** A definition that is not well formed: its handlers cannot be judged before it is. */
const OF_DEFINITION = /^the definition has no|^".*" is not one of|is not a type of a field/

/** What the type check says about own files. JavaScript takes part if it asks for it. */
export function typeProblems(own: OwnProgram): SourceProblem[] {
  const found = own.own
    .filter(isChecked)
    .flatMap((file) => own.program.getSemanticDiagnostics(file))
    .filter(({ code, file }) => !IGNORED.includes(code) && file !== undefined)
  const causes = found.filter(({ code }) => !CONSEQUENCES.includes(code))
  const missing = missingNames(found, own)
  const problems = (causes.length > 0 ? causes : found).map((diagnostic) => {
    const { file, start = 0 } = diagnostic
    return {
      place: placeAt(file!.fileName, file!.text, start),
      ...explained(diagnostic, missing, own),
    }
  })
  const first = problems.filter(({ problem }) => OF_DEFINITION.test(problem))
  return withoutRepeated(first.length > 0 ? first : problems)
}

/** A mistake that is made at several places is told once, with the lines of all. */
function withoutRepeated(problems: readonly SourceProblem[]): SourceProblem[] {
  const same = new Map<string, SourceProblem[]>()
  for (const one of problems) {
    const text = `${one.place.file} ${one.hint || one.problem}`
    same.set(text, [...(same.get(text) ?? []), one])
  }
  return [...same.values()].map(([first, ...others]) => {
    const again = others.filter(({ problem }) => problem === first.problem)
    const lines = [...new Set(again.map(({ place }) => place.line))]
    const more = lines.filter((line) => line !== first.place.line)
    // An import that is missing is one mistake, wherever the name is used.
    if (more.length === 0 || first.hint.startsWith('Add: ')) return first
    const noun = more.length === 1 ? 'line' : 'lines'
    const also = `The same in ${noun} ${enumerated(more.map(String))}.`
    return { ...first, hint: first.hint === '' ? also : `${first.hint} ${also}` }
  })
}

function isChecked({ fileName, text }: ts.SourceFile): boolean {
  return /\.[mc]?tsx?$/.test(fileName) || /^\s*(\/\/|\/\*).*@ts-check\b/m.test(text)
}
