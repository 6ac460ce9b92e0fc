import { Complaint } from '../core/complaint.ts'
import type { Property } from '../core/problem.ts'
import type { World } from '../core/world.ts'
import { type Rules, refuseNonsense } from './rules.ts'
import { type Limits, type Progress, Search } from './search.ts'
import { type Story, tell } from './story.ts'
import { System } from './system.ts'

export interface CheckOptions extends Rules {
  readonly limits: Limits
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
  readonly violated: (Story & { readonly property: string }) | null
}

/** Explores every interleaving, up to the limits or the first violation, which is a nearest one. */
export function check(world: World, options: CheckOptions): CheckResult {
  refuseNonsense(world, options)
  refuseNoStates(world, options.limits)
  const system = new System(world, options)
  const search = new Search(system, options.properties, options.limits, options.onProgress)
  search.run()
  const { states, transitions, depth, reason, violation } = search
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
            ...tell(violation, options.mode, system.effects, options.faults?.dead),
          },
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
