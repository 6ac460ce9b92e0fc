import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { AlgorithmEntry } from '../engine/algorithm-settings.ts'

/** Fields of one algorithm alone: its parameters, and changes to its messages by their numbers. */
const OWN: ReadonlySet<string> = new Set(['algorithm', 'set', 'tamper', 'title', 'notes'])

/** Fields that only some algorithms have; others are not asked for them where they say nothing. */
const SILENT: ReadonlySet<unknown> = new Set(['none', 'never', 0, false, undefined])

/**
 * The scenario of another algorithm in the same world: the same network, ids, delays, starts and
 * faults. An algorithm that needs rounds runs in rounds. Where it needs a common start, all nodes
 * start.
 */
export function inSameWorld(whole: ScenarioInput, to: AlgorithmEntry): ScenarioInput {
  const { needs } = to
  const kept = Object.entries(whole).filter(
    ([field, value]) => !OWN.has(field) && !SILENT.has(value),
  )
  const given: Record<string, unknown> = { ...Object.fromEntries(kept), algorithm: to.name }
  if (needs !== null && needs.ids === undefined) delete given.ids
  if (needs?.time === 'rounds') {
    given.timing = 'sync'
    delete given.delay
  }
  if (needs?.start === 'together') delete given.wake
  return given
}
