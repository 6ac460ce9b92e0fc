import { EXPANSION, type GraphWatch } from '../search/budget.ts'
import type { StateGraph } from './state-graph.ts'
import { strongComponents } from './strong-components.ts'

/** The edges of one step: several where a handler makes random choices. */
type Outcomes = readonly number[]

/** States and edges in which a run may stay, whatever random choices turn out. */
export interface EndComponent {
  readonly members: readonly number[]
  readonly edges: ReadonlySet<number>
}

/**
 * The maximal end components (de Alfaro 1997) among some states. The schedule decides which step is
 * taken, but not how its random choices turn out: a run stays inside for certain only if it avoids
 * every step of which some outcome leads outside. With probability 1 the states that a run visits
 * again and again are an end component.
 */
export function endComponents(
  graph: StateGraph,
  states: readonly number[],
  watch?: GraphWatch,
): EndComponent[] {
  const steps = new Map<number, Outcomes[]>()
  for (const state of states) {
    watch?.step(EXPANSION)
    steps.set(state, stepsFrom(graph, state))
  }
  const found: EndComponent[] = []
  const parts = [states]
  for (const members of parts) {
    const inside = new Map<number, number>()
    for (const [index, state] of members.entries()) {
      watch?.step()
      inside.set(state, index)
    }
    const staying = members.map((state) => {
      watch?.step()
      return steps.get(state)!.filter((it) => it.every((edge) => inside.has(graph.target(edge))))
    })
    const { cyclic } = strongComponents(subgraph(graph, inside, staying, watch), watch)
    if (cyclic.length === 1 && cyclic[0].length === members.length)
      found.push({ members, edges: new Set(staying.flat(2)) })
    else for (const part of cyclic) parts.push(part.map((index) => members[index]))
  }
  return found
}

/** The steps of a state. The outcomes of one follow each other. */
function stepsFrom(graph: StateGraph, state: number): Outcomes[] {
  const steps: number[][] = []
  const first = graph.edges(state)
  let begun: unknown
  let cause: unknown
  for (const [i, { transition }] of graph.edgesFrom(state).entries()) {
    const trigger = 'draws' in transition && transition.draws.length > 0 ? transition.trigger : null
    // An equal message that is delivered in its place has the same outcomes once more.
    if (trigger === null || trigger !== cause || transition === begun) {
      begun = transition
      steps.push([])
    }
    cause = trigger
    steps.at(-1)!.push(first + i)
  }
  return steps
}

/** The graph of some states, which have these numbers from 0, with the edges of these steps. */
function subgraph(
  graph: StateGraph,
  numbers: ReadonlyMap<number, number>,
  steps: readonly (readonly Outcomes[])[],
  watch?: GraphWatch,
) {
  const first: number[] = []
  const targets: number[] = []
  for (const of of steps) {
    watch?.step()
    first.push(targets.length)
    for (const edge of of.flat()) targets.push(numbers.get(graph.target(edge))!)
  }
  first.push(targets.length)
  return {
    size: numbers.size,
    edges: (state: number) => first[state],
    target: (edge: number) => targets[edge],
  }
}
