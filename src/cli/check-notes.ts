import type { CheckResult, FaultRules, Mode } from '../check/index.ts'
import type { World } from '../core/world.ts'

/** What a reader of a counterexample might not think of. */
export function notesOn(
  { violated }: CheckResult,
  { algorithm: { name, needs }, names }: World,
  mode: Mode,
  { recoveries = 0 }: FaultRules,
): string[] {
  if (violated === null) return []
  const notes: string[] = []
  if (mode === 'untimed' && needs.time === 'bounded delay')
    notes.push(`untimed: delays have no bound here; ${name} needs one: try --mode clocked:2`)
  if (recoveries > 0 && violated.property === 'no two live leaders')
    notes.push('after a recovery `run` lets an old leader stand until it hears of the new one')
  if (names !== undefined)
    notes.push('in messages nodes go by their rank: who is elected has the largest')
  return notes
}

export function notesReport(notes: readonly string[] = []): string {
  return notes.map((note) => `\n  ${note}\n`).join('')
}
