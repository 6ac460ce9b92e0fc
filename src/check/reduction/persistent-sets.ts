import type { Property } from '../../core/language/problem.ts'
import type { TransitionCache } from '../model/transition-cache.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { FastSuccessors } from '../search/fast-successors.ts'
import { CHANGES_LEADER, WAKES } from '../search/transition-tables.ts'
import type { StateOrbits } from './state-orbits.ts'
import { UsedChannels } from './used-channels.ts'

/**
 * Partial-order reduction with persistent sets. Transitions of different nodes are independent, so
 * it is enough to expand those of a set of nodes for which no other node can enable a further
 * event. The set is closed under possible senders: over an empty channel, or over any channel
 * without FIFO order. A spontaneous wake-up need not ever happen, so the set must contain another
 * event.
 *
 * The reduction preserves every quiescent state and every local state. If a property reads who
 * leads, only sets without a change of leadership are used, so that such changes occur in every
 * possible order. The search adds the cycle proviso, so that no transition is postponed forever.
 */
export class PersistentSets {
  /** All nodes wake at the beginning, one after the other: see `eagerWakeIsSound`. */
  readonly eagerWake: boolean
  private readonly leadersVisible: boolean
  private readonly n: number
  /** By node and local state. */
  private readonly isStopped: readonly (readonly boolean[])[]
  private readonly usedChannels: UsedChannels
  /** By node, in the loaded state: its enabled transitions, and whether one must happen. */
  private readonly enabled: Int32Array
  private readonly inevitable: Uint8Array
  /** By node: whether it may become leader or cease to be it. */
  private readonly changesLeader: Uint8Array
  /** By node: the last set that it was added to; 0 for none. */
  private readonly memberOf: Uint32Array
  private sets = 0
  private readonly best: Uint8Array
  private readonly worklist: Int32Array
  /** The first sleeping node or -1, and whether the set is just its wake-up. */
  private sleeper = -1
  private waking = false

  constructor(
    private readonly system: TransitionSystem,
    properties: readonly Property[],
    /** Whether nodes may be woken early. */
    early = true,
    orbits: StateOrbits | null = null,
  ) {
    const { n } = system
    this.n = n
    this.leadersVisible = properties.some(({ sees }) => sees === 'leaders')
    this.eagerWake = early && this.mayWakeEagerly()
    this.usedChannels = new UsedChannels(system, FastSuccessors.of(system)!, orbits)
    this.isStopped = system.cache.localStates.map(({ stopped }) => stopped)
    this.enabled = new Int32Array(n)
    this.inevitable = new Uint8Array(n)
    this.changesLeader = new Uint8Array(n)
    this.memberOf = new Uint32Array(n)
    this.best = new Uint8Array(n)
    this.worklist = new Int32Array(n)
  }

  private mayWakeEagerly(): boolean {
    return eagerWakeIsSound(this.system)
  }

  /** Why persistent sets cannot be used, though there are tables; null if they can. */
  static inapplicable(
    { mode, cache }: TransitionSystem,
    properties: readonly Property[],
  ): string | null {
    if (mode === 'patient' && cache.world.algorithm.timers.length > 0)
      return 'timers wait for all messages'
    const all = properties.find(
      ({ when, sees }) => when === 'always' && (sees === undefined || sees === 'outcomes'),
    )
    return all === undefined ? null : `"${all.name}" may read several nodes at once`
  }

  /** Chooses a smallest persistent set in the loaded state; false if that is all transitions. */
  choose(transitions: FastSuccessors): boolean {
    const { system } = this
    if (system.vector.cells[system.stageCell] < system.starters.length) return false
    this.count(transitions)
    this.waking = this.eagerWake && this.sleeper >= 0
    if (this.waking) {
      this.best.fill(0)
      this.best[this.sleeper] = 1
      return true
    }
    let least = transitions.count
    for (let node = 0; node < this.n && least > 1; node++) {
      if (this.inevitable[node] === 0) continue
      const size = this.closure(node, least)
      if (size >= least) continue
      least = size
      for (let other = 0; other < this.n; other++)
        this.best[other] = this.memberOf[other] === this.sets ? 1 : 0
    }
    return least < transitions.count
  }

  /** Whether a transition is in the chosen set. */
  includes(transitions: FastSuccessors, i: number): boolean {
    return (
      this.best[transitions.nodes[i]] > 0 && (!this.waking || (transitions.flags[i] & WAKES) > 0)
    )
  }

  /** Whether an assumption about unused channels failed; the search must then start again. */
  revise(transitions: FastSuccessors): boolean {
    return this.usedChannels.revise(transitions)
  }

  private count(transitions: FastSuccessors): void {
    const { enabled, inevitable, changesLeader, memberOf, n } = this
    const { count, nodes, flags } = transitions
    const visible = this.leadersVisible ? CHANGES_LEADER : 0
    for (let node = 0; node < n; node++)
      enabled[node] = inevitable[node] = changesLeader[node] = memberOf[node] = 0
    this.sets = 0
    this.sleeper = -1
    for (let i = 0; i < count; i++) {
      const node = nodes[i]
      const flag = flags[i]
      enabled[node]++
      if ((flag & WAKES) === 0) inevitable[node] = 1
      else if (this.sleeper < 0) this.sleeper = node
      if ((flag & visible) !== 0) changesLeader[node] = 1
    }
  }

  /**
   * Computes the closure of one node; returns the number of its enabled transitions, or `tooMany`
   * if it is not smaller than that. The closure contains the closures of its members: if an earlier
   * node is in it, that node's closure was too large or is the best so far.
   */
  private closure(first: number, tooMany: number): number {
    const { memberOf, worklist, enabled, changesLeader, inevitable, isStopped } = this
    const { first: firstOf, cell, from: senders, used } = this.usedChannels
    const { unordered, vector } = this.system
    const { cells } = vector
    const set = ++this.sets
    let size = enabled[first]
    if (size >= tooMany || changesLeader[first] > 0) return tooMany
    memberOf[first] = set
    worklist[0] = first
    let chosen = 1
    for (let next = 0; next < chosen; next++) {
      const node = worklist[next]
      for (let i = firstOf[node]; i < firstOf[node + 1]; i++) {
        if (cells[cell[i]] !== 0 && !unordered) continue
        const from = senders[i]
        if (used[i] === 0 || memberOf[from] === set) continue
        // A stopped node reacts to nothing and sends nothing.
        if (isStopped[from][cells[from]]) continue
        size += enabled[from]
        if (size >= tooMany || changesLeader[from] > 0) return tooMany
        if (from < first && inevitable[from] > 0) return tooMany
        memberOf[from] = set
        worklist[chosen++] = from
      }
    }
    return size
  }
}

/**
 * Whether it is sound to let all nodes wake at the beginning. A spontaneous wake-up commutes with
 * all earlier transitions, since nothing happens to a sleeping node. A node that a message would
 * have woken may wake earlier if it starts in the same way then. And no run may end while some node
 * sleeps: a node that starts sends to others, which wake, and so on to all nodes.
 */
function eagerWakeIsSound(system: TransitionSystem): boolean {
  const { anyWake, faults, cache } = system
  if (!anyWake || faults !== null || !cache.world.algorithm.wakes) return false
  const starts = cache.initialStates.map((local, node) => startOf(system, node, local))
  if (!starts.every(({ uniform }) => uniform)) return false
  const wakes = starts.map((start) => start.wakes)
  // Strongly connected: node 0 reaches all nodes, and all reach node 0.
  return reachesAll(wakes) && reachesAll(reversed(wakes))
}

/** How a node starts: whether always in the same way, and which nodes it sends to. */
interface Start {
  readonly uniform: boolean
  readonly wakes: readonly number[]
}

/** By system, node and local state: a system may be searched for one permutation after another. */
const known = new WeakMap<TransitionSystem, Start[][]>()

function startOf(system: TransitionSystem, node: number, local: number): Start {
  const { cache } = system
  const starts = known.get(system) ?? cache.localStates.map(() => [])
  known.set(system, starts)
  starts[node][local] ??= {
    uniform: cache.startsUniformly(node, local),
    wakes: wokenByStart(cache, node, local),
  }
  return starts[node][local]
}

/** The nodes to which a node sends in every outcome of its start; none if it may become leader. */
function wokenByStart(cache: TransitionCache, node: number, local: number): number[] {
  const outcomes = cache.onWake(node, local)
  if (outcomes.length === 0 || outcomes.some(({ changesLeader }) => changesLeader)) return []
  const [first, ...others] = outcomes.map(
    ({ sent }) => new Set(sent.map(({ channel }) => cache.channels[channel].route.to)),
  )
  return [...first].filter((to) => others.every((receivers) => receivers.has(to)))
}

/** Whether all nodes are reached from node 0. */
function reachesAll(edges: readonly (readonly number[])[]): boolean {
  const reached = new Set([0])
  for (const node of reached) for (const other of edges[node]) reached.add(other)
  return reached.size === edges.length
}

/** The same graph with all edges reversed. */
function reversed(edges: readonly (readonly number[])[]): number[][] {
  const into: number[][] = edges.map(() => [])
  for (const [node, others] of edges.entries()) for (const other of others) into[other].push(node)
  return into
}
