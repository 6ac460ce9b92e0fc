import type { Property, Verdict } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import { UsageError } from '../core/usage-error.ts'
import type { ExplainedRun } from './counterexample/explain.ts'
import { minimised } from './counterexample/minimise.ts'
import { transitionJson } from './counterexample/transition-json.ts'
import { withLiveness } from './liveness/liveness.ts'
import { SystemCache } from './model/system-cache.ts'
import type { Transition } from './model/transition.ts'
import { TransitionSystem } from './model/transition-system.ts'
import { inNeither, type NeverHappened, neverHappened } from './never.ts'
import type { ModelOptions } from './options.ts'
import { handoverVerdicts, PropertyEvaluator, verdicts } from './properties/property-evaluator.ts'

import { EagerAnswers } from './reduction/eager-answers.ts'
import {
  NO_REDUCTION,
  type PartialOrder,
  partialOrder,
  whyUnreducible,
} from './reduction/partial-order.ts'
import { StateOrbits } from './reduction/state-orbits.ts'
import { BreadthFirstSearch } from './search/breadth-first.ts'
import type { SearchBudget, SearchProgress } from './search/budget.ts'
import { expectedMisses } from './search/fingerprint-set.ts'
import {
  RandomWalks,
  type WalkOptions,
  type WalkReport,
  type WalksMade,
} from './search/random-walks.ts'
import type { SearchThreads } from './search/threads/search-threads.ts'
import { validateOptions } from './validate-options.ts'

/** The model of an exploration, the properties that it evaluates, and what it may take. */
export interface CheckOptions extends ModelOptions {
  readonly limits: SearchBudget
  /** auto: partial-order and symmetry reduction where they are sound. */
  readonly reduction?: 'off' | 'auto'
  /** Store whole states instead of 64-bit fingerprints. */
  readonly exact?: boolean
  /** Random walks after a search that exceeded its limits. */
  readonly walk?: WalkOptions
  readonly properties: readonly Property[]
  /** Whether to check that every weakly fair run ends. */
  readonly fairRuns?: boolean
  readonly onProgress?: (progress: SearchProgress) => void
  /** Other threads for a long search without reduction. */
  readonly threads?: SearchThreads
}

/** What an exploration found. */
export interface CheckResult {
  readonly states: number
  readonly transitions: number
  /** The largest distance from the initial state, in the graph that was searched. */
  readonly depth: number
  readonly exhausted: boolean
  /** Why not all states were explored. */
  readonly reason?: string
  readonly properties: readonly Verdict[]
  readonly violated: Counterexample | null
  readonly reduction: ReductionUsed
  readonly hash: HashUsed
  /** Only if random choices are limited. */
  readonly draws?: DrawsUsed
  /** Only if fields of the state are bounded. */
  readonly bounds?: BoundsUsed
  /** Only if the values of random delays are limited. */
  readonly timeouts?: TimeoutsUsed
  /** Only if there were random walks. */
  readonly walk?: WalkReport
  /** What did not happen in any explored run. */
  readonly never: NeverHappened
}

/** A run that violates a property. */
export interface Counterexample extends ExplainedRun {
  readonly property: string
  /** Whether it is proven that no counterexample is shorter. */
  readonly shortest: boolean
  /** A lasso: the steps from this one, counted from 1, repeat forever; omitted if the run ends. */
  readonly loop?: number
}

/** The reduction that was used, or why none was. */
export interface ReductionUsed {
  readonly persistentSets: boolean
  /** With faults, with a clock or with terms. */
  readonly stubbornSets: boolean
  readonly eagerWake: boolean
  /**
   * The number of automorphisms that map states onto each other, at most the largest safe integer;
   * 1 without symmetry reduction.
   */
  readonly automorphisms: number
  readonly detail: string
}

/** How visited states were stored: whole, or as 64-bit fingerprints. */
export interface HashUsed {
  readonly exact: boolean
  /** The expected number of states missed because of fingerprint collisions. */
  readonly expectedMisses: number
}

/** The effect of the limit of random choices. */
export interface DrawsUsed {
  /** The limit, per node and run. */
  readonly most: number
  /**
   * Whether no run needs more; null if none of the explored ones did, but not all were explored.
   */
  readonly enough: boolean | null
  /** The number of states whose only continuations exceed the limit. */
  readonly cut: number
}

/** The effect of the bounds of fields. */
export interface BoundsUsed {
  /** The largest values, by field. */
  readonly of: Readonly<Record<string, number>>
  /** Whether no run exceeds one; null if none of the explored ones did, but not all were. */
  readonly enough: boolean | null
}

/** The effect of the limit of values of random delays. */
export interface TimeoutsUsed {
  /** The most values of one random delay. */
  readonly most: number
  /** Whether every value was tried all the same. */
  readonly enough: boolean
}

/** A path to a violation. */
interface ViolatingRun {
  readonly transitions: readonly Transition[]
  readonly shortest: boolean
}

/**
 * Explores every interleaving, up to the limits or the first violation. The counterexample is a
 * shortest one: a violation found with a reduction is searched again without. To explore a world
 * with one permutation of ids after another, pass the same system cache each time.
 */
export function checkWorld(
  world: World,
  options: CheckOptions,
  systems = new SystemCache(),
): CheckResult {
  const searched = checkBeforeWalks(world, options, systems)
  return 'states' in searched ? searched : searched.walkHere()
}

/** A search that reached a limit, and is to be continued by random walks. */
export interface LimitedSearch {
  /** Makes the walks. */
  walkHere(): CheckResult
  /** The result with walks that were made elsewhere. */
  afterWalks(made: WalksMade): CheckResult
}

/** Does everything of a check but random walks, if there are to be some. */
export function checkBeforeWalks(
  world: World,
  given: CheckOptions,
  systems: SystemCache,
): CheckResult | LimitedSearch {
  validateOptions(world, given)
  validateBudget(world, given.limits)
  const options = { ...given, limits: budgetOf(given) }
  const { properties, limits, walk } = options
  const system = systems.of(world, options, limits)
  const obstacle = whyUnreduced(system, options)
  const answers = eagerAnswers(system, options)
  const symmetry = answers === null ? symmetryOf(system, options) : null
  const orbits = symmetry instanceof StateOrbits ? symmetry : null
  const reduction = obstacle === null ? partialOrder(system, properties, { orbits }) : null
  let first = searched(system, options, { reduction, answers, orbits })
  while (first.assumptionFailed) first = searched(system, options, { reduction, orbits })
  const used = answers !== null ? EAGER : describe(reduction, obstacle, symmetry)
  const { violation: transitions } = first
  if (transitions !== null) {
    const isReduced = (reduction ?? answers ?? orbits) !== null
    const again = isReduced ? searched(system, options, {}) : first
    if (again.violation === null)
      return resultOf(first, options, { transitions, shortest: false }, used)
    const shortest = { transitions: again.violation, shortest: true }
    return resultOf(again, options, shortest, isReduced ? UNREDUCED : used)
  }
  return first.reason === null || walk === undefined
    ? resultOf(first, options, null, used)
    : continuedByWalks(first, options, walk, used)
}

/** What leaves out transitions or states of a search. */
interface Reductions {
  readonly reduction?: PartialOrder | null
  readonly answers?: EagerAnswers | null
  readonly orbits?: StateOrbits | null
}

/** A finished search, in several threads where that pays. */
function searched(
  system: TransitionSystem,
  options: CheckOptions,
  { reduction, answers, orbits = null }: Reductions,
): BreadthFirstSearch {
  const { properties, limits, exact = false, threads = null } = options
  const settings = { exact, ...(reduction ?? NO_REDUCTION), orbits }
  const search = new BreadthFirstSearch(system, properties, limits, { ...settings, threads })
  system.eager = answers ? () => answers.next() : null
  search.run()
  system.eager = null
  if (!search.repeatAlone) return search
  // In a new system, since local states and messages were numbered in another order.
  const model = new TransitionSystem(system.cache.world, options)
  const alone = new BreadthFirstSearch(model, properties, limits, settings)
  alone.run()
  return alone
}

function continuedByWalks(
  first: BreadthFirstSearch,
  options: CheckOptions,
  walk: WalkOptions,
  used: ReductionUsed,
): LimitedSearch {
  const { evaluator } = first
  const walked = (own: WalkOptions, made?: WalksMade): CheckResult => {
    const walks = new RandomWalks(first.system, evaluator, own)
    walks.run()
    const found = walks.violation && { transitions: walks.violation, shortest: false }
    const result = resultOf(first, options, found, used)
    const never = made?.never === undefined ? result.never : inNeither(result.never, made.never)
    return { ...result, walk: made === undefined ? walks.report : reportOf(made), never }
  }
  return {
    walkHere: () => walked(walk),
    afterWalks(made) {
      const { violating, limits, tolerated } = made
      first.system.cache.addLimitsReached(limits)
      for (const index of tolerated) evaluator.findings[index].tolerated = true
      // The walk that found something is repeated here.
      const again = {
        random: walk.random,
        first: violating ?? 0,
        walks: violating === null ? 0 : 1,
      }
      return walked(again, made)
    },
  }
}

function reportOf({ walks, steps, longest }: WalkReport): WalkReport {
  return { walks, steps, longest }
}

/** The budget, with what tells the progress of everything that it is for. */
function budgetOf({ limits, onProgress }: CheckOptions): SearchBudget {
  return onProgress === undefined ? limits : { ...limits, onProgress }
}

/** Makes walks of the same world with any numbers, one call after another. */
export function walksIn(world: World, options: CheckOptions): (walk: WalkOptions) => WalksMade {
  const system = new TransitionSystem(world, options)
  return (walk) => {
    const evaluator = new PropertyEvaluator(options.properties, system)
    const walks = new RandomWalks(system, evaluator, walk)
    walks.run()
    return { ...walks.made, never: neverHappened(system, evaluator, options.faults) }
  }
}

function whyUnreduced(system: TransitionSystem, { reduction = 'off', properties }: CheckOptions) {
  return reduction === 'off' ? 'switched off' : whyUnreducible(system, properties)
}

function unreduced(why: string): ReductionUsed {
  return { ...NONE_USED, detail: `none (${why})` }
}

function eagerAnswers(system: TransitionSystem, { reduction, properties }: CheckOptions) {
  if (reduction !== 'auto' || EagerAnswers.inapplicable(system, properties) !== null) return null
  return new EagerAnswers(system)
}

function symmetryOf(system: TransitionSystem, { reduction, properties }: CheckOptions) {
  return reduction === 'auto' ? StateOrbits.of(system, properties) : null
}

const NONE_USED = {
  persistentSets: false,
  stubbornSets: false,
  eagerWake: false,
  automorphisms: 1,
}

const EAGER: ReductionUsed = { ...NONE_USED, detail: 'eager answers' }

const UNREDUCED = unreduced('the violation was searched again without it')

/** Symmetry is mentioned where the world is symmetric. */
function describe(
  reduction: PartialOrder | null,
  obstacle: string | null,
  symmetry: StateOrbits | string | null,
): ReductionUsed {
  const used = reduction === null ? unreduced(obstacle!) : describePartialOrder(reduction)
  if (symmetry === null) return used
  if (typeof symmetry === 'string')
    return { ...used, detail: `${used.detail}; no symmetry (${symmetry})` }
  const { automorphisms, group } = symmetry
  const words = `symmetry (${typeof group === 'string' ? group : `${automorphisms} automorphisms`})`
  const detail =
    reduction === null ? `${words}; no partial order (${obstacle})` : `${used.detail}, ${words}`
  return { ...used, automorphisms, detail }
}

function describePartialOrder({ persistentSets }: PartialOrder): ReductionUsed {
  if (persistentSets === null) return { ...NONE_USED, stubbornSets: true, detail: 'stubborn sets' }
  const { eagerWake } = persistentSets
  const detail = `persistent sets${eagerWake ? ', eager wake-up' : ''}`
  return { ...NONE_USED, persistentSets: true, eagerWake, detail }
}

function resultOf(
  search: BreadthFirstSearch,
  options: CheckOptions,
  violation: ViolatingRun | null,
  reduction: ReductionUsed,
): CheckResult {
  const { system, states, transitions, depth, reason } = search
  const { exact = false } = options
  const first = search.evaluator.findings.find(({ broken }) => broken !== null)
  const result = {
    states,
    transitions,
    depth,
    exhausted: reason === null,
    ...(reason !== null && { reason }),
    properties: [...verdicts(search), ...handoverVerdicts(system, search)],
    violated:
      violation === null || first === undefined
        ? null
        : {
            property: first.property.name,
            shortest: violation.shortest,
            ...minimised(
              system.cache.world,
              options,
              first.property,
              violation.transitions.map((transition) => transitionJson(transition, system.cache)),
              // The time of the walks is longer, and it may be a walk that is shrunk.
              options.walk?.expired ?? options.limits.expired,
            ),
          },
    reduction,
    ...limitsUsed(options, system, search),
    hash: { exact, expectedMisses: exact ? 0 : expectedMisses(states) },
    never: neverHappened(system, search.evaluator, options.faults),
  }
  return withLiveness(result, system, search, options)
}

/** The effects of the limits of handlers. */
function limitsUsed(
  { draws: most, bounds, timeouts }: CheckOptions,
  { cache }: TransitionSystem,
  { truncated: cut, reason }: BreadthFirstSearch,
): Pick<CheckResult, 'draws' | 'bounds' | 'timeouts'> {
  const enough = (reached: boolean) => (reached ? false : reason === null ? true : null)
  return {
    ...(most !== undefined && { draws: { most, enough: enough(cache.drawLimitReached), cut } }),
    ...(bounds && { bounds: { of: bounds, enough: enough(cache.boundReached) } }),
    ...(timeouts !== undefined && {
      timeouts: { most: timeouts, enough: !cache.timeoutsLeftOut },
    }),
  }
}

function validateBudget({ algorithm }: World, { states }: SearchBudget): void {
  if (states >= 1) return
  throw new UsageError(
    `check ${algorithm.name}`,
    `the limit of states must be at least 1; ${states} was given.`,
    'Increase it.',
  )
}
