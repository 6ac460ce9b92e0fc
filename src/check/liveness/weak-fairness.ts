import type { Transition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { EXPANSION, type GraphWatch } from '../search/budget.ts'
import type { GraphEdge, StateGraph } from './state-graph.ts'
import type { StrongComponents } from './strong-components.ts'

/**
 * Whether a run can stay in a component forever and be weakly fair. unclear: it ignores only timers
 * that it keeps rearming; the states do not show whether they would fire before.
 */
export type WeakFairness = 'fair' | 'unfair' | 'unclear'

/**
 * Weak-fairness obligations: something that stays enabled must eventually happen. A non-empty
 * channel (without FIFO order, each message), an armed timer, a pending notice for a live node, the
 * clock. Spontaneous wake-ups and faults are no obligations.
 */
function obligationOf(transition: Transition, { unordered }: TransitionSystem): string | null {
  switch (transition.event) {
    case 'receive':
      return channelObligation(transition.trigger as Arrival, unordered)
    case 'vanish':
      return channelObligation(transition, unordered)
    case 'timeout':
      return timerObligation(transition.node, (transition.trigger as { timer: number }).timer)
    case 'down':
    case 'up':
      return `notice ${transition.node} ${(transition.trigger as { link: number }).link}`
    case 'tick':
      return 'clock'
    case 'resume':
      return resumption(transition.node)
    case 'expire':
      return `bound ${transition.node}`
    default:
      return null
  }
}

interface Arrival {
  readonly channel: number
  readonly message: number
}

function channelObligation({ channel, message }: Arrival, unordered: boolean): string {
  return `channel ${channel}${unordered ? ` ${message}` : ''}`
}

function timerObligation(node: number, timer: number): string {
  return `timer ${node} ${timer}`
}

function resumption(node: number): string {
  return `resume ${node}`
}

/** The obligations of the loaded state with these enabled transitions. */
export function obligationsIn(
  system: TransitionSystem,
  transitions: readonly Transition[],
): Set<string> {
  const obligations = new Set(
    transitions.flatMap((transition) => obligationOf(transition, system) ?? []),
  )
  // A timer that waits for messages is an obligation too: it must not wait forever.
  if (system.mode === 'patient')
    for (const [node, { list }] of system.cache.localStates.entries())
      for (const { timer } of list[system.vector.cells[node]].timers)
        obligations.add(timerObligation(node, timer))
  // With a clock these are possible only in some phases of each unit of time.
  if (system.mode === 'clocked') for (const it of clockedObligations(system)) obligations.add(it)
  return obligations
}

/** No pause lasts forever, and without a largest delay no message stays in flight forever. */
function clockedObligations(system: TransitionSystem): string[] {
  const { faults, n, cache, vector, delaysBounded, unordered } = system
  const paused = cache.localStates.flatMap((_, node) =>
    faults?.paused(node) ? resumption(node) : [],
  )
  if (delaysBounded) return paused
  const inFlight = cache.channels.flatMap((contents, channel) =>
    contents
      .inFlight(vector.cells[n + channel])
      .map(({ message }) => channelObligation({ channel, message }, unordered)),
  )
  return [...paused, ...inFlight]
}

/** One step of a cycle: the transition taken, the enabled ones, and the obligations. */
export interface CycleStep {
  readonly taken: Transition
  readonly enabled: readonly Transition[]
  readonly obligations: ReadonlySet<string>
}

/** Whether a cycle is weakly fair and can be repeated forever, whatever is chosen at random. */
export function isFairCycle(cycle: readonly CycleStep[], system: TransitionSystem): boolean {
  const met = new Set(cycle.map(({ taken }) => obligationOf(taken, system)))
  const ignored = [...cycle[0].obligations].filter(
    (obligation) =>
      !met.has(obligation) && cycle.every(({ obligations }) => obligations.has(obligation)),
  )
  return ignored.length === 0 && !cycle.some(({ taken }) => hasRandomChoice(taken))
}

/** How an infinite run continues. */
export function cycleInWords(steps: number): string {
  return steps === 1 ? 'the last step repeats forever' : `the last ${steps} steps repeat forever`
}

function hasRandomChoice(transition: Transition): boolean {
  return 'draws' in transition && transition.draws.length > 0
}

/** An edge with the obligation that it meets. Its target may be outside the graph: -1. */
interface ObligedEdge extends GraphEdge {
  readonly obligation: string | null
  /** Whether a run that stays in the component may take it. */
  readonly inside: boolean
}

/** A state of the component, expanded. */
interface ComponentState {
  readonly edges: readonly ObligedEdge[]
  readonly obligations: ReadonlySet<string>
}

/**
 * A strongly connected component with a cycle: a run can stay there forever. Or a part of one that
 * has only some of its edges.
 */
export class CyclicComponent {
  private readonly expanded = new Map<number, ComponentState>()
  /** The state that is nearest to the initial state. */
  readonly entry: number

  constructor(
    private readonly graph: StateGraph,
    private readonly components: StrongComponents,
    readonly members: readonly number[],
    private readonly watch: GraphWatch,
    private readonly edges: ReadonlySet<number> | null = null,
  ) {
    this.entry = members.reduce((a, b) => Math.min(a, b))
  }

  /**
   * Whether a run that stays here can be fair. The run that takes all transitions inside again and
   * again meets at least as many obligations as any other. Edges are not stored: the component may
   * have millions of states.
   */
  fairness(): WeakFairness {
    // A random meeting leaves the component some day, with probability 1, where one leads outside.
    if (this.graph.system.meetings !== null) return this.isClosed ? 'fair' : 'unfair'
    const met = new Set<string>()
    const rearmed = new Set<string>()
    /** Obligations of all states so far that no transition inside has met. */
    let ignored: string[] | null = null
    for (const state of this.members) {
      const { edges, obligations } = this.expand(state)
      for (const { transition, inside, obligation } of edges) {
        if (!inside) continue
        if (obligation !== null) met.add(obligation)
        if ('armed' in transition)
          for (const timer of transition.armed) rearmed.add(timerObligation(transition.node, timer))
      }
      const before: string[] = ignored ?? [...obligations]
      ignored = before.filter((obligation) => obligations.has(obligation) && !met.has(obligation))
      if (ignored.length === 0) return 'fair'
    }
    return ignored!.every((obligation) => rearmed.has(obligation)) ? 'unclear' : 'unfair'
  }

  /** Whether some transition depends on a random choice, which may leave the component. */
  get hasRandomChoices(): boolean {
    return this.members.some((state) => {
      this.watch.step(EXPANSION)
      return this.graph.edgesFrom(state).some(({ transition }) => hasRandomChoice(transition))
    })
  }

  /**
   * Whether a random choice may make a run leave that would stay otherwise. Where no transition
   * leads outside, no choice does.
   */
  get mayBeLeftByChance(): boolean {
    return this.hasRandomChoices && !this.isClosed
  }

  /** Whether no transition leads outside. */
  private get isClosed(): boolean {
    return this.members.every((state) => {
      this.watch.step()
      for (let edge = this.graph.edges(state); edge < this.graph.edges(state + 1); edge++)
        if (!this.contains(this.graph.target(edge))) return false
      return true
    })
  }

  /**
   * A fair cycle through the entry, and through another state if one is given. Each obligation of
   * the entry is met on the way, or not enabled in some state on the way.
   */
  fairCycle(through = this.entry): Transition[] {
    const { entry } = this
    const open = new Set(this.at(entry).obligations)
    const meets = ({ from, edge }: PathEdge, obligation: string) =>
      edge.obligation === obligation || !this.at(from).obligations.has(obligation)
    const path: PathEdge[] = []
    const extend = (wanted: (last: PathEdge) => boolean) => {
      path.push(...this.shortestPath(path.at(-1)?.edge.target ?? entry, wanted))
      for (const step of path)
        for (const obligation of open) if (meets(step, obligation)) open.delete(obligation)
    }
    if (through !== entry) extend(({ edge }) => edge.target === through)
    for (const obligation of open) extend((last) => meets(last, obligation))
    if (path.at(-1)?.edge.target !== entry) extend(({ edge }) => edge.target === entry)
    return path.map(({ edge }) => edge.transition)
  }

  /** A cycle through the entry with a wanted transition, fair or not; null if there is none. */
  cycleWith(wanted: (transition: Transition) => boolean): Transition[] | null {
    const there = this.shortestPath(this.entry, ({ edge }) => wanted(edge.transition))
    if (there.length === 0) return null
    const end = there.at(-1)!.edge.target
    const returns = ({ edge }: PathEdge) => edge.target === this.entry
    const back = end === this.entry ? [] : this.shortestPath(end, returns)
    return [...there, ...back].map(({ edge }) => edge.transition)
  }

  /** A shortest path inside the component that ends with a wanted edge. */
  private shortestPath(start: number, wanted: (last: PathEdge) => boolean): PathEdge[] {
    const edgeTo = new Map<number, PathEdge>()
    const queue = [start]
    for (const from of queue)
      for (const edge of this.at(from).edges) {
        this.watch.step()
        if (!edge.inside) continue
        const step = { from, edge }
        if (wanted(step)) return [...pathTo(from, start, edgeTo), step]
        if (edge.target === start || edgeTo.has(edge.target)) continue
        edgeTo.set(edge.target, step)
        queue.push(edge.target)
      }
    return []
  }

  private contains(state: number): boolean {
    return state >= 0 && this.components.of(state) === this.components.of(this.members[0])
  }

  private at(state: number): ComponentState {
    const expanded = this.expanded.get(state) ?? this.expand(state)
    this.expanded.set(state, expanded)
    return expanded
  }

  private expand(state: number): ComponentState {
    this.watch.step(EXPANSION)
    const { system } = this.graph
    const first = this.graph.edges(state)
    const edges = this.graph.edgesFrom(state)
    const transitions = edges.map(({ transition }) => transition)
    return {
      edges: edges.map((edge, i) => ({
        ...edge,
        obligation: obligationOf(edge.transition, system),
        inside: this.contains(edge.target) && (this.edges?.has(first + i) ?? true),
      })),
      obligations: obligationsIn(system, transitions),
    }
  }
}

interface PathEdge {
  readonly from: number
  readonly edge: ObligedEdge
}

function pathTo(end: number, start: number, edgeTo: ReadonlyMap<number, PathEdge>): PathEdge[] {
  const path: PathEdge[] = []
  for (let state = end; state !== start; ) {
    const step = edgeTo.get(state)!
    path.push(step)
    state = step.from
  }
  return path.reverse()
}
