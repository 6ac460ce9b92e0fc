import { GrowableArray } from '../../core/runtime/growable-array.ts'
import { EXPANSION, type GraphWatch } from '../search/budget.ts'
import type { StateGraph } from './state-graph.ts'

/** A graph as the algorithm reads it. */
export interface EdgeList {
  readonly size: number
  /** The first edge of a state; the first edge of the next state ends them. */
  edges(state: number): number
  target(edge: number): number
}

/** Strongly connected components. */
export interface StrongComponents {
  /** The component of a state, in reverse topological order: edges lead to smaller numbers. */
  of(state: number): number
  readonly count: number
  /** The components with an edge inside: a run can stay there forever. */
  readonly cyclic: readonly (readonly number[])[]
}

const UNVISITED = 0

/** Tarjan's algorithm (1972), iterative: paths are longer than the call stack is deep. */
export function strongComponents(graph: EdgeList, watch?: GraphWatch): StrongComponents {
  const { size } = graph
  const component = new Uint32Array(size)
  /** The smallest index that is known to be in the same component. */
  const low = new Uint32Array(size)
  /** In order of discovery, from 1. */
  const index = new Uint32Array(size)
  const assigned = new Uint8Array(size)
  const stack = new GrowableArray()
  const path = new GrowableArray()
  const nextEdge = new GrowableArray()
  const cyclic: number[][] = []
  let clock = 0
  let count = 0

  const enter = (state: number) => {
    index[state] = low[state] = ++clock
    stack.push(state)
    path.push(state)
    nextEdge.push(graph.edges(state))
  }

  const close = (root: number) => {
    const members: number[] = []
    let state: number
    do {
      state = stack.pop()
      assigned[state] = 1
      component[state] = count
      members.push(state)
    } while (state !== root)
    if (members.length > 1 || hasSelfLoop(graph, root)) cyclic.push(members)
    count++
  }

  for (let start = 0; start < size; start++) {
    if (index[start] !== UNVISITED) continue
    enter(start)
    while (path.length > 0) {
      watch?.step()
      const state = path.at(path.length - 1)
      const edge = nextEdge.at(path.length - 1)
      if (edge < graph.edges(state + 1)) {
        nextEdge.set(path.length - 1, edge + 1)
        const target = graph.target(edge)
        if (index[target] === UNVISITED) enter(target)
        else if (!assigned[target]) low[state] = Math.min(low[state], index[target])
        continue
      }
      path.pop()
      nextEdge.pop()
      if (low[state] === index[state]) close(state)
      if (path.length === 0) continue
      const parent = path.at(path.length - 1)
      low[parent] = Math.min(low[parent], low[state])
    }
  }
  return { of: (state) => component[state], count, cyclic }
}

function hasSelfLoop(graph: EdgeList, state: number): boolean {
  for (let edge = graph.edges(state); edge < graph.edges(state + 1); edge++)
    if (graph.target(edge) === state) return true
  return false
}

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
