import type { Verdict } from '../../core/language/problem.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { BreadthFirstSearch } from '../search/breadth-first.ts'
import { WITHIN_TYPES } from './property-evaluator.ts'

export const ENDS = 'every fair run ends'
const HANDOVERS = 'a hand-over is short'

/** What is judged besides the properties that were asked for: nobody else's may be called so. */
export const BESIDES: readonly string[] = [ENDS, HANDOVERS, WITHIN_TYPES.name]

export function verdicts({ judge, reason, states }: BreadthFirstSearch): Verdict[] {
  const judged = judge.findings.filter(
    ({ property, broken }) =>
      property.when !== 'eventually' && (property !== WITHIN_TYPES || broken !== null),
  )
  return judged.map(({ property: { name, when }, broken, excused }) => {
    if (broken !== null) return { name, holds: false, detail: broken }
    if (reason !== null) return { name, holds: null, detail: `not decided, since ${reason}` }
    if (when === 'always') {
      const except = excused ? ', except for hand-overs after a recovery' : ''
      return { name, holds: true, detail: `in each of ${states} states${except}` }
    }
    if (judge.ends === 0)
      return { name, holds: null, detail: 'not checked, since no run comes to an end' }
    const ends = judge.ends === 1 ? 'the one state' : `each of ${judge.ends} states`
    return { name, holds: true, detail: `in ${ends} where runs end` }
  })
}

/** What is promised of hand-overs, where there were some and no clock to measure them. */
export function unmeasured(
  { handovers }: TransitionSystem,
  { judge }: BreadthFirstSearch,
): Verdict[] {
  if (!handovers?.unmeasured || !judge.findings.some(({ excused }) => excused)) return []
  const detail = 'not checked, since time does not count in this mode; use clocked'
  return [{ name: HANDOVERS, holds: null, detail }]
}
