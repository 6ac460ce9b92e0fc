import type { Property } from '../../core/language/problem.ts'
import { type TransitionJson, transitionJson } from '../counterexample/transition-json.ts'
import { StateGraph } from '../liveness/state-graph.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { PropertyEvaluator } from '../properties/property-evaluator.ts'

/** A state of a drawn graph. */
export interface DrawnState {
  /** Equal to the key of a walk that has reached it. */
  readonly key: string
  /** The distance from the initial state. */
  readonly depth: number
  /** The states of all nodes, in readable form. */
  readonly states: readonly Readonly<Record<string, unknown>>[]
  readonly leaders: readonly number[]
  /** Whether a run may end there. */
  readonly ends: boolean
  /** The violated property, if there is one. */
  readonly violated: string | null
}

/** An edge between two states, by their numbers. */
export interface DrawnEdge {
  readonly from: number
  readonly to: number
  readonly transition: TransitionJson
}

/** A whole state graph; state 0 is the initial one. */
export interface DrawnGraph {
  readonly states: readonly DrawnState[]
  readonly edges: readonly DrawnEdge[]
}

/** The state graph of a small world; null if it has more states than the limit. */
export function drawnGraph(
  system: TransitionSystem,
  properties: readonly Property[],
  most: number,
  stateOf: (node: number) => Readonly<Record<string, unknown>>,
): DrawnGraph | null {
  system.reset()
  const graph = new StateGraph(system, { states: most })
  if (graph.reason !== null) return null
  const { vector, cache, n } = system
  const evaluator = new PropertyEvaluator(properties, system)
  const states: DrawnState[] = []
  const edges: DrawnEdge[] = []
  const depths = [0]
  for (let from = 0; from < graph.size; from++) {
    const known = new Set<string>()
    for (const { transition, target } of graph.edgesFrom(from)) {
      const json = transitionJson(transition, cache)
      // Messages that differ only in age look the same.
      const same = `${target} ${JSON.stringify(json)}`
      if (known.has(same)) continue
      known.add(same)
      depths[target] ??= depths[from] + 1
      edges.push({ from, to: target, transition: json })
    }
    graph.states.load(from, vector)
    const ends = graph.quiescent(from)
    const broken = properties.find(
      (property) =>
        (property.when === 'always' || (property.when === 'at the end' && ends)) &&
        evaluator.violationOf(property) !== null,
    )
    states.push({
      key: vector.cells.join(),
      depth: depths[from],
      states: Array.from({ length: n }, (_, node) => stateOf(node)),
      leaders: leadersIn(system),
      ends,
      violated: broken?.name ?? null,
    })
  }
  return { states, edges }
}

/** The positions of the live leaders in the loaded state. */
export function leadersIn({ cache, vector, n }: TransitionSystem): number[] {
  return Array.from({ length: n }, (_, node) => node).filter((node) => {
    const { list, dead } = cache.localStates[node]
    const local = vector.cells[node]
    return !dead[local] && list[local].state.status === 'leader'
  })
}
