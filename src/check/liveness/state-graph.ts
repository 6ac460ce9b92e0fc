import { GrowableArray } from '../../core/runtime/growable-array.ts'
import { Interner } from '../model/interner.ts'
import type { StateVector } from '../model/state-vector.ts'
import type { Transition, Visit } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { PartialOrder } from '../reduction/partial-order.ts'
import type { StateOrbits } from '../reduction/state-orbits.ts'
import {
  budgetReason,
  checkInterval,
  EXPANSION,
  type GraphWatch,
  type SearchBudget,
  stateLimitReason,
  timeLimitReason,
} from '../search/budget.ts'
import { FastSuccessors } from '../search/fast-successors.ts'
import { StateSet } from '../search/state-set.ts'

/** What one transition adds to the cost of a run. */
export interface TransitionCost {
  readonly sent: number
  /** Of these, the messages that announce the leader. */
  readonly announced: number
  readonly time: number
  /** Whether a live node received a message. */
  readonly receive: boolean
}

/** An edge: the transition and its target. */
export interface GraphEdge {
  readonly transition: Transition
  readonly target: number
}

/** The part of the graph to build; by default all states and transitions. */
export interface GraphScope {
  /** Enumerates transitions of the loaded state. */
  readonly successors?: (visit: Visit) => void
  /** Whether the loaded state is expanded. */
  readonly expands?: (hasLeader: boolean) => boolean
  /** The quotient graph: one canonical state of each orbit. Its paths are no runs. */
  readonly orbits?: StateOrbits | null
}

const QUIESCENT = 1
const HAS_LEADER = 2

/**
 * The explicit state graph, for questions about whole runs: their cost, and whether they can cycle.
 * States are numbered breadth-first from 0, the initial state, which must be loaded. They are
 * stored whole: no result about this graph depends on fingerprints.
 */
export class StateGraph {
  /** Why the graph is incomplete; null if it is complete. */
  reason: string | null = null
  readonly states: StateSet
  private readonly first = new GrowableArray()
  private readonly targets = new GrowableArray()
  private readonly labels = new GrowableArray()
  private readonly flags = new GrowableArray()
  private readonly parents = new GrowableArray()
  private readonly costs = new Interner<TransitionCost>()
  private readonly labelCache = new Map<Transition, number>()
  private readonly successors: (visit: Visit) => void
  private readonly orbits: StateOrbits | null

  constructor(
    readonly system: TransitionSystem,
    private readonly limits: SearchBudget,
    scope: GraphScope = {},
  ) {
    const { successors = (visit: Visit) => system.successors(visit), expands = () => true } = scope
    this.successors = successors
    this.orbits = scope.orbits ?? null
    const { vector } = system
    this.states = new StateSet(vector.width)
    this.addState(0)
    const visit: Visit = (transition) => this.addEdge(transition, state)
    const interval = checkInterval(vector.width)
    let state = 0
    let timedRuns = 0
    for (; state < this.size && this.reason === null; state++) {
      if (state % interval === 0) this.checkBudget(state)
      else if (system.cache.handlerRuns > timedRuns) this.reason = timeLimitReason(limits)
      timedRuns = system.cache.handlerRuns
      if (this.reason !== null) break
      this.first.push(this.targets.length)
      this.states.load(state, vector)
      if (expands(this.hasLeader(state))) successors(visit)
    }
    for (; state <= this.size; state++) this.first.push(this.targets.length)
  }

  get size(): number {
    return this.states.size
  }

  /** Whether a run may end there. */
  quiescent(state: number): boolean {
    return (this.flags.at(state) & QUIESCENT) !== 0
  }

  /** Whether some node is leader there. */
  hasLeader(state: number): boolean {
    return (this.flags.at(state) & HAS_LEADER) !== 0
  }

  /** The first edge of a state; the first edge of the next state ends them. */
  edges(state: number): number {
    return this.first.at(state)
  }

  target(edge: number): number {
    return this.targets.at(edge)
  }

  cost(edge: number): TransitionCost {
    return this.costs.list[this.labels.at(edge)]
  }

  /** The edges of a state with their transitions; leaves the state loaded. */
  edgesFrom(state: number): GraphEdge[] {
    const { states, system } = this
    const edges: GraphEdge[] = []
    states.load(state, system.vector)
    this.successors((transition) =>
      edges.push({ transition, target: states.numberOf(this.current) }),
    )
    return edges
  }

  /** The shortest path to a state. */
  pathTo(state: number, watch: GraphWatch): Transition[] {
    const path: Transition[] = []
    for (let child = state; child > 0; child = this.parents.at(child)) {
      watch.step(EXPANSION)
      const parent = this.parents.at(child)
      path.push(this.edgesFrom(parent).find(({ target }) => target === child)!.transition)
    }
    return path.reverse()
  }

  costOf(transition: Transition): TransitionCost {
    return costOf(transition, this.system)
  }

  private addEdge(transition: Transition, from: number): void {
    if (this.reason !== null) return
    let target = this.states.numberOf(this.current)
    if (target < 0) {
      this.reason = stateLimitReason(this.limits, this.size)
      if (this.reason !== null) return
      target = this.size
      this.addState(from)
    }
    this.targets.push(target)
    this.labels.push(this.labelOf(transition))
  }

  /** The state that the present one counts as. */
  private get current(): StateVector {
    const { vector } = this.system
    return this.orbits?.load(vector) ?? vector
  }

  private addState(parent: number): void {
    const { system, states } = this
    states.add(this.current)
    this.parents.push(parent)
    this.flags.push((system.quiescent ? QUIESCENT : 0) | (someNodeLeads(system) ? HAS_LEADER : 0))
  }

  /** Handler transitions are cached objects; ticks and faults are few. */
  private labelOf(transition: Transition): number {
    const known = this.labelCache.get(transition)
    if (known !== undefined) return known
    const cost = this.costOf(transition)
    const label = this.costs.intern(JSON.stringify(cost), cost)
    if ('actions' in transition) this.labelCache.set(transition, label)
    return label
  }

  private checkBudget(expanded: number): void {
    const { size, targets } = this
    const queue = { depth: 0, frontier: size - expanded, graph: true } as const
    this.limits.onProgress?.({ states: size, transitions: targets.length, ...queue })
    const arrays = [this.first, this.targets, this.labels, this.flags, this.parents]
    const edges = arrays.reduce((sum, { bytes }) => sum + bytes, 0)
    this.reason = budgetReason(this.limits, this.states.bytes + edges, this.system.cache.size)
  }
}

function costOf(transition: Transition, { cache: { messages } }: TransitionSystem): TransitionCost {
  if (transition.event === 'tick')
    return { sent: 0, announced: 0, time: transition.time, receive: false }
  const during = 'during' in transition ? transition.during : null
  const step = 'actions' in transition ? transition : during?.transition
  const sent = step?.sent.slice(0, during?.sends) ?? []
  return {
    sent: sent.length,
    announced: sent.filter(({ message }) => messages.kind(message).announces).length,
    time: 0,
    receive: step?.event === 'receive',
  }
}

function someNodeLeads({ cache: { localStates }, vector: { cells } }: TransitionSystem): boolean {
  return localStates.some(({ list, dead }, node) => {
    const local = cells[node]
    return !dead[local] && list[local].state.status === 'leader'
  })
}

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
