import type { Property } from '../../core/language/problem.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { FastSuccessors } from '../search/fast-successors.ts'
import { startsCanBeFirst } from './eager-wake.ts'
import { UsedChannels } from './used-channels.ts'

/**
 * Leaves out orders of events that make no difference. Events at different nodes commute, so in a
 * state it is enough to look at those of some nodes, if nothing that others do can bring these
 * another event: a persistent set. With a node belongs whoever may still send to it over an empty
 * channel; where messages overtake each other, over any. Spontaneous wake-ups may stay out for
 * ever, so that a set must have something else in it that will happen.
 *
 * This keeps every state where a run ends and every local state. Where some property looks at who
 * leads, only sets are taken in which nobody begins or ceases to lead, so that this changes in
 * every order in which it can. The search takes care that nothing is put off for ever.
 */
export class PersistentSets {
  /** All wake at the beginning, one after the other: see `startsCanBeFirst`. */
  readonly eagerWake: boolean
  private readonly leadersCount: boolean
  private readonly n: number
  private readonly inlets: UsedChannels
  /** By node, in the loaded state: what can happen to it, and whether that will happen. */
  private readonly events: Int32Array
  private readonly certain: Uint8Array
  /** Whether it may begin or cease to lead. */
  private readonly seats: Uint8Array
  /** By node: the number of the last set that it was put into; 0 for none. */
  private readonly among: Uint32Array
  private sets = 0
  private readonly best: Uint8Array
  private readonly todo: Int32Array
  /** The first of those that sleep, -1 for none, and whether all that is enough is to wake it. */
  private sleeper = -1
  private waking = false

  constructor(
    private readonly system: TransitionSystem,
    properties: readonly Property[],
  ) {
    const { n } = system
    this.n = n
    this.leadersCount = properties.some(({ sees }) => sees === 'leaders')
    this.eagerWake = startsCanBeFirst(system)
    this.inlets = new UsedChannels(system, FastSuccessors.of(system)!)
    this.events = new Int32Array(n)
    this.certain = new Uint8Array(n)
    this.seats = new Uint8Array(n)
    this.among = new Uint32Array(n)
    this.best = new Uint8Array(n)
    this.todo = new Int32Array(n)
  }

  /** Why nothing can be left out in this system; null where something may. */
  static hindrance(system: TransitionSystem, properties: readonly Property[]): string | null {
    const { mode, faults, effects } = system
    if (mode === 'clocked') return 'time counts'
    if (mode === 'patient' && effects.world.algorithm.timers.length > 0)
      return 'timers wait for all messages'
    if (faults !== null) return 'something may go wrong'
    const all = properties.find(({ when, sees }) => when === 'always' && sees === undefined)
    return all === undefined ? null : `"${all.name}" may look at all nodes at once`
  }

  /** Chooses among the moves of the loaded state; false where it takes all. */
  choose(moves: FastSuccessors): boolean {
    const { system } = this
    if (system.vector.cells[system.stageCell] < system.starters.length) return false
    this.count(moves)
    this.waking = this.eagerWake && this.sleeper >= 0
    if (this.waking) {
      this.best.fill(0)
      this.best[this.sleeper] = 1
      return true
    }
    let least = moves.count
    for (let node = 0; node < this.n && least > 1; node++) {
      if (this.certain[node] === 0) continue
      const size = this.close(node, least)
      if (size >= least) continue
      least = size
      for (let other = 0; other < this.n; other++)
        this.best[other] = this.among[other] === this.sets ? 1 : 0
    }
    return least < moves.count
  }

  /** Whether a move is one of those that are enough. */
  includes(moves: FastSuccessors, i: number): boolean {
    return this.best[moves.node(i)] > 0 && (!this.waking || moves.wakes(i))
  }

  /** Whether something that was taken for granted is not so; a search then has to begin again. */
  revise(moves: FastSuccessors): boolean {
    return this.inlets.revise(moves)
  }

  private count(moves: FastSuccessors): void {
    const { events, certain, seats, among, n } = this
    for (let node = 0; node < n; node++)
      events[node] = certain[node] = seats[node] = among[node] = 0
    this.sets = 0
    this.sleeper = -1
    for (let i = 0; i < moves.count; i++) {
      const node = moves.node(i)
      events[node]++
      if (!moves.wakes(i)) certain[node] = 1
      else if (this.sleeper < 0) this.sleeper = node
      if (this.leadersCount && moves.seats(i)) seats[node] = 1
    }
  }

  /**
   * Puts a node among the chosen, with all who then belong to it; returns how many events these
   * have, or so many at least as are too many. With somebody who was put first before belong all
   * who did then, who were too many or are the best so far: no fewer can be found with more.
   */
  private close(first: number, tooMany: number): number {
    const { among, todo, inlets, events, seats, certain } = this
    const { unordered, vector, effects } = this.system
    const { cells } = vector
    const set = ++this.sets
    let size = events[first]
    if (size >= tooMany || seats[first] > 0) return tooMany
    among[first] = set
    todo[0] = first
    let chosen = 1
    for (let next = 0; next < chosen; next++) {
      const node = todo[next]
      for (let i = inlets.first[node]; i < inlets.first[node + 1]; i++) {
        if (cells[inlets.cell[i]] !== 0 && !unordered) continue
        const from = inlets.from[i]
        if (inlets.used[i] === 0 || among[from] === set) continue
        // Who has stopped takes notice of nothing any more.
        if (effects.locals[from].stopped[cells[from]]) continue
        size += events[from]
        if (size >= tooMany || seats[from] > 0) return tooMany
        if (from < first && certain[from] > 0) return tooMany
        among[from] = set
        todo[chosen++] = from
      }
    }
    return size
  }
}
