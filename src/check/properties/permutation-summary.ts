import type { Verdict } from '../../core/language/problem.ts'
import type { CheckResult } from '../check.ts'

/** What came of one arrangement, as far as it counts for all. */
export type PermutationShare = Pick<
  CheckResult,
  | 'states'
  | 'transitions'
  | 'depth'
  | 'exhausted'
  | 'reason'
  | 'properties'
  | 'hash'
  | 'draws'
  | 'walk'
> & { readonly violated: boolean }

/** What came of the first so many arrangements, taken together. */
export class PermutationSummary {
  explored = 0
  states = 0
  transitions = 0
  depth = 0
  /** How many states are expected to have been taken for others. */
  expectedMisses = 0
  /** What a limit on draws has left out in all. */
  draws: CheckResult['draws']
  /** The walks after a limit was reached. */
  walk: CheckResult['walk']
  /** The number of the arrangement with the most states. */
  largest = { number: 0, states: 0, transitions: 0 }
  /** The number of the first arrangement in which something is broken. */
  broken: number | null = null
  /** Why not all were explored whole. */
  reason: string | null = null
  private readonly verdicts = new Map<string, Verdict>()

  constructor(private readonly mostStates: number) {}

  get over(): boolean {
    return this.broken !== null || this.reason !== null
  }

  /** How many states the next one may have. */
  get left(): number {
    return this.mostStates - this.states
  }

  /** Adds the next one, in the order of their numbers; what comes after the last does not count. */
  add(share: PermutationShare): void {
    if (this.over) return
    const { states, transitions, depth } = share
    const { left } = this
    if (!share.violated && !share.exhausted) this.reason = share.reason ?? 'something was left out'
    if (states > left || (states === left && this.reason !== null))
      this.reason = `the limit of ${this.mostStates} states was reached`
    if (share.violated) this.broken = this.explored
    if (states > this.largest.states) this.largest = { number: this.explored, states, transitions }
    this.explored++
    this.states += states
    this.transitions += transitions
    this.expectedMisses += share.hash.expectedMisses
    this.depth = Math.max(this.depth, depth)
    this.draws = bothDraws(this.draws, share.draws)
    this.walk = share.walk
    for (const verdict of share.properties) this.note(verdict)
  }

  /** What holds in all; what is broken in one is broken. */
  properties(of: number): Verdict[] {
    const reason = this.reason ?? (this.broken === null ? null : 'something else is broken')
    const rest = reason !== null || this.explored < of
    return [...this.verdicts.values()].map(({ name, holds, detail }) => {
      if (holds !== true) return { name, holds, detail }
      if (!rest) return { name, holds, detail: `in each of ${of} arrangements` }
      return { name, holds: null, detail: `not decided for all arrangements, since ${reason}` }
    })
  }

  /** Of several verdicts on one property the worst counts, and the first of those. */
  private note(verdict: Verdict): void {
    const before = this.verdicts.get(verdict.name)
    const worse = before === undefined || rank(verdict) > rank(before)
    if (worse) this.verdicts.set(verdict.name, verdict)
  }
}

function bothDraws(a: CheckResult['draws'], b: CheckResult['draws']): CheckResult['draws'] {
  if (a === undefined || b === undefined) return a ?? b
  const known = [a.enough, b.enough]
  const enough = known.includes(false) ? false : known.includes(null) ? null : true
  return { most: a.most, enough, cut: a.cut + b.cut }
}

function rank({ holds }: Verdict): number {
  return holds === true ? 0 : holds === null ? 1 : 2
}
