import type { Property, Verdict } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import { UsageError } from '../core/usage-error.ts'
import type { ExplainedRun } from './counterexample/explain.ts'
import { minimised } from './counterexample/minimise.ts'
import { transitionJson } from './counterexample/transition-json.ts'
import { withFairRuns } from './liveness/liveness.ts'
import { SystemCache } from './model/system-cache.ts'
import type { Transition } from './model/transition.ts'
import type { TransitionSystem } from './model/transition-system.ts'
import type { ModelOptions } from './options.ts'
import { unmeasured, verdicts } from './properties/verdicts.ts'
import { PersistentSets } from './reduction/persistent-sets.ts'
import { BreadthFirstSearch, type SearchProgress } from './search/breadth-first.ts'
import type { SearchBudget } from './search/budget.ts'
import { expectedMisses } from './search/fingerprint-set.ts'
import { RandomWalks, type WalkReport, type WalkRules } from './search/random-walks.ts'
import { validateOptions } from './validate-options.ts'

export interface CheckOptions extends ModelOptions {
  readonly limits: SearchBudget
  /** auto: leave out orders of events that make no difference, where that is proven. */
  readonly reduction?: 'off' | 'auto'
  /** Keep every state whole, not a hash of it. */
  readonly exact?: boolean
  /** Random walks, after a search that ended at a limit. */
  readonly walk?: WalkRules
  readonly properties: readonly Property[]
  /** Whether to ask too if all runs end in which nothing is ignored for ever. */
  readonly fairRuns?: boolean
  readonly onProgress?: (progress: SearchProgress) => void
}

export interface CheckResult {
  readonly states: number
  readonly transitions: number
  /** How many transitions the farthest state needs, in the graph that was searched. */
  readonly depth: number
  readonly exhausted: boolean
  /** Why not everything was seen. */
  readonly reason?: string
  readonly properties: readonly Verdict[]
  readonly violated: Counterexample | null
  readonly reduction: ReductionUsed
  readonly hash: HashUsed
  /** Only where they are limited. */
  readonly draws?: DrawsUsed
  /** Only where there were some. */
  readonly walk?: WalkReport
}

export interface Counterexample extends ExplainedRun {
  readonly property: string
  /** Whether it is proven that none is shorter. */
  readonly shortest: boolean
  /** The step from which on the rest follows itself for ever, from 1; left out where none does. */
  readonly loop?: number
}

/** What was left out, and why not more. */
export interface ReductionUsed {
  readonly persistentSets: boolean
  readonly eagerWake: boolean
  readonly detail: string
}

/** How states were told apart: as they are, or by hashes of 64 bits. */
export interface HashUsed {
  readonly exact: boolean
  /** How many states are expected to have been taken for others, and missed. */
  readonly expectedMisses: number
}

/** What a limit on draws has left out. */
export interface DrawsUsed {
  /** Of one node, in one run. */
  readonly most: number
  /** Whether no run takes more; null where none did that was seen, but not all were. */
  readonly enough: boolean | null
  /** How many states are such that nothing can happen any more without another draw. */
  readonly cut: number
}

/** A way to what is wrong. */
interface Violation {
  readonly moves: readonly Transition[]
  readonly shortest: boolean
}

/**
 * Explores every interleaving, up to the limits or the first violation, which is a nearest one: one
 * that was found with a reduction is searched for again without. Who explores the same world with
 * one arrangement of ids after another hands in the same systems each time.
 */
export function check(
  world: World,
  options: CheckOptions,
  systems = new SystemCache(),
): CheckResult {
  validateOptions(world, options)
  refuseNoStates(world, options.limits)
  const { properties, limits, exact = false, onProgress, walk } = options
  const system = systems.of(world, options, limits)
  const hindrance = hindranceOf(system, options)
  const reduction = hindrance === null ? new PersistentSets(system, properties) : null
  const begin = (reduced: PersistentSets | null) => {
    const manner = { exact, reduction: reduced }
    const search = new BreadthFirstSearch(system, properties, limits, onProgress, manner)
    search.run()
    return search
  }
  const report = (search: BreadthFirstSearch, violation: Violation | null, used: ReductionUsed) =>
    resultOf(search, system, options, violation, used)

  let search = begin(reduction)
  while (search.outdated) search = begin(reduction)
  const used = reduction === null ? none(hindrance!) : describe(reduction)
  const { violation: moves } = search
  if (moves !== null) {
    const again = reduction === null ? search : begin(null)
    return again.violation === null
      ? report(search, { moves, shortest: false }, used)
      : report(again, { moves: again.violation, shortest: true }, again === search ? used : FULL)
  }
  if (search.reason === null || walk === undefined) return report(search, null, used)
  const walks = new RandomWalks(system, search.judge, walk)
  walks.run()
  const found = walks.violation && { moves: walks.violation, shortest: false }
  return { ...report(search, found, used), walk: walks.report }
}

function hindranceOf(system: TransitionSystem, { reduction = 'off', properties }: CheckOptions) {
  return reduction === 'off' ? 'it is off' : PersistentSets.hindrance(system, properties)
}

function none(why: string): ReductionUsed {
  return { persistentSets: false, eagerWake: false, detail: `none (${why})` }
}

const FULL = none('the violation was searched for again without')

function describe({ eagerWake }: PersistentSets): ReductionUsed {
  const detail = `persistent sets of nodes${eagerWake ? ', all wake first' : ''}`
  return { persistentSets: true, eagerWake, detail }
}

function resultOf(
  search: BreadthFirstSearch,
  system: TransitionSystem,
  options: CheckOptions,
  violation: Violation | null,
  reduction: ReductionUsed,
): CheckResult {
  const { states, transitions, depth, reason } = search
  const { exact = false } = options
  const first = search.judge.findings.find(({ broken }) => broken !== null)
  const result = {
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
            shortest: violation.shortest,
            ...minimised(
              system.effects.world,
              options,
              first.property,
              violation.moves.map((move) => transitionJson(move, system.effects)),
            ),
          },
    reduction,
    ...drawsUsed(options, system, search),
    hash: { exact, expectedMisses: exact ? 0 : expectedMisses(states) },
  }
  return withFairRuns(result, system, search, options)
}

function drawsUsed(
  { draws: most }: CheckOptions,
  { effects }: TransitionSystem,
  { cut, reason }: BreadthFirstSearch,
): Pick<CheckResult, 'draws'> {
  const enough = effects.cut ? false : reason === null ? true : null
  return most === undefined ? {} : { draws: { most, enough, cut } }
}

function refuseNoStates({ algorithm }: World, { states }: SearchBudget): void {
  if (states >= 1) return
  throw new UsageError(
    `check ${algorithm.name}`,
    `the limit of states must be at least 1; ${states} was given.`,
    'Increase it.',
  )
}
