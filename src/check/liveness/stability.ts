import type { Property } from '../../core/language/problem.ts'
import { PropertyEvaluator } from '../properties/property-evaluator.ts'
import { EXPANSION, type GraphWatch } from '../search/budget.ts'
import type { LivenessVerdict } from './liveness.ts'
import type { StateGraph } from './state-graph.ts'
import type { StrongComponents } from './strong-components.ts'
import { CyclicComponent, cycleInWords } from './weak-fairness.ts'

/**
 * Whether a property holds from some time on in every weakly fair run: it must hold wherever a run
 * ends, and in every state of a component in which a fair run can stay. The run that takes all
 * transitions of a component again and again visits all its states.
 */
export function fromSomeTimeOn(
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
