import { GrowableArray } from '../../core/runtime/growable-array.ts'
import { Interner } from '../model/interner.ts'
import { StateVector } from '../model/state-vector.ts'
import type { HandlerTransition, Transition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import {
  budgetReason,
  checkInterval,
  EXPANSION,
  GraphWatch,
  type SearchBudget,
  stateLimitReason,
} from '../search/budget.ts'
import { StateSet } from '../search/state-set.ts'

/** The smallest and the largest cost, each with a final state that shows it. */
export interface CostRange {
  readonly most: { readonly cost: number; readonly state: number }
  readonly least: { readonly cost: number; readonly state: number }
}

/**
 * Causal time of runs without a clock: the length of the longest chain of messages in which each
 * message is sent by the receiver of the one before, when it is received or later. Timers take no
 * time. If all spontaneous starts happen at time 0 and a message takes at most one unit of time, no
 * event happens later than the length of the longest chain that leads to it, so this is an upper
 * bound of the usual time complexity. It may be larger, since here a chain of messages may overtake
 * a single message.
 *
 * The state vector is extended by the length of the longest chain that has reached each node, the
 * chain lengths of the messages in each channel, and that of the first election, plus 1.
 */
export class CausalTime {
  reason: string | null = null
  /** When the first node becomes leader; null if none ever does. */
  elected: CostRange | null = null
  /** When the last message is received. */
  last: CostRange | null = null
  private readonly visited: StateSet
  private readonly extended: StateVector
  private readonly parents = new GrowableArray()
  private readonly chainLengths = new Interner<readonly number[]>()
  private readonly width: number
  private readonly n: number
  private readonly electedCell: number

  constructor(
    private readonly system: TransitionSystem,
    private readonly limits: SearchBudget,
  ) {
    const { vector, cache } = system
    this.width = vector.width
    this.n = cache.localStates.length
    this.electedCell = this.width + this.n + cache.channels.length
    this.extended = new StateVector(this.electedCell + 1)
    this.visited = new StateSet(this.extended.width)
    this.chainLengths.intern('', [])
    this.extended.cells.set(vector.cells)
    this.extended.rehash()
    this.addState(0)
    const interval = checkInterval(this.extended.width)
    for (let state = 0; state < this.size && this.reason === null; state++) {
      if (state % interval === 0) this.checkBudget(state)
      this.expand(state, () => {
        if (this.reason === null && !this.visited.has(this.extended)) this.addState(state)
      })
    }
  }

  get size(): number {
    return this.visited.size
  }

  /** The shortest path to a state. */
  pathTo(state: number): Transition[] {
    const transitions: Transition[] = []
    const watch = new GraphWatch(this.limits, { size: this.size, edges: () => this.size - 1 })
    for (let child = state; child > 0; child = this.parents.at(child)) {
      watch.step(EXPANSION)
      let found: Transition | undefined
      this.expand(this.parents.at(child), (transition) => {
        if (this.visited.numberOf(this.extended) === child) found ??= transition
      })
      transitions.push(found!)
    }
    return transitions.reverse()
  }

  /** Visits the successors of a state in the extended vector. */
  private expand(state: number, visit: (transition: Transition) => void): void {
    const { system, extended, visited } = this
    visited.load(state, extended)
    const before = extended.cells.slice()
    system.vector.cells.set(before.subarray(0, this.width))
    system.vector.rehash()
    system.successors((transition) => {
      extended.cells.set(before)
      extended.cells.set(system.vector.cells)
      this.extendChains(transition as HandlerTransition)
      extended.rehash()
      visit(transition)
    })
  }

  /** Without faults and without a clock every transition is a handler transition. */
  private extendChains({ node, trigger, sent, after, before }: HandlerTransition): void {
    const { cells } = this.extended
    const { list } = this.system.cache.localStates[node]
    const reached = this.width + node
    if (trigger.event === 'receive') {
      const [first, ...rest] = this.lengthsIn(trigger.channel)
      cells[reached] = Math.max(cells[reached], first)
      this.setLengths(trigger.channel, rest)
    }
    for (const { channel } of sent)
      this.setLengths(channel, [...this.lengthsIn(channel), cells[reached] + 1])
    const becomesLeader =
      list[after].state.status === 'leader' && list[before].state.status !== 'leader'
    if (becomesLeader && cells[this.electedCell] === 0) cells[this.electedCell] = cells[reached] + 1
  }

  private lengthsIn(channel: number): readonly number[] {
    return this.chainLengths.list[this.extended.cells[this.width + this.n + channel]]
  }

  private setLengths(channel: number, lengths: readonly number[]): void {
    const content = this.chainLengths.intern(lengths.join(), lengths)
    this.extended.cells[this.width + this.n + channel] = content
  }

  private addState(parent: number): void {
    const { visited, extended, limits } = this
    this.reason = stateLimitReason(limits, this.size)
    if (this.reason !== null) return
    const state = this.size
    visited.add(extended)
    this.parents.push(parent)
    if (!this.system.quiescent) return
    const reached = extended.cells.subarray(this.width, this.width + this.n)
    this.last = widened(this.last, Math.max(...reached), state)
    const elected = extended.cells[this.electedCell]
    if (elected > 0) this.elected = widened(this.elected, elected - 1, state)
  }

  private checkBudget(expanded: number): void {
    const { size } = this
    const queue = { depth: 0, frontier: size - expanded, graph: true } as const
    this.limits.onProgress?.({ states: size, transitions: size - 1, ...queue })
    const bytes = this.visited.bytes + this.parents.bytes
    this.reason = budgetReason(this.limits, bytes, this.system.cache.size)
  }
}

function widened(range: CostRange | null, cost: number, state: number): CostRange {
  const here = { cost, state }
  if (range === null) return { most: here, least: here }
  return {
    most: cost > range.most.cost ? here : range.most,
    least: cost < range.least.cost ? here : range.least,
  }
}
