import type { Verdict } from '../../core/language/problem.ts'
import type { CheckResult } from '../check.ts'
import { inNeither } from '../never.ts'

/** The result for one permutation, as far as the summary needs it. */
export type SummarisedResult = Pick<
  CheckResult,
  | 'states'
  | 'transitions'
  | 'depth'
  | 'exhausted'
  | 'reason'
  | 'properties'
  | 'hash'
  | 'draws'
  | 'bounds'
  | 'timeouts'
  | 'walk'
  | 'never'
> & { readonly violated: boolean }

/** The most permutations that are kept to be compared. */
const MOST_OUTLINES = 10_000

/** Adds up the results for the permutations explored so far. */
export class PermutationSummary {
  explored = 0
  states = 0
  transitions = 0
  depth = 0
  /** The expected number of states missed because of fingerprint collisions. */
  expectedMisses = 0
  /** The effect of the limit of random choices on all of them. */
  draws: CheckResult['draws']
  /** The same of the bounds of fields and of the values of random delays. */
  bounds: CheckResult['bounds']
  timeouts: CheckResult['timeouts']
  /** The random walks after a limit was reached. */
  walk: CheckResult['walk']
  /** What happened with none of them. */
  never: CheckResult['never'] | null = null
  /** The permutation with the most states. */
  largest = { number: 0, states: 0, transitions: 0 }
  /** The first permutation with a violation. */
  violatedBy: number | null = null
  /** Why not all were explored completely. */
  reason: string | null = null
  /** What must be the same with other ids in the same orders, for the first permutations. */
  readonly outlines: string[] = []
  private readonly verdicts = new Map<string, Verdict>()

  constructor(private readonly stateLimit: number) {}

  get finished(): boolean {
    return this.violatedBy !== null || this.reason !== null
  }

  /** The number of states that the next one may have. */
  get statesLeft(): number {
    return this.stateLimit - this.states
  }

  /** Ends it before all are explored, unless it has ended. */
  end(reason: string): void {
    if (!this.finished) this.reason = reason
  }

  /** Adds the next one in order; once finished, further ones do not count. */
  add(result: SummarisedResult): void {
    if (this.finished) return
    const { states, transitions, depth } = result
    const { statesLeft } = this
    if (!result.violated && !result.exhausted)
      this.reason = result.reason ?? 'not all states were explored'
    if (states > statesLeft || (states === statesLeft && this.reason !== null))
      this.reason = `the limit of ${this.stateLimit} states was reached`
    if (result.violated) this.violatedBy = this.explored
    if (states > this.largest.states) this.largest = { number: this.explored, states, transitions }
    if (this.explored < MOST_OUTLINES) this.outlines.push(outlineOf(result))
    this.explored++
    this.states += states
    this.transitions += transitions
    this.expectedMisses += result.hash.expectedMisses
    this.depth = Math.max(this.depth, depth)
    this.draws = combinedDraws(this.draws, result.draws)
    this.bounds = worseOf(this.bounds, result.bounds)
    this.timeouts = worseOf(this.timeouts, result.timeouts)
    this.walk = result.walk
    this.never = this.never === null ? result.never : inNeither(this.never, result.never)
    for (const verdict of result.properties) this.merge(verdict)
  }

  /** A property holds if it holds for all; it is violated if it is for one. */
  properties(of: number): Verdict[] {
    const reason = this.reason ?? (this.violatedBy === null ? null : 'another property is violated')
    const incomplete = reason !== null || this.explored < of
    return [...this.verdicts.values()].map(({ name, holds, detail }) => {
      if (holds !== true) return { name, holds, detail }
      if (!incomplete)
        return { name, holds, detail: of === 1 ? detail : `for each of ${of} permutations` }
      return { name, holds: null, detail: `not decided for all permutations because ${reason}` }
    })
  }

  /** The first of the worst verdicts on a property counts. */
  private merge(verdict: Verdict): void {
    const before = this.verdicts.get(verdict.name)
    const worse = before === undefined || severity(verdict) > severity(before)
    if (worse) this.verdicts.set(verdict.name, verdict)
  }
}

/** The size of the state graph and the verdicts: isomorphic graphs have the same. */
function outlineOf({ states, transitions, depth, properties }: SummarisedResult): string {
  return [states, transitions, depth, ...properties.map(({ holds }) => holds)].join()
}

/** The first limit that left something out counts. */
function worseOf<T extends { readonly enough: boolean | null }>(
  a: T | undefined,
  b: T | undefined,
): T | undefined {
  return a === undefined || a.enough === true ? (b ?? a) : a
}

function combinedDraws(a: CheckResult['draws'], b: CheckResult['draws']): CheckResult['draws'] {
  if (a === undefined || b === undefined) return a ?? b
  const known = [a.enough, b.enough]
  const enough = known.includes(false) ? false : known.includes(null) ? null : true
  return { most: a.most, enough, cut: a.cut + b.cut }
}

function severity({ holds }: Verdict): number {
  return holds === true ? 0 : holds === null ? 1 : 2
}
