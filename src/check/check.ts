import { Complaint } from '../core/complaint.ts'
import type { Property } from '../core/problem.ts'
import type { World } from '../core/world.ts'
import { type Limits, type Progress, Search } from './search.ts'
import { type Story, tell } from './story.ts'
import { type Rules, System } from './system.ts'

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
    properties: verdicts(search),
    violated:
      violation === null || first === undefined
        ? null
        : { property: first.property.name, ...tell(violation, options.mode, system.effects) },
  }
}

function verdicts({ judge, reason, states }: Search): Verdict[] {
  return judge.findings.map(({ property: { name, when }, broken }) => {
    if (broken !== null) return { name, holds: false, detail: broken }
    if (reason !== null) return { name, holds: null, detail: `not decided, since ${reason}` }
    if (when === 'always') return { name, holds: true, detail: `in each of ${states} states` }
    if (judge.ends === 0)
      return { name, holds: null, detail: 'not checked, since no run comes to an end' }
    const ends = judge.ends === 1 ? 'the one state' : `each of ${judge.ends} states`
    return { name, holds: true, detail: `in ${ends} where runs end` }
  })
}

function refuseNonsense({ algorithm, topology }: World, { mode, wake, limits }: CheckOptions) {
  const where = `check ${algorithm.name}`
  if (typeof mode !== 'string' && !(Number.isInteger(mode.clocked) && mode.clocked >= 1))
    throw new Complaint(
      where,
      'mode clocked needs the most time that a message takes, a whole number from 1',
      `it was given ${mode.clocked}`,
      'Use clocked:1 for synchronous rounds.',
    )
  if (!(limits.states >= 1))
    throw new Complaint(
      where,
      'the limit of states is at least 1',
      `it was given ${limits.states}`,
      'Raise it.',
    )
  if (wake === 'any') return
  const { n } = topology
  const stranger = wake.find((node) => !(Number.isInteger(node) && node >= 0 && node < n))
  if (stranger !== undefined || wake.length === 0 || new Set(wake).size < wake.length)
    throw new Complaint(
      where,
      `the nodes that start are one or more different positions from 0 to ${n - 1}`,
      `these were given: ${wake.join(', ') || 'none'}`,
      'Correct the list, or let any node wake.',
    )
}
