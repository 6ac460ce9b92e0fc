import { Complaint } from '../core/complaint.ts'
import type { Property } from '../core/problem.ts'
import type { World } from '../core/world.ts'
import { expectedMisses } from './fingerprints.ts'
import { minimised } from './minimise.ts'
import { plainMove } from './plain-move.ts'
import { Reduction } from './reduction.ts'
import { type Rules, refuseNonsense } from './rules.ts'
import { type Limits, type Progress, Search } from './search.ts'
import type { Story } from './story.ts'
import { System } from './system.ts'

export interface CheckOptions extends Rules {
  readonly limits: Limits
  /** auto: leave out orders of events that make no difference, where that is proven. */
  readonly reduction?: 'off' | 'auto'
  /** Keep every state whole, not a hash of it. */
  readonly exact?: boolean
  readonly properties: readonly Property[]
  readonly onProgress?: (progress: Progress) => void
}

export interface Verdict {
  readonly name: string
  /** null: neither broken in what was seen nor everything seen. */
  readonly holds: boolean | null
  readonly detail: string
}

export interface CheckResult {
  readonly states: number
  readonly transitions: number
  /** How many transitions the farthest state needs. */
  readonly depth: number
  readonly exhausted: boolean
  /** Why not everything was seen. */
  readonly reason?: string
  readonly properties: readonly Verdict[]
  readonly violated: (Story & { readonly property: string; readonly shortest: boolean }) | null
  readonly reduction: ReductionUsed
  readonly memory: MemoryUsed
}

/** What was left out, and why not more. */
export interface ReductionUsed {
  readonly persistentSets: boolean
  readonly eagerWake: boolean
  readonly detail: string
}

/** How states were told apart. */
export interface MemoryUsed {
  readonly exact: boolean
  /** How many states are expected to have been taken for others, and missed. */
  readonly expectedMisses: number
}

/**
 * Explores every interleaving, up to the limits or the first violation, which is a nearest one: one
 * that was found with a reduction is searched for again without.
 */
export function check(world: World, options: CheckOptions): CheckResult {
  refuseNonsense(world, options)
  refuseNoStates(world, options.limits)
  const { properties, limits, exact = false, onProgress } = options
  const system = new System(world, options)
  const hindrance = hindranceOf(system, options)
  const reduction = hindrance === null ? new Reduction(system, properties) : null
  const begin = (reduced: Reduction | null) => {
    const search = new Search(system, properties, limits, onProgress, { exact, reduction: reduced })
    search.run()
    return search
  }
  let search = begin(reduction)
  while (search.outdated) search = begin(reduction)
  if (reduction === null || search.violation === null)
    return resultOf(search, system, options, describe(reduction, hindrance), true)
  const again = begin(null)
  return again.violation === null
    ? resultOf(search, system, options, describe(reduction, null), false)
    : resultOf(again, system, options, describe(null, 'what it found was looked for again'), true)
}

function hindranceOf(system: System, { reduction = 'off', properties }: CheckOptions) {
  return reduction === 'off' ? 'it is off' : Reduction.hindrance(system, properties)
}

function describe(reduction: Reduction | null, hindrance: string | null): ReductionUsed {
  const eagerWake = reduction?.eagerWake === true
  const detail =
    reduction === null
      ? `none: ${hindrance}`
      : `persistent sets of nodes${eagerWake ? ', all wake first' : ''}`
  return { persistentSets: reduction !== null, eagerWake, detail }
}

function resultOf(
  search: Search,
  system: System,
  options: CheckOptions,
  reduction: ReductionUsed,
  shortest: boolean,
): CheckResult {
  const { states, transitions, depth, reason, violation } = search
  const { exact = false } = options
  const first = search.judge.findings.find(({ broken }) => broken !== null)
  return {
    states,
    transitions,
    depth,
    exhausted: reason === null,
    ...(reason !== null && { reason }),
    properties: [...verdicts(search), ...unmeasured(system, search)],
    violated:
      violation === null || first === undefined
        ? null
        : {
            property: first.property.name,
            shortest,
            ...minimised(
              system.effects.world,
              options,
              first.property,
              violation.map((move) => plainMove(move, system.effects)),
            ),
          },
    reduction,
    memory: { exact, expectedMisses: exact ? 0 : expectedMisses(states) },
  }
}

function verdicts({ judge, reason, states }: Search): Verdict[] {
  return judge.findings.map(({ property: { name, when }, broken, excused }) => {
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
function unmeasured({ handovers }: System, { judge }: Search): Verdict[] {
  if (!handovers?.unmeasured || !judge.findings.some(({ excused }) => excused)) return []
  const detail = 'not checked, since time does not count in this mode; use clocked'
  return [{ name: 'a hand-over is short', holds: null, detail }]
}

function refuseNoStates({ algorithm }: World, { states }: Limits): void {
  if (states >= 1) return
  throw new Complaint(
    `check ${algorithm.name}`,
    'the limit of states is at least 1',
    `it was given ${states}`,
    'Raise it.',
  )
}
