import { GrowableArray } from '../../core/runtime/growable-array.ts'
import type { GraphWatch } from '../search/budget.ts'

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
