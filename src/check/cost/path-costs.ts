import type { StateGraph, Toll } from '../liveness/state-graph.ts'
import { type StrongComponents, strongComponents } from '../liveness/strong-components.ts'
import { Loop } from '../liveness/weak-fairness.ts'
import type { Transition } from '../model/transition.ts'

/** What a run costs, counted from its end. */
export interface PathMeasure {
  /** Where a run may end. */
  ends(graph: StateGraph, state: number): boolean
  /** What it costs there. */
  readonly nothing: number
  /** What it costs from a step on, if the rest costs so much. */
  step(toll: Toll, rest: number): number
  /** What the step adds, whatever the rest. */
  weight(toll: Toll): number
}

/** The messages of a run, with those that tell who leads or without. */
export function messages(announced: boolean): PathMeasure {
  const weight = (toll: Toll) => toll.sent - (announced ? 0 : toll.announced)
  return {
    ends: (graph, state) => graph.quiet(state),
    nothing: 0,
    step: (toll, rest) => rest + weight(toll),
    weight,
  }
}

/** The clock when somebody first leads; for a graph that ends there. */
export const clockWhenLed: PathMeasure = {
  ends: (graph, state) => graph.led(state),
  nothing: 0,
  step: ({ time }, rest) => rest + time,
  weight: ({ time }) => time,
}

const NO_RECEIPT = -1

/** The clock at the last receipt of a message; where there is none, -1. */
export const clockAtLastReceipt: PathMeasure = {
  ends: (graph, state) => graph.quiet(state),
  nothing: NO_RECEIPT,
  step: ({ time, receipt }, rest) =>
    rest === NO_RECEIPT ? (receipt ? 0 : NO_RECEIPT) : rest + time,
  weight: ({ time }) => time,
}

/** A run of the most or the least cost. */
export interface PathCost {
  /** Infinity: there is no most, since going round costs something. null: no run is measured. */
  readonly cost: number | null
  readonly moves: readonly Transition[]
  /** The last so many moves go round. */
  readonly round?: number
}

/** The most and the least that runs cost, over all that the graph holds. */
export function pathCosts(
  graph: StateGraph,
  measure: PathMeasure,
): { readonly most: PathCost; readonly least: PathCost } {
  const components = strongComponents(graph)
  const [most, least] = [true, false].map((largest) => {
    const costs = new Costs(graph, components, measure, largest)
    const cost = costs.at(0)
    if (cost === costs.absent) return { cost: null, moves: [] }
    if (cost !== Number.POSITIVE_INFINITY) return { cost, moves: costs.run() }
    return { cost, ...endless(graph, components, measure) }
  })
  return { most, least }
}

/**
 * What a run from each state on costs. Sets of states that reach each other are done from the last
 * to the first, so that what lies behind them is known. Where going round costs something there is
 * no most; where it costs nothing it changes nothing. Runs that never end and cost nothing more are
 * left out.
 */
class Costs {
  /** The cost where there is no run to measure. */
  readonly absent: number
  private readonly costs: Float64Array
  private readonly looping: Uint8Array

  constructor(
    private readonly graph: StateGraph,
    private readonly components: StrongComponents,
    private readonly measure: PathMeasure,
    private readonly most: boolean,
  ) {
    this.absent = most ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    this.costs = new Float64Array(graph.size).fill(this.absent)
    this.looping = new Uint8Array(graph.size)
    const loops = new Map(components.loops.map((members) => [components.of(members[0]), members]))
    for (const state of inOrder(graph.size, components)) {
      const members = loops.get(components.of(state))
      if (members === undefined) this.costs[state] = this.cheapest(state)
      else if (!this.looping[state]) this.settle(members)
    }
  }

  at(state: number): number {
    return this.costs[state]
  }

  /** The moves of one such run, as few as there can be. */
  run(): Transition[] {
    const { graph, costs } = this
    const edgeTo = new Map<number, number>([[0, -1]])
    const from = new Map<number, number>()
    for (const [state] of edgeTo) {
      if (this.endOf(state) === costs[state]) return this.movesAlong(state, edgeTo, from)
      for (let edge = graph.edges(state); edge < graph.edges(state + 1); edge++) {
        const target = graph.target(edge)
        if (edgeTo.has(target) || this.along(edge) !== costs[state]) continue
        edgeTo.set(target, edge)
        from.set(target, state)
      }
    }
    return []
  }

  private movesAlong(
    end: number,
    edgeTo: ReadonlyMap<number, number>,
    from: ReadonlyMap<number, number>,
  ): Transition[] {
    const { graph } = this
    const moves: Transition[] = []
    for (let state = end; from.has(state); state = from.get(state)!) {
      const before = from.get(state)!
      moves.push(graph.steps(before)[edgeTo.get(state)! - graph.edges(before)].move)
    }
    return moves.reverse()
  }

  private endOf(state: number): number {
    const { measure, graph, absent } = this
    return measure.ends(graph, state) ? measure.nothing : absent
  }

  private along(edge: number): number {
    const rest = this.costs[this.graph.target(edge)]
    if (!Number.isFinite(rest)) return rest
    return this.measure.step(this.graph.toll(edge), rest)
  }

  private better(a: number, b: number): number {
    return this.most ? Math.max(a, b) : Math.min(a, b)
  }

  private cheapest(state: number): number {
    const { graph } = this
    let best = this.better(this.endOf(state), this.costs[state])
    for (let edge = graph.edges(state); edge < graph.edges(state + 1); edge++)
      best = this.better(best, this.along(edge))
    return best
  }

  /** Looks at the members until nothing changes any more. */
  private settle(members: readonly number[]): void {
    for (const state of members) this.looping[state] = 1
    if (this.most && members.some((state) => this.paysInside(state))) {
      for (const state of members) this.costs[state] = Number.POSITIVE_INFINITY
      return
    }
    for (let changed = true; changed; ) {
      changed = false
      for (const state of members) {
        const cost = this.cheapest(state)
        if (cost === this.costs[state]) continue
        this.costs[state] = cost
        changed = true
      }
    }
  }

  private paysInside(state: number): boolean {
    const { graph, components, measure } = this
    for (let edge = graph.edges(state); edge < graph.edges(state + 1); edge++)
      if (
        components.of(graph.target(edge)) === components.of(state) &&
        measure.weight(graph.toll(edge)) > 0
      )
        return true
    return false
  }
}

/** The states by the numbers of their sets, from the last set that is reached to the first. */
function inOrder(size: number, components: StrongComponents): Uint32Array {
  const next = new Uint32Array(components.count + 1)
  for (let state = 0; state < size; state++) next[components.of(state) + 1]++
  for (let i = 1; i < next.length; i++) next[i] += next[i - 1]
  const order = new Uint32Array(size)
  for (let state = 0; state < size; state++) order[next[components.of(state)]++] = state
  return order
}

/** The way to the nearest states where going round costs something, and once round. */
function endless(
  graph: StateGraph,
  components: StrongComponents,
  measure: PathMeasure,
): Pick<PathCost, 'moves' | 'round'> {
  const loops = components.loops
    .map((members) => new Loop(graph, components, members))
    .sort((a, b) => a.nearest - b.nearest)
  for (const loop of loops) {
    const round = loop.roundWith((move) => measure.weight(graph.tollOf(move)) > 0)
    if (round !== null)
      return { moves: [...graph.movesTo(loop.nearest), ...round], round: round.length }
  }
  return { moves: [] }
}
