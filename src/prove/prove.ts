import type { Algorithm } from '../core/language/algorithm.ts'
import type { Clause, StepClause } from '../core/language/clause.ts'
import type { Property } from '../core/language/problem.ts'
import { UsageError } from '../core/usage-error.ts'
import { refuseUnprovable } from './conditions.ts'
import { Induction, type InductionCounterexample } from './induction.ts'
import { ownedFields } from './owned-ids.ts'
import { OrderNeeded, UnmetCondition } from './refusal.ts'
import type { LocalStep } from './steps/local-step.ts'
import { localSteps, recovers } from './steps/local-steps.ts'
import type { OwnedFields } from './structures/structures.ts'
import { type Vocabulary, vocabularyOf } from './vocabulary.ts'

/** What may go wrong in the runs that a proof speaks of. */
export interface ProvedFor {
  /** any: messages may overtake each other. */
  readonly order: 'any' | 'fifo'
  readonly losses: true
  readonly duplicates: boolean
  /** Nodes may recover from crashes, with what is in stable storage; otherwise they fall silent. */
  readonly recoveries: boolean
}

/** What was found about one clause. */
export interface ClauseResult {
  readonly name: string
  /** goal: a property of the problem. stated: a clause of the invariant of the definition. */
  readonly from: 'goal' | 'stated'
  /** Whether the proof of the definition depends on it: a property that must always hold. */
  readonly required: boolean
  readonly nodes: number
  readonly messages: number
  /** The largest ring, and the most messages in flight, that had to be looked at. */
  readonly cutoff: { readonly nodes: number; readonly messages: number }
  readonly proved: boolean
  /** Why it is not proved; null also where the property has no universal clause to prove. */
  readonly counterexample: InductionCounterexample | null
}

export interface ProofResult {
  readonly algorithm: string
  readonly verdict: 'proved' | 'open'
  readonly for: ProvedFor
  readonly clauses: readonly ClauseResult[]
  /** A handler that throws, or leaves the values of a type. */
  readonly faulty: InductionCounterexample | null
  /** Ways through handlers, and steps on small rings that were tried. */
  readonly ways: number
  readonly steps: number
  /** The largest network, and the most messages in flight before a step, that were looked at. */
  readonly largest: { readonly nodes: number; readonly messages: number }
}

/** The name of what `faulty` breaks. */
export const NO_FAULTY_HANDLER = 'no handler throws, and every value stays within its type'

/** A property that must always hold, of which nothing says how to prove it. */
function unprovable({ name }: Property): ClauseResult {
  return {
    name,
    from: 'goal',
    required: true,
    nodes: 0,
    messages: 0,
    cutoff: { nodes: 0, messages: 0 },
    proved: false,
    counterexample: null,
  }
}

type Goal = { readonly property: Property; readonly clause: Clause | StepClause }

/**
 * Tries to prove by induction that the clauses of a definition's invariant and the properties hold
 * in all states of all runs, on every ring or complete network and for all ids. It tries the worst
 * links first.
 */
export function proveProperties(
  algorithm: Algorithm,
  properties: readonly Property[],
  onProgress?: (steps: number) => void,
): ProofResult {
  refuseUnprovable(algorithm)
  const vocabulary = vocabularyOf(algorithm)
  const goals = properties.flatMap(({ universal, ...rest }): Goal[] =>
    universal === undefined ? [] : [{ property: { ...rest, universal }, clause: universal }],
  )
  const invariant = new Map(Object.entries(algorithm.invariant()))
  const local = localSteps(vocabulary)
  const others = properties
    .filter(({ universal, when }) => universal === undefined && when === 'always')
    .map(unprovable)
  refuseNothing(algorithm, properties, invariant)
  refuseCollisions(algorithm, properties, invariant)
  const attempts = linksOf(vocabulary)
  let last: ProofResult | null = null
  for (const [i, links] of attempts.entries())
    try {
      const proof = new Proof(vocabulary, local, links, invariant, goals, others, onProgress)
      const result = UnmetCondition.within(() => proof.result())
      if (result.verdict === 'proved') return result
      last = result
    } catch (error) {
      if (!(error instanceof OrderNeeded) || i === attempts.length - 1) throw error
    }
  // What fails on the best links fails on all.
  return last!
}

/** A proof of nothing would hold of everything. */
function refuseNothing(
  { name }: Algorithm,
  properties: readonly Property[],
  invariant: ReadonlyMap<string, Clause>,
): void {
  if (invariant.size > 0 || properties.some(({ when }) => when === 'always')) return
  throw new UnmetCondition(
    `${name} has no property that must always hold, and states no invariant.`,
    'State one, or a property with when: "always" and a universal clause.',
  )
}

function refuseCollisions(
  { name }: Algorithm,
  properties: readonly Property[],
  invariant: ReadonlyMap<string, Clause>,
): void {
  const taken = properties.find((property) => invariant.has(property.name))
  if (taken === undefined) return
  throw new UsageError(
    `${name}: invariant "${taken.name}"`,
    'a property of the problem has this name.',
    'Give the clause another name.',
  )
}

/** From the worst links to the best that a definition may expect. */
function linksOf({ algorithm }: Vocabulary): ProvedFor[] {
  const unordered: ProvedFor = {
    order: 'any',
    losses: true,
    duplicates: false,
    recoveries: recovers(algorithm),
  }
  const ordered: ProvedFor[] =
    // Deferred messages let others pass.
    algorithm.needs.order === 'fifo' && !algorithm.defers ? [{ ...unordered, order: 'fifo' }] : []
  return [{ ...unordered, duplicates: true }, unordered, ...ordered]
}

/** One attempt, for links of one kind. */
class Proof {
  private readonly induction: Induction
  private readonly owned: OwnedFields

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly local: readonly LocalStep[],
    private readonly links: ProvedFor,
    private readonly invariant: ReadonlyMap<string, Clause>,
    private readonly goals: readonly Goal[],
    private readonly others: readonly ClauseResult[],
    onProgress?: (steps: number) => void,
  ) {
    const { order, duplicates } = links
    const fifo = order === 'fifo'
    this.induction = new Induction({ ...vocabulary, fifo }, local, { fifo, duplicates }, onProgress)
    this.owned = ownedFields(vocabulary, local)
  }

  result(): ProofResult {
    const { vocabulary, local, links, induction } = this
    const stated = new Map(this.invariant)
    for (const { property, clause } of this.goals)
      if (!('step' in clause)) stated.set(property.name, clause)
    const { proved, failures } = this.inductiveSubset(stated)
    const faulty = induction.brokenHandler(proved)
    const steps = this.goals.flatMap(({ property, clause }) =>
      'step' in clause ? [this.stepResult(property, clause, proved)] : [],
    )
    const clauses = [...stated].map(([name, clause]) =>
      this.clauseResult(name, clause, failures.get(name) ?? null),
    )
    const all = [...clauses, ...steps, ...this.others]
    const open = faulty !== null || all.some(({ required, proved: done }) => required && !done)
    return {
      algorithm: vocabulary.algorithm.name,
      verdict: open ? 'open' : 'proved',
      for: links,
      clauses: all,
      faulty,
      ways: local.length,
      steps: induction.steps,
      largest: induction.largest,
    }
  }

  /** Without a property that must always hold, what is stated is what is to be proved. */
  private get hasGoals(): boolean {
    return this.others.length > 0 || this.goals.some(({ property }) => property.when === 'always')
  }

  /** Drops clauses that are not preserved until all that remain are: the rest leans on no other. */
  private inductiveSubset(stated: ReadonlyMap<string, Clause>): {
    readonly proved: ReadonlyMap<string, Clause>
    readonly failures: ReadonlyMap<string, InductionCounterexample>
  } {
    const proved = new Map(stated)
    const failures = new Map<string, InductionCounterexample>()
    let before: number
    do {
      before = proved.size
      const assumed = new Map(proved)
      for (const [name, clause] of assumed) {
        const found = this.broken(name, clause, assumed)
        if (found === null) continue
        failures.set(name, found)
        proved.delete(name)
      }
    } while (proved.size < before)
    return { proved, failures }
  }

  private broken(
    name: string,
    clause: Clause,
    assumed: ReadonlyMap<string, Clause>,
  ): InductionCounterexample | null {
    const { induction, owned } = this
    const atFirst = induction.initially(name, clause)
    if (atFirst !== null) return atFirst
    const found = induction.broken(name, clause, assumed)
    // An id in a message may be nobody's in what was found; in truth it is some node's.
    return found && induction.broken(name, clause, assumed, owned)
  }

  private clauseResult(
    name: string,
    { nodes, messages }: Clause,
    counterexample: InductionCounterexample | null,
  ): ClauseResult {
    const goal = this.goals.find(({ property }) => property.name === name)
    return {
      name,
      from: goal === undefined ? 'stated' : 'goal',
      required: goal === undefined ? !this.hasGoals : goal.property.when === 'always',
      nodes,
      messages: messages.length,
      cutoff: this.cutoff(nodes, messages.length),
      proved: counterexample === null,
      counterexample,
    }
  }

  /** Theorem 1: a violation on any network shrinks to one on so many nodes. */
  private cutoff(nodes: number, messages: number): ClauseResult['cutoff'] {
    const ring = this.vocabulary.topology === 'ring'
    return {
      nodes: ring ? nodes + messages + 1 : nodes + 2 * messages + 3,
      messages: messages + 1,
    }
  }

  private stepResult(
    { name, when }: Property,
    clause: StepClause,
    proved: ReadonlyMap<string, Clause>,
  ): ClauseResult {
    const counterexample = this.induction.brokenStep(name, clause, proved, this.owned)
    return {
      name,
      from: 'goal',
      required: when === 'always',
      nodes: 1,
      messages: 0,
      cutoff: { nodes: 2, messages: 1 },
      proved: counterexample === null,
      counterexample,
    }
  }
}
