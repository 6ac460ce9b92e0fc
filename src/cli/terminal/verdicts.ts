import type { Colours } from './format.ts'

/** A property and whether it holds; null where that is not known. */
interface VerdictEntry {
  readonly name: string
  readonly holds: boolean | null
  /** What is wrong, or why it is not known. */
  readonly detail: string
}

/** A check mark, a cross, or a question mark. */
export function verdictMark(holds: boolean | null, colours: Colours): string {
  if (holds === null) return colours.yellow('?')
  return holds ? colours.green('✓') : colours.red('✗')
}

/** A line for each property; those that do not hold say why. */
export function verdictLines(properties: readonly VerdictEntry[], colours: Colours): string[] {
  return properties.map(
    ({ name, holds, detail }) =>
      `  ${verdictMark(holds, colours)} ${name}${holds ? '' : `: ${detail}`}`,
  )
}
