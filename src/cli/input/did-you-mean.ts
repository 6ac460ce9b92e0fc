import { distance } from 'fastest-levenshtein'

/** Shorter texts are not compared with the beginnings of names. */
const FEWEST = 4

/** The name nearest to a mistyped name or to its beginning; null if none is near. */
export function nearestOf(text: string, names: readonly string[]): string | null {
  const typed = text.toLowerCase()
  const [best] = names
    .map((name) => {
      const beginning = typed.length < FEWEST ? name : name.slice(0, typed.length)
      return { name, slips: Math.min(distance(typed, name), distance(typed, beginning)) }
    })
    .sort((a, b) => a.slips - b.slips || a.name.length - b.name.length)
  const near = best.slips <= Math.max(2, typed.length / 3) && best.slips < typed.length
  return near ? best.name : null
}
