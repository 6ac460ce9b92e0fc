import {
  type CheckResult,
  defaultMode,
  type FaultOptions,
  type Mode,
  modeText,
  ringCloses,
} from '../../check/index.ts'
import type { World } from '../../core/language/world.ts'

/** What a reader of a result, or of a counterexample, might not think of. */
export function notesOn(
  { violated }: CheckResult,
  world: World,
  mode: Mode,
  faults: FaultOptions,
): string[] {
  const { algorithm, names } = world
  const { name, needs } = algorithm
  const notes: string[] = []
  if (ringCloses(world, faults) && algorithm.renewable)
    notes.push('the ring closes: all nodes are told of the same deaths and returns, in one order')
  if (violated === null) return notes
  if (mode === 'untimed' && needs.time === 'bounded delay')
    notes.push(
      `untimed: delays have no bound here; ${name} needs one: try --mode ${modeText(defaultMode(algorithm))}`,
    )
  if (names !== undefined)
    notes.push('ids in messages stand for what is compared: the value or the like, then the id')
  return notes
}

export function notesReport(notes: readonly string[] = []): string {
  return notes.map((note) => `\n  ${note}\n`).join('')
}
