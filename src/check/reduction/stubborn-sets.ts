import type { Property } from '../../core/language/problem.ts'
import { isDue, mayFire } from '../model/local-states.ts'
import type { HandlerTransition, Transition } from '../model/transition.ts'
import {
  DELIVERIES,
  type StepOwners,
  TIMERS,
  type TransitionSystem,
} from '../model/transition-system.ts'

import type { StateOrbits } from './state-orbits.ts'
import { UsedChannels } from './used-channels.ts'

/**
 * Partial-order reduction with stubborn sets (Valmari 1990), for systems with faults, with a clock
 * or with terms. Every step belongs to a node: what its handlers do, its crash, and the loss and
 * the duplication of a message on its way to it. It is enough to expand the steps of some nodes if
 *
 * - no step of another node can enable a further event at them or disable one, and
 * - one of their events must happen, so that no run ends without it.
 *
 * A fault may use up the last of its kind, and so disable a fault of another node. That does no
 * harm: a fault that is possible after steps of other nodes is possible before them, with the same
 * result, and it uses up no more.
 *
 * With a clock, a message that is overdue, a timer that is due and a notice that is due hold time
 * back, and nothing that other nodes send arrives at the same time: the steps of one node with such
 * an event are enough. Without a clock, the set is closed under possible senders, as in
 * `PersistentSets`. Nothing is left out where a fault of one node touches another at once: a report
 * of the detector without a clock, a cut, a partition, a recovery, a pause.
 *
 * Handlers that change what a property of several nodes reads are not in a set, so that such
 * changes occur in every possible order. What is preserved, and why, is in the README.
 */
export class StubbornSets {
  /** The steps of the chosen nodes, and all others. */
  readonly inside: StepOwners
  readonly outside: StepOwners
  private readonly n: number
  private readonly nodes: Uint8Array
  private readonly usedChannels: UsedChannels | null
  private readonly leadersVisible: boolean
  private readonly outcomesVisible: boolean
  private readonly visible = new Map<HandlerTransition, boolean>()
  /** By node, in the loaded state: its steps; whether one must happen, or changes what is read. */
  private readonly steps: Int32Array
  private readonly inevitable: Uint8Array
  private readonly excluded: Uint8Array

  constructor(
    private readonly system: TransitionSystem,
    properties: readonly Property[],
    orbits: StateOrbits | null = null,
  ) {
    const { n } = system
    this.n = n
    this.nodes = new Uint8Array(n)
    this.inside = { nodes: this.nodes, belong: true }
    this.outside = { nodes: this.nodes, belong: false }
    const reads = (what: Property['sees']) =>
      properties.some(({ when, sees }) => when === 'always' && sees === what)
    this.leadersVisible = reads('leaders')
    this.outcomesVisible = reads('outcomes')
    this.usedChannels = system.mode === 'clocked' ? null : new UsedChannels(system, null, orbits)
    this.steps = new Int32Array(n)
    this.inevitable = new Uint8Array(n)
    this.excluded = new Uint8Array(n)
  }

  /** Why stubborn sets cannot be used for this system; null if they can. */
  static inapplicable(system: TransitionSystem, properties: readonly Property[]): string | null {
    const { mode, cache, lossy, leaderless, meetings } = system
    if (meetings !== null) return 'not applicable where nodes meet'
    if (lossy) return 'not applicable on lossy links'
    if (leaderless !== null) return 'not applicable where time without a leader is measured'
    if (mode === 'patient' && cache.world.algorithm.timers.length > 0)
      return 'timers wait for all messages'
    const all = properties.find(
      ({ when, sees, within }) =>
        when === 'always' && (sees === undefined || (sees === 'outcomes' && within !== undefined)),
    )
    return all === undefined ? null : `"${all.name}" may read several nodes at once`
  }

  /** Whether a transition, once enabled, stays so until a step of its node: no fault does. */
  static lasts(transition: Transition): boolean {
    return 'actions' in transition || transition.event === 'vanish'
  }

  /** Chooses nodes whose steps are enough in the loaded state; false if all must be expanded. */
  choose(): boolean {
    const { vector, stageCell, starters, faults, handovers, mode } = this.system
    const phase = vector.cells[stageCell] - starters.length
    if (phase < 0 || handovers?.none === false || faults?.local === false) return false
    return mode === 'clocked' ? this.chooseAtOnce(phase) : this.chooseClosed()
  }

  /** Looks at a transition that is explored. */
  see(transition: Transition): void {
    this.usedChannels?.see(transition)
  }

  /** Whether an assumption about unused channels failed; the search must then start again. */
  revise(): boolean {
    return this.usedChannels?.reviseSeen() ?? false
  }

  /** With a clock: one node with an event that holds time back. */
  private chooseAtOnce(phase: number): boolean {
    const { faults } = this.system
    if (phase < DELIVERIES || this.leadershipEnds()) return false
    this.clear()
    if (faults?.noticesDue) this.addNotices()
    else if (phase === DELIVERIES) this.addReceipts()
    else if (phase === TIMERS) this.addDueTimers()
    let best = -1
    for (let node = 0; node < this.n; node++)
      if (
        this.inevitable[node] > 0 &&
        this.excluded[node] === 0 &&
        (best < 0 || this.steps[node] < this.steps[best])
      )
        best = node
    this.nodes.fill(0)
    if (best >= 0) this.nodes[best] = 1
    return best >= 0
  }

  private leadershipEnds(): boolean {
    const { bindable, cache, vector } = this.system
    if (!bindable) return false
    return cache.localStates.some(({ bound }, node) => {
      const end = bound[vector.cells[node]]
      return end !== undefined && isDue(end)
    })
  }

  /** Without a clock: a smallest set of nodes that is closed under possible senders. */
  private chooseClosed(): boolean {
    const { cache, vector, anyWake, bindable, n } = this.system
    const { cells } = vector
    this.clear()
    for (let node = 0; node < n; node++) {
      const { asleep, list, bound } = cache.localStates[node]
      const local = cells[node]
      if (anyWake && asleep[local]) this.add(node, cache.onWake(node, local), false)
      for (const { timer } of list[local].timers)
        this.add(node, cache.onTimeout(node, local, timer), true)
      const end = bindable ? bound[local] : undefined
      if (end !== undefined && end.timer === undefined)
        this.add(node, cache.onExpiry(node, local), true)
    }
    this.addNotices()
    this.addReceipts()
    const all = this.steps.reduce((sum, steps) => sum + steps, 0)
    let least = all
    for (let node = 0; node < n && least > 1; node++) {
      if (this.inevitable[node] === 0) continue
      const members = this.closure(node)
      if (members === null) continue
      let size = 0
      for (const member of members) size += this.steps[member]
      if (size >= least) continue
      least = size
      this.nodes.fill(0)
      for (const member of members) this.nodes[member] = 1
    }
    return least < all
  }

  /** The nodes that can send to a node before its next event, and so on; null: one is excluded. */
  private closure(first: number): ReadonlySet<number> | null {
    const { unordered, vector } = this.system
    const { cells } = vector
    const used = this.usedChannels!
    const members = new Set([first])
    for (const node of members) {
      if (this.excluded[node] > 0) return null
      for (let i = used.first[node]; i < used.first[node + 1]; i++) {
        const from = used.from[i]
        if (used.used[i] === 0 || (cells[used.cell[i]] !== 0 && !unordered)) continue
        if (!this.isSilent(from)) members.add(from)
      }
    }
    return members
  }

  /** A dead node does not come back. A stopped one may still start, or join a later attempt. */
  private isSilent(node: number): boolean {
    const { cache, vector } = this.system
    const { stopped, asleep, dead } = cache.localStates[node]
    const local = vector.cells[node]
    return dead[local] || (stopped[local] && !asleep[local] && !cache.world.algorithm.restarts)
  }

  private clear(): void {
    this.steps.fill(0)
    this.inevitable.fill(0)
    this.excluded.fill(0)
  }

  private add(node: number, outcomes: readonly HandlerTransition[], mustHappen: boolean): void {
    this.steps[node] += outcomes.length
    if (mustHappen && outcomes.length > 0) this.inevitable[node] = 1
    for (const transition of outcomes) if (this.isVisible(transition)) this.excluded[node] = 1
  }

  private addNotices(): void {
    const { faults } = this.system
    if (faults === null) return
    for (const { node, transitions } of faults.dueNotices()) this.add(node, transitions, true)
  }

  /** Messages that may be delivered now; with a clock one must be, if it is overdue. */
  private addReceipts(): void {
    const { cache, vector, faults, n, mode } = this.system
    const { cells } = vector
    for (let i = 0; i < cache.channels.length; i++) {
      const content = cells[n + i]
      if (content === 0) continue
      const channel = cache.channels[i]
      const node = channel.route.to
      const must = mode !== 'clocked' || channel.overdue(content)
      const alive = faults === null || faults.alive(node)
      for (const { message } of channel.deliverable(content))
        if (alive) this.add(node, cache.onReceive(i, cells[node], message), must)
        else {
          this.steps[node]++
          if (must) this.inevitable[node] = 1
        }
    }
  }

  private addDueTimers(): void {
    const { cache, vector, drifts } = this.system
    for (let node = 0; node < this.n; node++) {
      const local = vector.cells[node]
      const { timers, bound } = cache.localStates[node].list[local]
      const last = drifts ? timers.length : Math.min(1, timers.length)
      for (let i = 0; i < last; i++)
        if (mayFire(timers[i]) && timers[i].timer !== bound?.timer)
          this.add(node, cache.onTimeout(node, local, timers[i].timer), isDue(timers[i]))
    }
  }

  /** Whether a step changes what a property of several nodes reads, or the history of terms. */
  private isVisible(transition: HandlerTransition): boolean {
    const { leadersVisible, outcomesVisible, system } = this
    const known = this.visible.get(transition)
    if (known !== undefined) return known
    const { node, before, after, actions, changesLeader } = transition
    const { list } = system.cache.localStates[node]
    const [former, next] = [list[before].state, list[after].state]
    const visible =
      (leadersVisible && changesLeader) ||
      (system.terms !== null && actions.some(({ action }) => action === 'lead')) ||
      (outcomesVisible && (former.status !== next.status || former.leader !== next.leader))
    this.visible.set(transition, visible)
    return visible
  }
}
