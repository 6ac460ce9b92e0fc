/*
 * Suggestions for misspelt names. Every `UsageError` that knows the names that were possible offers
 * the nearest one, in the library, on the command line and on the page alike.
 */

/** Shorter texts are not compared with the beginnings of names. */
const FEWEST = 4

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

/** The name nearest to a mistyped name or to its beginning; null if none is near. */
function nearestName(text: string, names: readonly string[]): string | null {
  const typed = text.toLowerCase()
  const [best] = names
    .map((name) => {
      const whole = name.toLowerCase()
      const beginning = typed.length < FEWEST ? whole : whole.slice(0, typed.length)
      return { name, edits: Math.min(editDistance(typed, whole), editDistance(typed, beginning)) }
    })
    .sort((a, b) => a.edits - b.edits || a.name.length - b.name.length)
  if (best === undefined) return null
  const near = best.edits <= Math.max(2, typed.length / 3) && best.edits < typed.length
  return near ? best.name : null
}

/** The Levenshtein distance: how many letters must be inserted, deleted or replaced. */
export function editDistance(from: string, to: string): number {
  // Distances of the first i letters to all beginnings of the other text, row by row.
  let row = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1))
    }
    row = next
  }
  return row[to.length]
}
