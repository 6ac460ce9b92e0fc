import type { StateGraph, TransitionCost } from '../liveness/state-graph.ts'
import { type StrongComponents, strongComponents } from '../liveness/strong-components.ts'
import { CyclicComponent } from '../liveness/weak-fairness.ts'
import type { Transition } from '../model/transition.ts'
import type { GraphWatch } from '../search/budget.ts'

/** A cost of runs, computed from the end backwards. */
export interface PathMeasure {
  /** Where a run may end. */
  isEnd(graph: StateGraph, state: number): boolean
  /** The cost at the end. */
  readonly atEnd: number
  /** The cost from a step on, given the cost of the rest. */
  step(cost: TransitionCost, rest: number): number
  /** What the step adds, independently of the rest. */
  weight(cost: TransitionCost): number
}

/** The messages of a run, with or without those that announce the leader. */
export function messages(announced: boolean): PathMeasure {
  const weight = (cost: TransitionCost) => cost.sent - (announced ? 0 : cost.announced)
  return {
    isEnd: (graph, state) => graph.quiescent(state),
    atEnd: 0,
    step: (cost, rest) => rest + weight(cost),
    weight,
  }
}

/** The time when a node first becomes leader, for a graph that ends there. */
export const clockAtElection: PathMeasure = {
  isEnd: (graph, state) => graph.hasLeader(state),
  atEnd: 0,
  step: ({ time }, rest) => rest + time,
  weight: ({ time }) => time,
}

const NO_RECEIVE = -1

/** The time when the last message is received; -1 if none is. */
export const clockAtLastReceive: PathMeasure = {
  isEnd: (graph, state) => graph.quiescent(state),
  atEnd: NO_RECEIVE,
  step: ({ time, receive }, rest) =>
    rest === NO_RECEIVE ? (receive ? 0 : NO_RECEIVE) : rest + time,
  weight: ({ time }) => time,
}

/** A run of the largest or the smallest cost. */
export interface PathCost {
  /** Infinity: there is no largest cost, since a cycle has a cost. null: no run is measured. */
  readonly cost: number | null
  readonly transitions: readonly Transition[]
  /** The number of transitions at the end that form a cycle. */
  readonly cycle?: number
}

/** The largest and the smallest cost of the runs in a graph. */
export function pathCosts(
  graph: StateGraph,
  measure: PathMeasure,
  watch: GraphWatch,
): { readonly most: PathCost; readonly least: PathCost } {
  const components = strongComponents(graph, watch.begin('costs'))
  const [most, least] = [true, false].map((largest) => {
    const costs = new ExtremalCosts(graph, components, measure, largest, watch)
    const cost = costs.at(0)
    if (cost === costs.absent) return { cost: null, transitions: [] }
    if (cost !== Number.POSITIVE_INFINITY) return { cost, transitions: costs.run() }
    return { cost, ...costlyCycle(graph, components, measure, watch) }
  })
  return { most, least }
}

/**
 * The largest or smallest cost of a run from each state, computed over the condensation in reverse
 * topological order. A cycle with a cost makes the largest cost infinite; a cycle without cost does
 * not matter. Infinite runs with finite cost are not measured.
 */
class ExtremalCosts {
  /** The cost of a state from which no run is measured. */
  readonly absent: number
  private readonly costs: Float64Array
  private readonly inCycle: Uint8Array

  constructor(
    private readonly graph: StateGraph,
    private readonly components: StrongComponents,
    private readonly measure: PathMeasure,
    private readonly most: boolean,
    private readonly watch: GraphWatch,
  ) {
    this.absent = most ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    this.costs = new Float64Array(graph.size).fill(this.absent)
    this.inCycle = new Uint8Array(graph.size)
    const cyclic = new Map(components.cyclic.map((members) => [components.of(members[0]), members]))
    for (const state of reverseTopological(graph.size, components)) {
      const members = cyclic.get(components.of(state))
      if (members === undefined) this.costs[state] = this.bestFrom(state)
      else if (!this.inCycle[state]) this.iterateToFixpoint(members)
    }
  }

  at(state: number): number {
    return this.costs[state]
  }

  /** A shortest run of this cost. */
  run(): Transition[] {
    const { graph, costs } = this
    const edgeTo = new Map<number, number>([[0, -1]])
    const from = new Map<number, number>()
    for (const [state] of edgeTo) {
      this.watch.step()
      if (this.costIfEnding(state) === costs[state])
        return this.transitionsAlong(state, edgeTo, from)
      for (let edge = graph.edges(state); edge < graph.edges(state + 1); edge++) {
        const target = graph.target(edge)
        if (edgeTo.has(target) || this.costVia(edge) !== costs[state]) continue
        edgeTo.set(target, edge)
        from.set(target, state)
      }
    }
    return []
  }

  private transitionsAlong(
    end: number,
    edgeTo: ReadonlyMap<number, number>,
    from: ReadonlyMap<number, number>,
  ): Transition[] {
    const { graph } = this
    const transitions: Transition[] = []
    for (let state = end; from.has(state); state = from.get(state)!) {
      const before = from.get(state)!
      transitions.push(graph.edgesFrom(before)[edgeTo.get(state)! - graph.edges(before)].transition)
    }
    return transitions.reverse()
  }

  private costIfEnding(state: number): number {
    const { measure, graph, absent } = this
    return measure.isEnd(graph, state) ? measure.atEnd : absent
  }

  private costVia(edge: number): number {
    const rest = this.costs[this.graph.target(edge)]
    if (!Number.isFinite(rest)) return rest
    return this.measure.step(this.graph.cost(edge), rest)
  }

  private better(a: number, b: number): number {
    return this.most ? Math.max(a, b) : Math.min(a, b)
  }

  private bestFrom(state: number): number {
    const { graph } = this
    this.watch.step(1 + graph.edges(state + 1) - graph.edges(state))
    let best = this.better(this.costIfEnding(state), this.costs[state])
    for (let edge = graph.edges(state); edge < graph.edges(state + 1); edge++)
      best = this.better(best, this.costVia(edge))
    return best
  }

  /** Iterates over a component until its costs do not change any more. */
  private iterateToFixpoint(members: readonly number[]): void {
    for (const state of members) this.inCycle[state] = 1
    if (this.most && members.some((state) => this.hasCostInside(state))) {
      for (const state of members) this.costs[state] = Number.POSITIVE_INFINITY
      return
    }
    for (let changed = true; changed; ) {
      changed = false
      for (const state of members) {
        const cost = this.bestFrom(state)
        if (cost === this.costs[state]) continue
        this.costs[state] = cost
        changed = true
      }
    }
  }

  private hasCostInside(state: number): boolean {
    const { graph, components, measure } = this
    this.watch.step()
    for (let edge = graph.edges(state); edge < graph.edges(state + 1); edge++)
      if (
        components.of(graph.target(edge)) === components.of(state) &&
        measure.weight(graph.cost(edge)) > 0
      )
        return true
    return false
  }
}

/** The states sorted by component, in reverse topological order. */
function reverseTopological(size: number, components: StrongComponents): Uint32Array {
  const next = new Uint32Array(components.count + 1)
  for (let state = 0; state < size; state++) next[components.of(state) + 1]++
  for (let i = 1; i < next.length; i++) next[i] += next[i - 1]
  const order = new Uint32Array(size)
  for (let state = 0; state < size; state++) order[next[components.of(state)]++] = state
  return order
}

/** A path to the nearest cycle with a cost, and the cycle once. */
function costlyCycle(
  graph: StateGraph,
  components: StrongComponents,
  measure: PathMeasure,
  watch: GraphWatch,
): Pick<PathCost, 'transitions' | 'cycle'> {
  const cyclic = components.cyclic
    .map((members) => new CyclicComponent(graph, components, members, watch))
    .sort((a, b) => a.entry - b.entry)
  for (const component of cyclic) {
    const cycle = component.cycleWith((transition) => measure.weight(graph.costOf(transition)) > 0)
    if (cycle !== null)
      return {
        transitions: [...graph.pathTo(component.entry, watch), ...cycle],
        cycle: cycle.length,
      }
  }
  return { transitions: [] }
}
