import type { CheckResult, Mode } from '../check/index.ts'
import type { World } from '../core/world.ts'

/** What a reader of a counterexample might not think of. */
export function notesOn(
  { violated }: CheckResult,
  { algorithm: { name, needs }, names }: World,
  mode: Mode,
): string[] {
  if (violated === null) return []
  const notes: string[] = []
  if (mode === 'untimed' && needs.time === 'bounded delay')
    notes.push(`untimed: delays have no bound here; ${name} needs one: try --mode clocked:2`)
  if (names !== undefined)
    notes.push('in messages nodes go by their rank: who is elected has the largest')
  return notes
}

export function notesReport(notes: readonly string[] = []): string {
  return notes.map((note) => `\n  ${note}\n`).join('')
}
