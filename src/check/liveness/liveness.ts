import { ALMOST_SURELY, type Property, type Verdict } from '../../core/language/problem.ts'
import type { CheckOptions, CheckResult, Counterexample } from '../check.ts'
import { explainRun } from '../counterexample/explain.ts'
import type { Transition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { isLiveness, PropertyEvaluator, TERMINATION } from '../properties/property-evaluator.ts'
import { partialOrder, whyUnreducible } from '../reduction/partial-order.ts'
import { StateOrbits } from '../reduction/state-orbits.ts'
import { BreadthFirstSearch, type SearchSettings } from '../search/breadth-first.ts'
import { EXPANSION, examineInTime, GraphWatch, type SearchBudget } from '../search/budget.ts'
import { reducedGraph, StateGraph } from './state-graph.ts'

import { endComponents, type StrongComponents, strongComponents } from './strong-components.ts'
import { CyclicComponent, cycleInWords } from './weak-fairness.ts'

/** A lasso: a stem, and then a cycle that repeats forever; the cycle is empty if the run ends. */
interface Lasso {
  readonly stem: readonly Transition[]
  readonly cycle: readonly Transition[]
}

export interface LivenessVerdict extends Verdict {
  readonly lasso?: Lasso
}

/**
 * Adds the liveness verdicts to a result: every weakly fair run ends, in each of them the
 * `eventually` properties come to hold, and those that must hold from some time on do so. A run is
 * weakly fair if no message in flight, no armed timer and no pending notice for a live node is
 * ignored forever. Where nodes make random choices, that is decided up to probability 0: no
 * schedule keeps a run from its end but by luck. An algorithm that never falls silent has no run
 * that ends.
 */
export function withLiveness(
  result: CheckResult,
  system: TransitionSystem,
  search: BreadthFirstSearch,
  options: CheckOptions,
): CheckResult {
  const properties = options.properties.filter(({ when }) => isLiveness(when))
  const ends = options.fairRuns === true && system.cache.world.algorithm.quiet !== 'never'
  if (!ends && properties.length === 0) return result
  const undecided = (detail: string) =>
    [TERMINATION, ...properties.map(({ name }) => name)].map((name) => ({
      name,
      holds: null,
      detail,
    }))
  const verdicts = examineInTime(
    () => livenessVerdicts(system, search, options, properties, ends, undecided),
    (reason) => undecided(`not decided because ${reason}`),
  ).filter(({ name }) => ends || name !== TERMINATION)
  const violated = verdicts.find(({ lasso }) => lasso !== undefined)
  return {
    ...result,
    properties: [
      ...result.properties,
      ...verdicts.map(({ name, holds, detail }) => ({ name, holds, detail })),
    ],
    violated:
      result.violated ??
      (violated ? counterexampleOf(violated.name, violated.lasso!, system, options) : null),
  }
}

function counterexampleOf(
  property: string,
  { stem, cycle }: Lasso,
  { cache }: TransitionSystem,
  { mode, faults }: CheckOptions,
): Counterexample {
  const run = explainRun([...stem, ...cycle], mode, cache, faults?.dead)
  // A notice is delivered once, so no `unheard` is in a cycle: all its transitions are explained.
  const loop = cycle.length > 0 && { loop: run.trace.length - cycle.length + 1 }
  return { property, shortest: false, ...run, ...loop }
}

const ACYCLIC = { holds: true, detail: 'the state graph has no cycle' }
const REACHABLE = {
  holds: true,
  detail: `${ALMOST_SURELY}, since an end is reachable from every state under every schedule`,
}
const EVENTUALLY = `${ALMOST_SURELY}, eventually`
const AT_THE_END = { holds: true, detail: 'every run ends, and it holds at the end' }

/** Without a cycle all runs end, and it is enough to evaluate the final states. */
function livenessVerdicts(
  system: TransitionSystem,
  { reason, forwardOnly, reduced, evaluator }: BreadthFirstSearch,
  options: CheckOptions,
  properties: readonly Property[],
  ends: boolean,
  undecided: (detail: string) => LivenessVerdict[],
): LivenessVerdict[] {
  const { limits } = options
  if (reason !== null) return undecided(`not decided because ${reason}`)
  if (system.lossy) return undecided('not checked: on lossy links messages may be lost forever')
  if (system.cache.drawLimitReached)
    return undecided('not checked: runs with more random choices are cut')
  if (system.cache.boundReached) return undecided('not checked: runs beyond the bound are cut')
  const atTheEnd = (property: Property) => !evaluator.notAtEnd.has(property)
  const acyclic = forwardOnly || reducedGraphIsAcyclic(system, options, reduced)
  const needsGraph = ({ when }: Property) => when === 'from some time on'
  const needed = !acyclic || properties.some((it) => needsGraph(it) && !atTheEnd(it))
  const decide = (orbits: StateOrbits | null): LivenessVerdict[] => {
    const graph = needed ? wholeGraph(system, limits, orbits) : null
    if (graph !== null && graph.reason !== null)
      return undecided(`not decided because ${graph.reason}`)
    const watch = graph && new GraphWatch(limits, graph)
    const components = watch && strongComponents(graph!, watch.begin('cycles'))
    const noCycle = acyclic || components!.cyclic.length === 0
    const termination =
      noCycle || !ends
        ? ACYCLIC
        : examineInTime(() => terminationIn(graph!, components!, watch!), notDecided)
    const others = properties.map((property) => ({
      name: property.name,
      ...(noCycle && atTheEnd(property)
        ? AT_THE_END
        : examineInTime(
            () =>
              needsGraph(property)
                ? fromSomeTimeOn(graph!, components!, watch!, property)
                : eventually(system, limits, property),
            notDecided,
          )),
    }))
    return [{ name: TERMINATION, ...termination }, ...others]
  }
  // Where nodes meet, runs stay in a component that is closed: unlike fairness, that names no node.
  const meets = needed && system.meetings !== null
  const orbits = meets ? orbitsIn(system, options, properties) : null
  const found = orbits && decide(orbits)
  return found?.every(({ holds }) => holds === true) ? found : decide(null)
}

function notDecided(reason: string): Omit<LivenessVerdict, 'name'> {
  return { holds: null, detail: `not decided because ${reason}` }
}

/** The orbits of a system where symmetry reduction applies; null elsewhere. */
function orbitsIn(
  system: TransitionSystem,
  { reduction }: CheckOptions,
  properties: readonly Property[],
): StateOrbits | null {
  const orbits = reduction === 'auto' ? StateOrbits.of(system, properties) : null
  return orbits instanceof StateOrbits ? orbits : null
}

function wholeGraph(
  system: TransitionSystem,
  limits: SearchBudget,
  orbits: StateOrbits | null,
): StateGraph {
  system.reset()
  return new StateGraph(system, limits, { orbits })
}

/** Whether the reduced graph has no cycle; then all runs end. false if no reduction applies. */
function reducedGraphIsAcyclic(
  system: TransitionSystem,
  options: CheckOptions,
  reduced: boolean,
): boolean {
  if (whyUnreducible(system, []) !== null) return false
  const { limits, exact = false } = options
  const orbits = orbitsIn(system, options, [])
  const reduction = partialOrder(system, [], { orbits })
  if (!reduced && searchIsForwardOnly(system, { ...reduction, exact, orbits }, limits)) return true
  const graph = reducedGraph(system, limits, reduction, orbits)
  if (graph.reason !== null) return false
  return strongComponents(graph, new GraphWatch(limits, graph).begin('cycles')).cyclic.length === 0
}

/** Whether every transition leads to a state discovered later; cheaper than building the graph. */
function searchIsForwardOnly(
  system: TransitionSystem,
  settings: SearchSettings,
  limits: SearchBudget,
): boolean {
  let search: BreadthFirstSearch
  do {
    search = new BreadthFirstSearch(system, [], limits, settings)
    search.run()
  } while (search.assumptionFailed)
  return search.reason === null && search.forwardOnly
}

/** Whether no fair run stays in the graph forever, other than with probability 0. */
function terminationIn(
  graph: StateGraph,
  components: StrongComponents,
  watch: GraphWatch,
): Omit<LivenessVerdict, 'name'> {
  if (components.cyclic.length === 0) return ACYCLIC
  watch.begin('fairness')
  let byChance = false
  const stays = components.cyclic.flatMap((members) => {
    const component = new CyclicComponent(graph, components, members, watch)
    const fairness = component.fairness()
    if (fairness === 'unfair') return []
    if (!component.hasRandomChoices) return { component, fairness }
    byChance = true
    return endComponents(graph, members, watch).map((part) => {
      const stay = new CyclicComponent(graph, components, part.members, watch, part.edges)
      return { component: stay, fairness: stay.fairness() }
    })
  })
  const [certain] = stays
    .filter(({ fairness }) => fairness === 'fair')
    .map(({ component }) => component)
    .sort((a, b) => a.entry - b.entry)
  if (certain !== undefined) {
    const cycle = certain.fairCycle()
    return {
      holds: false,
      detail: cycleInWords(cycle.length),
      lasso: { stem: graph.pathTo(certain.entry, watch), cycle },
    }
  }
  if (stays.some(({ fairness }) => fairness === 'unclear'))
    return {
      holds: null,
      detail: 'not checked: a run continues forever if a timer is always rearmed before it fires',
    }
  return byChance ? REACHABLE : { holds: true, detail: 'every cycle is unfair' }
}

/** Explores only states before the property first holds: no run may end or stay there. */
function eventually(
  system: TransitionSystem,
  limits: SearchBudget,
  property: Property,
): Omit<LivenessVerdict, 'name'> {
  system.reset()
  const evaluator = new PropertyEvaluator([], system)
  const expands = () => evaluator.violationOf(property) !== null
  const graph = new StateGraph(system, limits, { expands })
  if (graph.reason !== null) return notDecided(graph.reason)
  const watch = new GraphWatch(limits, graph).begin('cycles')
  for (let state = 0; state < graph.size; state++) {
    watch.step()
    if (!graph.quiescent(state)) continue
    watch.step(EXPANSION)
    graph.states.load(state, system.vector)
    const violation = evaluator.violationOf(property)
    if (violation === null) continue
    const lasso = { stem: graph.pathTo(state, watch), cycle: [] }
    return { holds: false, detail: `${violation} when a run ends`, lasso }
  }
  const { holds, detail, lasso } = terminationIn(graph, strongComponents(graph, watch), watch)
  if (holds === true)
    return { holds, detail: detail === REACHABLE.detail ? EVENTUALLY : 'in every run, eventually' }
  return { holds, detail, ...(lasso && { lasso }) }
}

/**
 * Whether a property holds from some time on in every weakly fair run: it must hold wherever a run
 * ends, and in every state of a component in which a fair run can stay. The run that takes all
 * transitions of a component again and again visits all its states.
 */
function fromSomeTimeOn(
  graph: StateGraph,
  components: StrongComponents,
  watch: GraphWatch,
  property: Property,
): Omit<LivenessVerdict, 'name'> {
  const { system, states } = graph
  const evaluator = new PropertyEvaluator([], system)
  watch.begin('fairness')
  const violationIn = (state: number) => {
    watch.step(EXPANSION)
    states.load(state, system.vector)
    return evaluator.violationOf(property)
  }
  for (let state = 0; state < graph.size; state++) {
    watch.step()
    const violation = graph.quiescent(state) ? violationIn(state) : null
    if (violation === null) continue
    const lasso = { stem: graph.pathTo(state, watch), cycle: [] }
    return { holds: false, detail: `${violation} when a run ends`, lasso }
  }
  const suspects = components.cyclic
    .map((members) => ({
      component: new CyclicComponent(graph, components, members, watch),
      broken: members.find((state) => violationIn(state) !== null),
    }))
    .filter(({ broken }) => broken !== undefined)
    .map((suspect) => ({ ...suspect, fairness: suspect.component.fairness() }))
  const fair = suspects
    .filter(({ fairness }) => fairness === 'fair')
    .sort((a, b) => a.component.entry - b.component.entry)
  const certain = fair.find(({ component }) => !component.mayBeLeftByChance)
  if (certain !== undefined) {
    const { component, broken } = certain
    const cycle = component.fairCycle(broken)
    const detail = `${violationIn(broken!)}, again and again: ${cycleInWords(cycle.length)}`
    return { holds: false, detail, lasso: { stem: graph.pathTo(component.entry, watch), cycle } }
  }
  if (fair.length > 0)
    return {
      holds: null,
      detail: 'not checked: it is broken again and again only through unlucky random choices',
    }
  if (suspects.length > 0 && suspects.some(({ fairness }) => fairness === 'unclear'))
    return {
      holds: null,
      detail:
        'not checked: it is broken again and again if a timer is always rearmed before it fires',
    }
  if (system.meetings !== null) return { holds: true, detail: REACHED }
  const cycles = components.cyclic.length
  return { holds: true, detail: cycles === 0 ? 'every run ends, and it holds at the end' : ALWAYS }
}

const REACHED = 'from every state it is reached, and then it holds forever'
const ALWAYS = 'in every state that a fair run repeats'
