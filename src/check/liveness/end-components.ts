import type { SearchBudget } from '../search/budget.ts'
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
 * again and again are an end component. null: the time limit was reached.
 */
export function endComponents(
  graph: StateGraph,
  states: readonly number[],
  expired: NonNullable<SearchBudget['expired']> = () => false,
): EndComponent[] | null {
  const steps = new Map(states.map((state) => [state, stepsFrom(graph, state)]))
  const found: EndComponent[] = []
  const parts = [states]
  for (const members of parts) {
    if (expired()) return null
    const inside = new Set(members)
    const staying = members.map((state) =>
      steps.get(state)!.filter((step) => step.every((edge) => inside.has(graph.target(edge)))),
    )
    const { cyclic } = strongComponents(subgraph(graph, members, staying))
    if (cyclic.length === 1 && cyclic[0].length === members.length)
      found.push({ members, edges: new Set(staying.flat(2)) })
    else parts.push(...cyclic.map((part) => part.map((index) => members[index])))
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

/** The graph of these states, numbered from 0, with the edges of these steps. */
function subgraph(
  graph: StateGraph,
  members: readonly number[],
  steps: readonly (readonly Outcomes[])[],
) {
  const numbers = new Map(members.map((state, index) => [state, index]))
  const first: number[] = []
  const targets: number[] = []
  for (const of of steps) {
    first.push(targets.length)
    for (const edge of of.flat()) targets.push(numbers.get(graph.target(edge))!)
  }
  first.push(targets.length)
  return {
    size: members.length,
    edges: (state: number) => first[state],
    target: (edge: number) => targets[edge],
  }
}
