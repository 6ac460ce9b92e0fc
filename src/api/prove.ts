import { electionFor, isOfCatalogue } from '../algorithms/index.ts'
import { type Algorithm, UsageError } from '../core/index.ts'
import {
  subjectsOf,
  type UnshownUse,
  type UseEvidence,
  unreadSource,
  unshownIn,
  type Variant,
  variantsOf,
} from '../core/language/validation/only-compared.ts'
import { enumerated } from '../core/text-format.ts'
import { propertiesOf } from '../problems/algorithm-properties.ts'
import { numericParameters, refusalsOf } from '../prove/conditions.ts'
import { findInvariant } from '../prove/find/find.ts'
import type { InductionCounterexample } from '../prove/induction.ts'
import {
  type ClauseResult,
  NO_FAULTY_HANDLER,
  type ProvedFor,
  proveProperties as proved,
} from '../prove/prove.ts'
import { UnmetCondition } from '../prove/refusal.ts'
import { type CounterexampleJson, counterexampleJson } from '../prove/report/counterexample-json.ts'
import { provenTopology } from '../prove/vocabulary.ts'
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
  /** unshown: it follows by induction only if the definition does not do what is `unshown`. */
  readonly verdict: 'proved' | 'open' | 'unshown'
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
  /** What the proof rests on, with what shows it. */
  readonly assumed: readonly string[]
  /**
   * What the proof would rest on and nothing shows, such as that ids are only compared: a
   * definition with any of it is not proved.
   */
  readonly unshown: readonly UnshownUse[]
  /** If its parameters choose other algorithms: all of them. The rest is about the worst one. */
  readonly variants?: readonly VariantReport[]
  /** Only where it is refused: each condition that the definition does not meet. */
  readonly refusals: readonly ProofRefusal[]
}

/** An algorithm that runs for a definition if its parameters have these values. */
export interface VariantReport {
  readonly settings: Readonly<Record<string, string>>
  readonly algorithm: string
  readonly verdict: ProofReport['verdict']
  readonly violated: string | null
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
 * Of a definition that is not of the catalogue it has no source to read, so that such a one is not
 * proved: `conclave prove FILE` reads it.
 *
 * `prove('lcr').verdict`
 */
export function prove(what: ElectionTarget, options: ProofOptions = {}): ProofReport {
  refuseOptions(options, OPTIONS, TYPES)
  const definition = electionFor('proof', definitionOf(what), 'algorithm')
  const source = isOfCatalogue(definition) ? CATALOGUE : unreadSource(definition.name, UNREAD)
  return proofReport(definition, source, options)
}

const UNREAD = 'a function has no source to read; conclave prove FILE reads it'

/** What the source of a definition shows, and in which words a report says so. */
export interface ReadSource extends UseEvidence {
  readonly shownBy?: string
}

/** A test reads these sources. */
const CATALOGUE: ReadSource = {
  misuses: {},
  startsAtZero: true,
  shownBy: 'their types say so, and a test reads the sources',
}

/** The same for a definition whose handlers are not wrapped, with what its source shows. */
export function proofReport(
  algorithm: Algorithm,
  source: ReadSource,
  options: ProofOptions = {},
): ProofReport {
  refuseSealed(algorithm)
  try {
    const refusals = refusalsOf(algorithm)
    if (refusals.length > 0) return refusedReport(algorithm, refusals)
    const variants = variantsOf(algorithm, numericParameters(algorithm))
    const reports = variants.map((one) => variantReport(one.algorithm, source, options))
    return worstOf(variants, reports)
  } catch (error) {
    if (error instanceof UnmetCondition) return refusedReport(algorithm, [error])
    throw error
  }
}

/** What is worse comes first. */
const RANKS = { refused: 1, open: 2, proved: 3 } as const

/** The report about the algorithm for which least is proved. */
function worstOf(variants: readonly Variant[], reports: readonly ProofReport[]): ProofReport {
  const rank = ({ violated, verdict }: ProofReport) => (violated === null ? RANKS[verdict] : 0)
  const worst = reports.toSorted((a, b) => rank(a) - rank(b))[0]
  if (reports.length === 1 && Object.keys(variants[0].settings).length === 0) return worst
  return {
    ...worst,
    variants: variants.map(({ settings, algorithm }, i) => {
      const { verdict, violated } = reports[i]
      return { settings, algorithm: algorithm.name, verdict, violated }
    }),
  }
}

function variantReport(
  algorithm: Algorithm,
  source: ReadSource,
  options: ProofOptions,
): ProofReport {
  const refusals = refusalsOf(algorithm)
  if (refusals.length > 0) return refusedReport(algorithm, refusals)
  const unshown = unshownIn(algorithm, source)
  try {
    const report =
      options.find === true ? searchReport(algorithm, options) : inductionReport(algorithm, options)
    if (unshown.length > 0) return unshownReport(report, unshown)
    return { ...report, assumed: assumedOf(algorithm, source) }
  } catch (error) {
    if (!(error instanceof UnmetCondition)) throw error
    const refused = refusedReport(algorithm, [error])
    // What was tried with some numbers says less than what was read.
    return unshown.length > 0 ? unshownReport({ ...refused, verdict: 'open' }, unshown) : refused
  }
}

/** Nothing is proved of what may be computed with: the induction has tried a few numbers. */
function unshownReport(report: ProofReport, unshown: readonly UnshownUse[]): ProofReport {
  const verdict = report.verdict === 'proved' ? 'open' : report.verdict
  const clauses = report.clauses.map((clause) =>
    clause.verdict === 'proved' ? ({ ...clause, verdict: 'unshown' } as const) : clause,
  )
  return { ...report, verdict, clauses, unshown }
}

function inductionReport(
  algorithm: Algorithm,
  { explore = true, onProgress }: ProofOptions,
): ProofReport {
  const properties = propertiesOf(algorithm, false)
  const result = proved(algorithm, properties, onProgress)
  const explored = explore ? exploreClauses(algorithm, result, properties) : null
  const reach = (name: string) => explored?.reach.get(name)
  return {
    algorithm: algorithm.name,
    verdict: result.verdict,
    for: { n: 'all', topology: provenTopology(algorithm), ...result.for },
    clauses: result.clauses.map((clause) => clauseReport(algorithm, clause, reach(clause.name))),
    faulty: result.faulty && cti(algorithm, result.faulty, NO_FAULTY_HANDLER),
    violated: violatedIn(result.clauses, explored),
    explored: explored && seen(explored),
    ways: result.ways,
    steps: result.steps,
    largest: result.largest,
    assumed: [],
    unshown: [],
    refusals: [],
  }
}

function seen({ reach: _, ...explored }: ExploredClauses): ProofReport['explored'] {
  return explored
}

/** Looks for an invariant, and proves with what was found. */
function searchReport(algorithm: Algorithm, options: ProofOptions): ProofReport {
  if (algorithm.needs.topology !== 'ring')
    throw new UsageError(
      algorithm.name,
      'invariants are looked for on rings.',
      'State it in the definition, and leave out find.',
    )
  const { expired, onProgress } = options
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
  return {
    ...inductionReport({ ...algorithm, invariant: () => invariant }, options),
    found: {
      clauses: clauses?.map(({ name, text }) => ({ name, text })) ?? null,
      states,
      ...searched,
      ...(counterexample && { cti: cti(algorithm, counterexample, goal) }),
    },
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

/** What the proof rests on, and what shows it. */
function assumedOf(algorithm: Algorithm, { shownBy }: ReadSource): string[] {
  const compared = subjectsOf(algorithm).filter(
    (subject) => subject !== 'code' && subject !== 'parameters',
  )
  const how = shownBy === undefined ? '' : ` (${shownBy})`
  const only = `${enumerated(compared)} are only compared${how}`
  return [only, ...delays(algorithm)]
}

/** Parameters that are numbers are shown to be delays, which a proof does not look at. */
function delays({ params }: Algorithm): string[] {
  const numbers = Object.entries(params).filter(([, { choices }]) => choices === undefined)
  if (numbers.length === 0) return []
  const names = enumerated(numbers.map(([name]) => name))
  return [`the parameters ${names} are delays of timers, and timers may fire at any time`]
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

function refusedReport({ name }: Algorithm, refusals: readonly ProofRefusal[]): ProofReport {
  return {
    algorithm: name,
    verdict: 'refused',
    for: null,
    clauses: [],
    faulty: null,
    violated: null,
    explored: null,
    ways: 0,
    steps: 0,
    assumed: [],
    unshown: [],
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
