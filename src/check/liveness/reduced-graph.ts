import type { Visit } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { PartialOrder } from '../reduction/partial-order.ts'
import type { StateOrbits } from '../reduction/state-orbits.ts'
import type { SearchBudget } from '../search/budget.ts'
import { FastSuccessors } from '../search/fast-successors.ts'
import { StateGraph } from './state-graph.ts'

/**
 * The graph of persistent or stubborn sets, without the cycle proviso. If it has no cycle, the
 * graph of all states has none: where some run from a state is infinite, so is one that begins with
 * a transition of the set, either the first of them that the run takes, taken now, or one that the
 * run never takes nor disables. And then each run that ends has an equivalent one in this graph,
 * with the same steps in another order: a run cannot end without an event of the set.
 *
 * With orbits it is the quotient graph: an infinite run continues from every state of an orbit, so
 * that the first half holds there, too.
 */
export function reducedGraph(
  system: TransitionSystem,
  limits: SearchBudget,
  reduction: PartialOrder,
  orbits: StateOrbits | null = null,
): StateGraph {
  const some = someSuccessors(system, reduction)
  let assumptionFailed: boolean
  let graph: StateGraph
  const successors = (visit: Visit) => {
    if (some(visit)) assumptionFailed = true
  }
  do {
    assumptionFailed = false
    system.reset()
    const expands = () => !assumptionFailed
    graph = new StateGraph(system, limits, { successors, expands, orbits })
  } while (assumptionFailed)
  return graph
}

/** Enumerates the transitions of the set, or all; returns whether an assumption failed. */
function someSuccessors(
  system: TransitionSystem,
  { persistentSets, stubbornSets }: PartialOrder,
): (visit: Visit) => boolean {
  if (stubbornSets !== null)
    return (visit) => {
      const owners = stubbornSets.choose() ? stubbornSets.inside : null
      system.successors((transition) => {
        stubbornSets.see(transition)
        visit(transition)
      }, owners)
      return stubbornSets.revise()
    }
  const fast = FastSuccessors.of(system)!
  return (visit) => {
    fast.enumerate()
    const some = persistentSets!.choose(fast)
    for (let i = 0; i < fast.count; i++) {
      if (some && !persistentSets!.includes(fast, i)) continue
      fast.apply(i)
      visit(fast.transition(i))
      system.vector.undo()
    }
    return persistentSets!.revise(fast)
  }
}
