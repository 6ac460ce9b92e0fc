import type { Algorithm } from '../../core/language/algorithm.ts'
import type { Clause, StepClause } from '../../core/language/clause.ts'
import type { Property } from '../../core/language/problem.ts'
import { refuseUnprovable } from '../conditions.ts'
import { Induction, type InductionCounterexample } from '../induction.ts'
import { ownedFields } from '../owned-ids.ts'
import { localSteps } from '../steps/local-steps.ts'
import type { OwnedFields } from '../structures/structures.ts'
import { vocabularyOf } from '../vocabulary.ts'
import { type CandidateClause, ClausePool, type ReachedState } from './pool.ts'

export interface FoundClause extends CandidateClause {
  readonly name: string
}

/** What was searched for an invariant, and what was found. */
export interface FoundInvariant {
  /** The clauses in the form in which a definition states them; null where none suffice. */
  readonly clauses: readonly FoundClause[] | null
  /** Clauses that hold in all states that were seen, and how many of them are not inductive. */
  readonly pool: number
  readonly dropped: number
  /** Inductions that were tried. */
  readonly inductions: number
  /** Where nothing was found: what no clause of the pool forbids. */
  readonly counterexample: InductionCounterexample | null
  /** The property that it breaks; empty where an invariant was found. */
  readonly goal: string
  /** Statements about nodes and messages that were not combined, since there are too many. */
  readonly leftOut: number
  /** Whether clauses over three nodes were tried, too. */
  readonly wide: boolean
  /** Whether the time was over before an answer. */
  readonly stopped: boolean
}

/** What a search for an invariant may take, and whom it tells of its progress. */
export interface FindOptions {
  readonly onProgress?: (steps: number) => void
  /**
   * Whether the time is over for clauses over three nodes, which are tried only where this is given
   * and the others do not suffice.
   */
  readonly expired?: () => boolean
}

/**
 * Looks for an invariant that implies the properties: Houdini, restricted to the clauses that the
 * goals depend on. Of all clauses that hold in the states seen, those that refuted a violation of a
 * goal are needed; then those that refuted violations of these. A needed one that is not inductive
 * is dropped, and what depended on it is tried again. What remains is inductive, and is made
 * smaller.
 */
export function findInvariant(
  algorithm: Algorithm,
  properties: readonly Property[],
  reach: (see: (state: ReachedState) => void) => void,
  { onProgress, expired }: FindOptions = {},
): FoundInvariant {
  refuseUnprovable(algorithm)
  const narrow = searched(algorithm, properties, reach, onProgress)
  if (narrow.clauses !== null || expired === undefined) return narrow
  return searched(algorithm, properties, reach, onProgress, expired)
}

/** The search in one pool of clauses; a wide one where it has a limit of time. */
function searched(
  algorithm: Algorithm,
  properties: readonly Property[],
  reach: (see: (state: ReachedState) => void) => void,
  onProgress?: (steps: number) => void,
  expired?: () => boolean,
): FoundInvariant {
  const vocabulary = { ...vocabularyOf(algorithm), fifo: false }
  const wide = expired !== undefined
  const pool = new ClausePool(vocabulary, wide)
  reach((state) => pool.see(state))
  const candidates = new Map(pool.candidates().map((one, i) => [`found ${i + 1}`, one] as const))
  const goals = new Map(
    properties.flatMap(({ name, universal, when }): [string, Goal][] =>
      universal !== undefined && when === 'always' ? [[name, universal]] : [],
    ),
  )
  const steps = localSteps(vocabulary)
  const links = { fifo: false, duplicates: false }
  const induction = new Induction(vocabulary, steps, links, onProgress)
  const owned = ownedFields(vocabulary, steps)
  const houdini = new Houdini(induction, owned, goals, candidates, expired)
  return { ...houdini.result(), leftOut: pool.leftOut, wide }
}

type Goal = Clause | StepClause

class Houdini {
  private dropped = 0
  private inductions = 0
  private readonly left: Map<string, Clause>

  constructor(
    private readonly induction: Induction,
    private readonly owned: OwnedFields,
    private readonly goals: ReadonlyMap<string, Goal>,
    private readonly candidates: ReadonlyMap<string, CandidateClause>,
    private readonly expired: () => boolean = () => false,
  ) {
    this.left = new Map([...candidates].map(([name, { clause }]) => [name, clause]))
  }

  result(): Omit<FoundInvariant, 'leftOut' | 'wide'> {
    const needed = this.closure()
    const { dropped } = this
    const pool = this.candidates.size
    if (!('names' in needed))
      return { clauses: null, pool, dropped, inductions: this.inductions, ...needed }
    const small = this.minimised(needed.names)
    const clauses = small.map((name, i) => ({
      name: `found ${i + 1}`,
      ...this.candidates.get(name)!,
    }))
    const { inductions } = this
    return { clauses, pool, dropped, inductions, counterexample: null, goal: '', stopped: false }
  }

  /** All clauses that the goals lean on, and those lean on in turn. */
  private closure():
    | { names: string[] }
    | { counterexample: InductionCounterexample | null; goal: string; stopped: boolean } {
    const dependsOn = new Map<string, ReadonlySet<string>>()
    const open = [...this.goals.keys()]
    while (open.length > 0) {
      if (this.expired()) return { counterexample: null, goal: '', stopped: true }
      const name = open.pop()!
      if (dependsOn.has(name)) continue
      const goal = this.goals.get(name)
      const clause = goal ?? this.left.get(name)
      if (clause === undefined) continue
      const { counterexample, used } = this.broken(name, clause, this.assuming(this.left))
      if (counterexample === null) {
        dependsOn.set(name, used)
        open.push(...used)
        continue
      }
      if (goal !== undefined) return { counterexample, goal: name, stopped: false }
      this.left.delete(name)
      this.dropped++
      for (const [other, on] of dependsOn)
        if (on.has(name)) {
          dependsOn.delete(other)
          open.push(other)
        }
    }
    return { names: [...dependsOn.keys()].filter((name) => !this.goals.has(name)).sort(byNumber) }
  }

  /** Goals about states, and clauses. */
  private assuming(clauses: ReadonlyMap<string, Clause>): ReadonlyMap<string, Clause> {
    const states = [...this.goals].flatMap(([name, goal]): [string, Clause][] =>
      'step' in goal ? [] : [[name, goal]],
    )
    return new Map([...states, ...clauses])
  }

  private broken(name: string, clause: Goal, assumed: ReadonlyMap<string, Clause>) {
    this.inductions++
    if ('step' in clause) {
      const counterexample = this.induction.brokenStep(name, clause, assumed, this.owned)
      return { counterexample, used: this.induction.usedClauses() }
    }
    const first = this.induction.initially(name, clause)
    if (first !== null) return { counterexample: first, used: new Set<string>() }
    const counterexample = this.induction.broken(name, clause, assumed)
    return { counterexample, used: this.induction.usedClauses() }
  }

  /** Leaves clauses out while time is left and the others are inductive and imply the goals. */
  private minimised(names: readonly string[]): string[] {
    let kept = [...names]
    for (const name of [...names].reverse()) {
      if (this.expired()) break
      const fewer = kept.filter((other) => other !== name)
      if (this.suffices(fewer)) kept = fewer
    }
    return kept
  }

  private suffices(names: readonly string[]): boolean {
    const clauses = new Map(names.map((name) => [name, this.candidates.get(name)!.clause]))
    const assumed = this.assuming(clauses)
    return [...this.goals, ...clauses].every(
      ([name, clause]) =>
        !this.expired() && this.broken(name, clause, assumed).counterexample === null,
    )
  }
}

function byNumber(a: string, b: string): number {
  return Number(a.split(' ')[1]) - Number(b.split(' ')[1])
}
