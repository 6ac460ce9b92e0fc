/**
 * A mistake of the user, reported in one line: where it is (a flag, a field, file:line), what is
 * wrong, and how to fix it. Anything else that is thrown is a defect of the program.
 */
export class UsageError extends Error {
  constructor(
    readonly where: string,
    /** Full sentences: what is wrong. */
    readonly problem: string,
    /** Full sentences: how to fix it. Further lines, such as a line of source, may follow them. */
    readonly hint = '',
  ) {
    super(`${where}: ${problem}${hint && !hint.startsWith('\n') ? ` ${hint}` : hint}`)
    this.name = 'UsageError'
  }

  /** The arguments of the constructor, to rebuild the error in another thread. */
  get parts(): [where: string, problem: string, hint: string] {
    return [this.where, this.problem, this.hint]
  }

  /** The same error at another place: the code that notices it may not know the place. */
  at(where: string): UsageError {
    return new UsageError(where, this.problem, this.hint)
  }

  /** The same error; if the given text misspells one of these names, it suggests that name. */
  withCandidates(given: unknown, names: readonly string[]): UsageError {
    const meant = typeof given === 'string' ? suggestionFor(given, names) : null
    return meant === null
      ? this
      : new UsageError(this.where, this.problem, `Did you mean ${meant}?`)
  }
}

/*
 * Suggestions for misspelt names. Every `UsageError` that knows the names that were possible offers
 * the nearest one, in the library, on the command line and on the page alike.
 */

/** Letters; shorter texts are not compared with the beginnings of names. */
const SHORTEST_BEGINNING = 4

/**
 * What was meant by a text that begins with a name, up to a colon: `rign:8` is `ring:8`. Null if
 * the name is one of these, or if none of them is near.
 */
export function suggestionFor(text: string, names: readonly string[]): string | null {
  const [, typed, rest] = /^([^:]+)(.*)$/s.exec(text) ?? []
  if (typed === undefined || names.includes(typed)) return null
  const meant = nearestName(typed, names)
  return meant === null ? null : `${meant}${rest}`
}

/**
 * The name nearest to a mistyped name; null if none is near. A third of its letters may be wrong.
 * A text may also be the beginning of a name: a fifth may be wrong then, since there are many.
 */
function nearestName(text: string, names: readonly string[]): string | null {
  const typed = text.toLowerCase()
  const { length } = typed
  const near = names.flatMap((name) => {
    const { whole, beginning } = editDistances(typed, name.toLowerCase())
    if (whole < length && whole <= Math.max(1, length / 3)) return [{ name, edits: whole }]
    const isBeginning = length >= SHORTEST_BEGINNING && beginning <= Math.floor(length / 5)
    return isBeginning ? [{ name, edits: beginning + 1 }] : []
  })
  near.sort((a, b) => a.edits - b.edits || a.name.length - b.name.length)
  return near[0]?.name ?? null
}

/**
 * How many letters of a text must be inserted, deleted, replaced, or swapped with their neighbours
 * to make it another text, or any beginning of it.
 */
export function editDistances(from: string, to: string): { whole: number; beginning: number } {
  // Distances of the first i letters to all beginnings of the other text, row by row.
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwapped ? before[j - 2] + 1 : replaced
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1, swapped))
    }
    before = row
    row = next
  }
  return { whole: row[to.length], beginning: Math.min(...row) }
}
