import { type Aggregation, isAggregation, isOfCatalogue } from '../algorithms/index.ts'
import { type Algorithm, UsageError } from '../core/index.ts'
import { propertiesOf } from '../problems/algorithm-properties.ts'
import { refusalsOf } from '../prove/conditions.ts'
import { findInvariant } from '../prove/find/find.ts'
import type { InductionCounterexample } from '../prove/induction.ts'
import {
  type ClauseResult,
  NO_FAULTY_HANDLER,
  type ProvedFor,
  prove as proved,
} from '../prove/prove.ts'
import { UnmetCondition } from '../prove/refusal.ts'
import { type CounterexampleJson, counterexampleJson } from '../prove/report/counterexample-json.ts'
import { topologyOf } from '../prove/vocabulary.ts'
import { refuseOptions } from './option-checks.ts'
import {
  type ClauseReach,
  type ExploredClauses,
  exploreClauses,
  seeStates,
} from './prove-exploration.ts'
import { definitionOf, type ElectionTarget } from './targets.ts'

const OPTIONS = ['explore', 'find', 'expired', 'onProgress']
const TYPES = {
  explore: 'boolean',
  find: 'boolean',
  expired: 'function',
  onProgress: 'function',
} as const

/** How a proof is attempted. */
export interface ProofOptions {
  /**
   * Whether to explore small networks, too: does what is proved hold there, and is what is not
   * proved violated? True by default.
   */
  readonly explore?: boolean
  /** Whether to look for an invariant, in place of what the definition states. */
  readonly find?: boolean
  /**
   * With `find`: clauses over three nodes are tried, too, where the others do not suffice, until
   * this says that the time is over. None are tried by default.
   */
  readonly expired?: () => boolean
  /** Called now and then with the number of steps tried so far. */
  readonly onProgress?: (steps: number) => void
}

/** Why nothing can be proved about a definition. */
export interface ProofRefusal {
  /** What in the definition stands in the way. */
  readonly problem: string
  readonly hint: string
}

/** What was found about one clause: a property of the problem, or a clause of the definition. */
export interface ClauseReport
  extends Omit<ClauseResult, 'proved' | 'counterexample' | 'from' | 'required'> {
  readonly from: ClauseResult['from']
  /** Whether the verdict depends on it. */
  readonly required: boolean
  readonly verdict: 'proved' | 'open'
  /** Where it is open: from here one step breaks it. That a run gets there, it does not say. */
  readonly cti?: CounterexampleJson
  /** Where it is open and small networks were explored: whether it is violated there. */
  readonly reach?: ClauseReach
}

/** The runs that a proof is about: on all networks of a kind, whatever n is. */
export interface ProvedRuns extends ProvedFor {
  readonly n: 'all'
  readonly topology: 'ring' | 'complete'
}

/** What was proved for every ring, every choice of ids and every schedule. */
export interface ProofReport {
  readonly algorithm: string
  /** open: not proved, which does not say that it is false; see `violated`. */
  readonly verdict: 'proved' | 'open' | 'refused'
  /** For which runs it is proved, or was tried last; null where it is refused. */
  readonly for: ProvedRuns | null
  readonly clauses: readonly ClauseReport[]
  /** A handler that may throw, or leave the values of a type; null where none may. */
  readonly faulty: CounterexampleJson | null
  /** The property that a run on a small network violates, on links as the definition needs them. */
  readonly violated: string | null
  /** What the exploration of small networks has seen. */
  readonly explored: Omit<ExploredClauses, 'reach'> | null
  /** What was searched, with the option `find`. */
  readonly found?: FoundReport
  /** Ways through the handlers, and steps on small rings that were tried. */
  readonly ways: number
  readonly steps: number
  /** The largest network, and the most messages in flight, that were looked at. */
  readonly largest: { readonly nodes: number; readonly messages: number }
  /** What the proof rests on and does not show. */
  readonly assumed: readonly string[]
  /** Only where it is refused: each condition that the definition does not meet. */
  readonly refusals: readonly ProofRefusal[]
}

/** The search for an invariant. */
export interface FoundReport {
  /** The clauses, as a definition states them; null where none suffice. */
  readonly clauses: readonly { readonly name: string; readonly text: string }[] | null
  /** States of rings of two and three nodes, and clauses that hold in all of them. */
  readonly states: number
  readonly pool: number
  /** Those of them that are not inductive, as far as they were looked at. */
  readonly dropped: number
  readonly inductions: number
  /** Statements that were not combined, since there are too many. */
  readonly leftOut: number
  /** Whether clauses over three nodes were tried, too. */
  readonly wide: boolean
  /** Whether the time was over before an answer. */
  readonly stopped: boolean
  /** Where none suffice: what no clause that was searched forbids. */
  readonly cti?: CounterexampleJson
}

/**
 * Tries to prove for every ring, every choice of ids and every schedule that the properties of an
 * algorithm and the clauses of its invariant always hold, by induction over small configurations.
 *
 * `prove(mine).verdict`
 */
export function prove(what: ElectionTarget, options: ProofOptions = {}): ProofReport {
  refuseOptions(options, OPTIONS, TYPES)
  const definition = definitionOf(what)
  refuseAggregation(definition)
  const evidence = isOfCatalogue(definition) ? CATALOGUE_IDS : TESTED_IDS
  return proofReport(definition, evidence, options)
}

const CATALOGUE_IDS = 'ids are only compared (their types say so, and a test reads the sources)'
const TESTED_IDS =
  'ids are only compared (tested: each way through the handlers was run again under other ids in the same order)'

/** What shows that ids are only compared: types, or else trying others; `why` types do not. */
export function idEvidence(types: { readonly shownIn: string } | { readonly why: string }): string {
  return 'shownIn' in types
    ? `ids are only compared (the types in ${types.shownIn} show it)`
    : `${TESTED_IDS}; types do not show it: ${types.why}`
}

function refuseAggregation(definition: Algorithm | Aggregation): asserts definition is Algorithm {
  if (!isAggregation(definition)) return
  throw new UsageError(
    'algorithm',
    `expected an election; ${definition.name} is an aggregation.`,
    'Proofs are about elections.',
  )
}

/** The same for a definition whose handlers are not wrapped, with what is known about its ids. */
export function proofReport(
  algorithm: Algorithm,
  ids: string,
  options: ProofOptions = {},
): ProofReport {
  refuseSealed(algorithm)
  const refusals = refusalsOf(algorithm)
  if (refusals.length > 0) return refusedReport(algorithm, refusals)
  if (options.find === true) return searchReport(algorithm, ids, options)
  const { explore = true, onProgress } = options
  const properties = propertiesOf(algorithm, false)
  try {
    const result = proved(algorithm, properties, onProgress)
    const explored = explore ? exploreClauses(algorithm, result, properties) : null
    const reach = (name: string) => explored?.reach.get(name)
    return {
      algorithm: algorithm.name,
      verdict: result.verdict,
      for: { n: 'all', topology: topologyOf(algorithm), ...result.for },
      clauses: result.clauses.map((clause) => clauseReport(algorithm, clause, reach(clause.name))),
      faulty: result.faulty && cti(algorithm, result.faulty, NO_FAULTY_HANDLER),
      violated: violatedIn(result.clauses, explored),
      explored: explored && seen(explored),
      ways: result.ways,
      steps: result.steps,
      largest: result.largest,
      assumed: [ids, ...terms(algorithm), ...parameters(algorithm)],
      refusals: [],
    }
  } catch (error) {
    if (error instanceof UnmetCondition) return refusedReport(algorithm, [error])
    throw error
  }
}

function seen({ reach: _, ...explored }: ExploredClauses): ProofReport['explored'] {
  return explored
}

/** Looks for an invariant, and proves with what was found. */
function searchReport(algorithm: Algorithm, ids: string, options: ProofOptions): ProofReport {
  if (algorithm.needs.topology !== 'ring')
    throw new UsageError(
      algorithm.name,
      'invariants are looked for on rings.',
      'State it in the definition, and leave out find.',
    )
  const { expired, onProgress } = options
  try {
    let states = 0
    const { clauses, counterexample, goal, ...searched } = findInvariant(
      algorithm,
      propertiesOf(algorithm, false),
      (see) => {
        states = seeStates(algorithm, see)
      },
      { ...(expired && { expired }), ...(onProgress && { onProgress }) },
    )
    const invariant = Object.fromEntries((clauses ?? []).map(({ name, clause }) => [name, clause]))
    const bare = { ...algorithm, invariant: () => invariant }
    return {
      ...proofReport(bare, ids, { ...options, find: false }),
      found: {
        clauses: clauses?.map(({ name, text }) => ({ name, text })) ?? null,
        ...{ states, ...searched },
        ...(counterexample && { cti: cti(algorithm, counterexample, goal) }),
      },
    }
  } catch (error) {
    if (error instanceof UnmetCondition) return refusedReport(algorithm, [error])
    throw error
  }
}

/** The handlers of a sealed algorithm read all fields at once. */
function refuseSealed({ sealed, name }: Algorithm): void {
  if (!sealed) return
  throw new UsageError(
    name,
    'a proof runs the handlers of the definition themselves.',
    'Give what algorithm({ ... }) returns, not what sealed() makes of it.',
  )
}

/** Terms are numbers for the compiler: what handlers do with them is tried. */
function terms({ problem }: Algorithm): string[] {
  return problem?.terms ? ['terms are only compared, and counted up by one (tested)'] : []
}

/** Parameters that are numbers have their defaults in a proof; of words all are tried. */
function parameters({ params }: Algorithm): string[] {
  const numbers = Object.entries(params).filter(([, { choices }]) => choices === undefined)
  return numbers.length === 0
    ? []
    : [`the parameters ${numbers.map(([name]) => name).join(', ')} have their default values`]
}

/** The first property that must always hold and does not, on links as the definition needs them. */
function violatedIn(
  clauses: readonly ClauseResult[],
  explored: ExploredClauses | null,
): string | null {
  const violated = clauses.find(
    ({ name, required }) => required && explored?.reach.get(name)?.links === 'needed',
  )
  return violated?.name ?? null
}

export function refusedReport({ name }: Algorithm, refusals: readonly ProofRefusal[]): ProofReport {
  return {
    ...{ algorithm: name, verdict: 'refused', for: null, clauses: [], faulty: null },
    ...{ violated: null, explored: null, ways: 0, steps: 0, assumed: [] },
    largest: { nodes: 0, messages: 0 },
    refusals: refusals.map(({ problem, hint }) => ({ problem, hint })),
  }
}

function clauseReport(
  algorithm: Algorithm,
  { proved: holds, counterexample, ...rest }: ClauseResult,
  reach: ClauseReach | undefined,
): ClauseReport {
  return {
    ...rest,
    verdict: holds ? 'proved' : 'open',
    ...(counterexample && { cti: cti(algorithm, counterexample, rest.name) }),
    ...(reach && { reach }),
  }
}

function cti(algorithm: Algorithm, counterexample: InductionCounterexample, name: string) {
  return counterexampleJson(algorithm, counterexample, name)
}
