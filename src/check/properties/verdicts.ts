import type { Verdict } from '../../core/language/problem.ts'
import type { CheckResult } from '../check.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { BreadthFirstSearch } from '../search/breadth-first.ts'
import { isLiveness, WITHIN_TYPES } from './property-evaluator.ts'

export const TERMINATION = 'every fair run ends'
const HANDOVERS = 'a hand-over is short'

/** Names of built-in properties; a user's property must not have one of these. */
export const RESERVED_PROPERTY_NAMES: readonly string[] = [
  TERMINATION,
  HANDOVERS,
  WITHIN_TYPES.name,
]

/**
 * true: every property holds in every run. false: one is violated. null: some property is not
 * decided, or not all runs were explored.
 */
export function overallVerdict({
  properties,
  violated,
  exhausted,
  draws,
}: Pick<CheckResult, 'properties' | 'violated' | 'exhausted' | 'draws'>): boolean | null {
  if (violated !== null || properties.some(({ holds }) => holds === false)) return false
  const whole = exhausted && draws?.enough !== false
  return whole && properties.every(({ holds }) => holds) ? true : null
}

export function verdicts({ evaluator, reason, states }: BreadthFirstSearch): Verdict[] {
  const reported = evaluator.findings.filter(
    ({ property, broken }) =>
      !isLiveness(property.when) && (property !== WITHIN_TYPES || broken !== null),
  )
  return reported.map(({ property: { name, when }, broken, tolerated }) => {
    if (broken !== null) return { name, holds: false, detail: broken }
    if (reason !== null) return { name, holds: null, detail: `not decided because ${reason}` }
    if (when === 'always') {
      const except = tolerated ? ', except for hand-overs after a recovery' : ''
      return { name, holds: true, detail: `in each of ${states} states${except}` }
    }
    if (evaluator.ends === 0)
      return { name, holds: null, detail: 'not checked because no run ends' }
    const ends = evaluator.ends === 1 ? 'the one state' : `each of ${evaluator.ends} states`
    return { name, holds: true, detail: `in ${ends} where runs end` }
  })
}

/** The bound of hand-overs, if some occurred and there is no clock to measure them. */
export function handoverVerdicts(
  { handovers }: TransitionSystem,
  { evaluator }: BreadthFirstSearch,
): Verdict[] {
  if (!handovers?.unmeasured || !evaluator.findings.some(({ tolerated }) => tolerated)) return []
  const detail = 'not checked because this mode has no clock; use clocked'
  return [{ name: HANDOVERS, holds: null, detail }]
}
