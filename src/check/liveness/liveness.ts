import type { Property, Verdict } from '../../core/language/problem.ts'
import type { CheckOptions, CheckResult, Counterexample } from '../check.ts'
import { explainRun } from '../counterexample/explain.ts'
import type { Transition, Visit } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { PropertyEvaluator } from '../properties/property-evaluator.ts'
import { ENDS } from '../properties/verdicts.ts'
import { PersistentSets } from '../reduction/persistent-sets.ts'
import { BreadthFirstSearch, type SearchSettings } from '../search/breadth-first.ts'
import type { SearchBudget } from '../search/budget.ts'
import { FastSuccessors } from '../search/fast-successors.ts'
import { StateGraph } from './state-graph.ts'
import { strongComponents } from './strong-components.ts'
import { Loop, roundInWords } from './weak-fairness.ts'

/** A run that breaks a promise: moves, and then those that follow each other for ever, if any. */
interface Lasso {
  readonly stem: readonly Transition[]
  readonly loop: readonly Transition[]
}

interface LivenessVerdict extends Verdict {
  readonly lasso?: Lasso
}

/**
 * Adds to a result what can be said of all fair runs: that they end, and that in each the
 * properties which are to hold eventually come to hold. A run is fair if no message in flight, no
 * alarm and no news for a live node is ignored for ever.
 */
export function withFairRuns(
  result: CheckResult,
  system: TransitionSystem,
  search: BreadthFirstSearch,
  options: CheckOptions,
): CheckResult {
  const eventual = options.properties.filter(({ when }) => when === 'eventually')
  if (!options.fairRuns && eventual.length === 0) return result
  const verdicts = judged(system, search, options, eventual)
  const broken = verdicts.find(({ lasso }) => lasso !== undefined)
  return {
    ...result,
    properties: [
      ...result.properties,
      ...verdicts.map(({ name, holds, detail }) => ({ name, holds, detail })),
    ],
    violated:
      result.violated ?? (broken ? violationOf(broken.name, broken.lasso!, system, options) : null),
  }
}

function violationOf(
  property: string,
  { stem, loop }: Lasso,
  { effects }: TransitionSystem,
  { mode, faults }: CheckOptions,
): Counterexample {
  const story = explainRun([...stem, ...loop], mode, effects, faults?.dead)
  // Nothing is unheard in a loop: news do not come again. So all its moves are told.
  const endless = loop.length > 0 && { loop: story.trace.length - loop.length + 1 }
  return { property, shortest: false, ...story, ...endless }
}

const NO_RETURN = { holds: true, detail: 'no state can be reached from itself' }
const AT_THE_END = { holds: true, detail: 'in every run, since all end and it holds at the end' }

/** Where no state can be reached from itself all runs end, and it is enough to look at the ends. */
function judged(
  system: TransitionSystem,
  { reason, onward, reduced, judge }: BreadthFirstSearch,
  options: CheckOptions,
  properties: readonly Property[],
): LivenessVerdict[] {
  const { limits } = options
  const open = (detail: string) =>
    [ENDS, ...properties.map(({ name }) => name)].map((name) => ({ name, holds: null, detail }))
  if (reason !== null) return open(`not decided, since ${reason}`)
  if (system.effects.cut) return open('not checked: runs that take more draws are cut')
  const atTheEnd = (property: Property) => !judge.missed.has(property)
  if (!onward && !allEnd(system, options, reduced)) {
    system.restart()
    const graph = new StateGraph(system, limits)
    if (graph.reason !== null) return open(`not decided, since ${graph.reason}`)
    const end = ending(graph, limits)
    const late = properties.map((property) => ({
      name: property.name,
      ...(strongComponents(graph).loops.length === 0 && atTheEnd(property)
        ? AT_THE_END
        : reaching(system, limits, property)),
    }))
    return [{ name: ENDS, ...end }, ...late]
  }
  return [
    { name: ENDS, ...NO_RETURN },
    ...properties.map((property) => ({
      name: property.name,
      ...(atTheEnd(property) ? AT_THE_END : reaching(system, limits, property)),
    })),
  ]
}

/**
 * Whether a graph of enough moves shows that all runs end; false where nothing may be left out. If
 * a run from a state goes on for ever, so does one that begins with a move that was not left out:
 * it makes the first of those that it makes at all now, or one that it never makes nor hinders.
 */
function allEnd(
  system: TransitionSystem,
  { limits, exact = false }: CheckOptions,
  reduced: boolean,
): boolean {
  const plain = FastSuccessors.of(system)
  if (plain === null || PersistentSets.hindrance(system, []) !== null) return false
  const reduction = new PersistentSets(system, [])
  if (!reduced && leadsOnward(system, { reduction, exact }, limits)) return true
  let outdated: boolean
  let graph: StateGraph
  const moves = (visit: Visit) => {
    plain.find()
    const some = reduction.choose(plain)
    for (let i = 0; i < plain.count; i++) {
      if (some && !reduction.includes(plain, i)) continue
      plain.make(i)
      visit(plain.move(i))
      system.vector.undo()
    }
    if (reduction.revise(plain)) outdated = true
  }
  do {
    outdated = false
    system.restart()
    graph = new StateGraph(system, limits, { moves, beyond: () => !outdated })
  } while (outdated)
  return graph.reason === null && strongComponents(graph).loops.length === 0
}

/** Whether each move leads to a state that is found later, which takes less to see than a graph. */
function leadsOnward(
  system: TransitionSystem,
  manner: SearchSettings,
  limits: SearchBudget,
): boolean {
  let search: BreadthFirstSearch
  do {
    search = new BreadthFirstSearch(system, [], limits, undefined, manner)
    search.run()
  } while (search.outdated)
  return search.reason === null && search.onward
}

/** Whether runs can stay in a graph for ever. */
function ending(graph: StateGraph, { expired }: SearchBudget): Omit<LivenessVerdict, 'name'> {
  const components = strongComponents(graph)
  if (components.loops.length === 0) return NO_RETURN
  const loops = components.loops.map((members) => new Loop(graph, components, members))
  const fairness = loops.map((loop) => loop.fairness(expired))
  const fair = loops.filter((_, i) => fairness[i] === 'fair')
  const sure = fair.filter(({ gambles }) => !gambles).sort((a, b) => a.nearest - b.nearest)[0]
  if (sure !== undefined) {
    const loop = sure.round()
    return {
      holds: false,
      detail: roundInWords(loop.length),
      lasso: { stem: graph.movesTo(sure.nearest), loop },
    }
  }
  if (fairness.includes('undecided'))
    return { holds: null, detail: 'not decided, since the time was over' }
  if (fair.length > 0)
    return { holds: null, detail: 'not checked: only unlucky coins make a run go on for ever' }
  if (fairness.includes('unclear'))
    return {
      holds: null,
      detail: 'not checked: a run goes on for ever if an alarm is set anew before it goes off',
    }
  return { holds: true, detail: 'what goes round in circles ignores something for ever' }
}

/** Looks only at states before the property first holds: nothing may end or stay there. */
function reaching(
  system: TransitionSystem,
  limits: SearchBudget,
  property: Property,
): Omit<LivenessVerdict, 'name'> {
  system.restart()
  const judge = new PropertyEvaluator([], system)
  const beyond = () => judge.wrong(property) !== null
  const graph = new StateGraph(system, limits, { beyond })
  if (graph.reason !== null) return { holds: null, detail: `not decided, since ${graph.reason}` }
  for (let state = 0; state < graph.size; state++) {
    if (!graph.quiet(state)) continue
    graph.states.load(state, system.vector)
    const wrong = judge.wrong(property)
    if (wrong === null) continue
    const lasso = { stem: graph.movesTo(state), loop: [] }
    return { holds: false, detail: `${wrong} when a run ends`, lasso }
  }
  const { holds, detail, lasso } = ending(graph, limits)
  if (holds === true) return { holds, detail: 'in every run, sooner or later' }
  return { holds, detail, ...(lasso && { lasso }) }
}
