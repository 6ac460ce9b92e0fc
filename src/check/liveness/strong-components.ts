import { GrowableArray } from '../../core/runtime/growable-array.ts'

/** What this asks of a graph. */
export interface EdgeList {
  readonly size: number
  /** The edges of a state have the numbers from this one up to that of the next state. */
  edges(state: number): number
  target(edge: number): number
}

/** Sets of states that can all reach each other, as large as they can be. */
export interface StrongComponents {
  /** The number of its set, by state: whatever it leads to outside has a smaller one. */
  of(state: number): number
  readonly count: number
  /** The sets that have an edge inside: runs can stay there for ever. */
  readonly loops: readonly (readonly number[])[]
}

const UNSEEN = 0

/** Tarjan 1972, with a stack of its own: paths are longer than a machine's stack is deep. */
export function strongComponents(graph: EdgeList): StrongComponents {
  const { size } = graph
  const component = new Uint32Array(size)
  /** In the order of being met, from 1; the earliest that is known to be in the same set. */
  const low = new Uint32Array(size)
  const met = new Uint32Array(size)
  const settled = new Uint8Array(size)
  const open = new GrowableArray()
  const path = new GrowableArray()
  const nextEdge = new GrowableArray()
  const loops: number[][] = []
  let clock = 0
  let count = 0

  const enter = (state: number) => {
    met[state] = low[state] = ++clock
    open.push(state)
    path.push(state)
    nextEdge.push(graph.edges(state))
  }

  const close = (root: number) => {
    const members: number[] = []
    let state: number
    do {
      state = open.pop()
      settled[state] = 1
      component[state] = count
      members.push(state)
    } while (state !== root)
    if (members.length > 1 || hasLoop(graph, root)) loops.push(members)
    count++
  }

  for (let start = 0; start < size; start++) {
    if (met[start] !== UNSEEN) continue
    enter(start)
    while (path.length > 0) {
      const state = path.at(path.length - 1)
      const edge = nextEdge.at(path.length - 1)
      if (edge < graph.edges(state + 1)) {
        nextEdge.set(path.length - 1, edge + 1)
        const target = graph.target(edge)
        if (met[target] === UNSEEN) enter(target)
        else if (!settled[target]) low[state] = Math.min(low[state], met[target])
        continue
      }
      path.pop()
      nextEdge.pop()
      if (low[state] === met[state]) close(state)
      if (path.length === 0) continue
      const parent = path.at(path.length - 1)
      low[parent] = Math.min(low[parent], low[state])
    }
  }
  return { of: (state) => component[state], count, loops }
}

function hasLoop(graph: EdgeList, state: number): boolean {
  for (let edge = graph.edges(state); edge < graph.edges(state + 1); edge++)
    if (graph.target(edge) === state) return true
  return false
}
