import type { Property } from '../../core/language/problem.ts'
import {
  deposedBy,
  leadersGained,
  NO_NODES,
  type Transition,
  type Visit,
} from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { PropertyEvaluator } from '../properties/property-evaluator.ts'
import type { PersistentSets } from '../reduction/persistent-sets.ts'
import { SleepSets } from '../reduction/sleep-sets.ts'
import type { StateOrbits } from '../reduction/state-orbits.ts'
import { StubbornSets } from '../reduction/stubborn-sets.ts'
import {
  budgetReason,
  checkInterval,
  type SearchBudget,
  stateLimitReason,
  timeLimitReason,
} from './budget.ts'
import { FastSuccessors } from './fast-successors.ts'
import { ABSENT, type FingerprintSet, MARKED } from './fingerprint-set.ts'
import { AGAIN, ParallelSearch } from './threads/parallel-search.ts'
import type { SearchThreads } from './threads/search-threads.ts'
import {
  ExactVisited,
  FingerprintVisited,
  OrbitsVisited,
  ParentPointers,
  type VisitedSet,
} from './visited.ts'

/** The variant of the search. */
export interface SearchSettings {
  /** Store whole states instead of fingerprints. */
  readonly exact?: boolean
  /** Partial-order reduction, for systems to which it applies: one of both. */
  readonly persistentSets?: PersistentSets | null
  readonly stubbornSets?: StubbornSets | null
  /** Symmetry reduction: visits one state of each orbit. */
  readonly orbits?: StateOrbits | null
  /** Other threads that may help; see `ParallelSearch`. */
  readonly threads?: SearchThreads | null
}

/** Which enabled transitions to expand: all, the persistent set, or its complement. */
type Expansion = 'all' | 'persistent' | 'complement'

/**
 * Breadth-first search, so that the first violation has a shortest path. An expanded state leaves
 * only its fingerprint (unless the search is exact) and its parent pointer; the path to a state is
 * re-executed from the initial state when it is needed.
 */
export class BreadthFirstSearch {
  readonly evaluator: PropertyEvaluator
  transitions = 0
  /** The length of the longest shortest path. */
  depth = 0
  /** Why the search ended before all states were explored. */
  reason: string | null = null
  /** The path to the violation. */
  violation: readonly Transition[] | null = null
  /** An assumption of the reduction failed: the search must start again. */
  assumptionFailed = false
  /** Several threads have left something to one: the search must start again in one thread. */
  repeatAlone = false
  /** The rest of the search in several threads, once there is enough to do. */
  private parallel: ParallelSearch | null = null
  /** Whether they have explored that rest. */
  inThreads = false
  /** Whether every transition led to a state that was discovered later: then there is no cycle. */
  forwardOnly = true
  /** The number of states whose only continuations exceed a limit of handlers. */
  truncated = 0
  private readonly persistentSets: PersistentSets | null
  private readonly stubbornSets: StubbornSets | null
  private readonly orbits: StateOrbits | null
  private readonly visited: VisitedSet
  /** Unless the search is exact or symmetric. */
  private readonly fingerprints: FingerprintSet | null
  private readonly fast: FastSuccessors | null
  /** Only without persistent sets and symmetry: a sleep set holds for one state of an orbit. */
  private readonly sleepSets: SleepSets | null
  private readonly parents = new ParentPointers()
  private readonly interval: number
  private readonly threads: SearchThreads | null
  private head = 0
  /** The transitions to expand, of those of a state. */
  private chosen = new Int32Array(64)
  /** The handler runs after which the clock was read: handlers may be slow. */
  private timedRuns = 0
  /** The index of the violating transition among those of its state. */
  private violating = -1
  /** Cycle proviso: whether a transition of this state led to a state that is not expanded yet. */
  private proviso = false

  constructor(
    readonly system: TransitionSystem,
    properties: readonly Property[],
    private readonly limits: SearchBudget,
    settings: SearchSettings = {},
  ) {
    const { exact = false, persistentSets = null, stubbornSets = null, orbits = null } = settings
    this.evaluator = new PropertyEvaluator(properties, system)
    this.persistentSets = persistentSets
    this.stubbornSets = stubbornSets
    this.orbits = orbits
    const { width } = system.vector
    const states = exact ? new ExactVisited(width) : new FingerprintVisited(width, this.reduced)
    this.visited = orbits === null ? states : new OrbitsVisited(states, orbits, width)
    this.fingerprints =
      this.visited instanceof FingerprintVisited ? this.visited.fingerprints : null
    this.fast = FastSuccessors.of(system)
    this.interval = checkInterval(width)
    const sleeps = this.fast !== null && persistentSets === null && orbits === null
    this.sleepSets = sleeps ? SleepSets.of(system) : null
    const { threads } = settings
    const divisible = sleeps && !this.reduced && !exact && (threads?.count ?? 1) > 1
    this.threads = divisible && ParallelSearch.applies(system, this.evaluator) ? threads! : null
  }

  /** Whether the search leaves out transitions. */
  get reduced(): boolean {
    return this.persistentSets !== null || this.stubbornSets !== null
  }

  get states(): number {
    return this.inThreads ? this.parallel!.counts.states : this.visited.size
  }

  run(): void {
    try {
      this.exploreLevels()
    } finally {
      this.parallel?.stop()
    }
  }

  private exploreLevels(): void {
    const { visited, system } = this
    const { cache } = system
    system.reset()
    visited.add(system.vector)
    this.parents.push(0, 0)
    if (!this.evaluator.checkState(NO_NODES)) this.stopAtViolation([])
    while (this.reason === null && this.head < visited.size) {
      const level = visited.size
      if (this.threads !== null && this.continueInThreads(this.threads, level - this.head)) return
      for (; this.head < level && this.violating < 0; this.head++) {
        if (this.head % this.interval === 0) this.checkBudget()
        else if (cache.handlerRuns > this.timedRuns) this.checkTime()
        if (this.reason !== null) break
        visited.take(system.vector)
        this.sleepSets?.next()
        this.expand()
      }
      if (visited.size > level) this.depth++
      if (this.violating >= 0)
        this.stopAtViolation(this.pathOf([...this.parents.pathTo(this.head - 1), this.violating]))
    }
  }

  /** Leaves the rest to several threads if there is enough to do. */
  private continueInThreads(threads: SearchThreads, frontier: number): boolean {
    const { system, evaluator, limits, fast } = this
    this.parallel ??= ParallelSearch.start(system, fast!, evaluator, limits, threads, frontier)
    if (this.parallel === null) return false
    const { states, transitions, depth, truncated } = this
    const visited = this.visited as FingerprintVisited
    const counts = { states, transitions, depth, truncated }
    const reason = this.parallel.run({ ...counts, visited, frontier })
    this.repeatAlone = reason === AGAIN
    this.reason = reason
    this.inThreads = true
    this.transitions = this.parallel.counts.transitions
    this.depth = this.parallel.counts.depth
    this.truncated = this.parallel.counts.truncated
    // Every state but the initial one is discovered by one transition.
    this.forwardOnly = this.transitions === this.states - 1
    return true
  }

  private expand(): void {
    const { fast, persistentSets } = this
    if (fast === null) {
      this.expandSlowly()
      return
    }
    fast.enumerate(this.sleepSets?.current)
    if (fast.skipped > 0) this.forwardOnly = false
    else if (fast.count === 0) this.countTruncated()
    if (persistentSets === null) this.explore(fast, 'all')
    else this.expandReduced(fast, persistentSets)
  }

  /** Where transitions are not enumerated from tables. */
  private expandSlowly(): void {
    const { system, stubbornSets } = this
    let ordinal = 0
    const visit: Visit = (transition) => {
      stubbornSets?.see(transition)
      this.visit(transition, ordinal++)
    }
    if (stubbornSets === null || !stubbornSets.choose()) system.successors(visit)
    else {
      this.proviso = false
      system.successors(visit, stubbornSets.inside)
      if (!this.proviso) system.successors(visit, stubbornSets.outside)
    }
    if (ordinal === 0) this.countTruncated()
    if (this.violating < 0 && stubbornSets?.revise()) this.failAssumption()
  }

  private failAssumption(): void {
    this.assumptionFailed = true
    this.reason = 'an assumption of the reduction failed'
  }

  private countTruncated(): void {
    if (this.system.truncates) this.truncated += this.orbits?.sizeOf(this.system.vector) ?? 1
  }

  /**
   * Expands the persistent set. If no successor is unexpanded (cycle proviso), the complement is
   * expanded too: otherwise its transitions might be postponed forever.
   */
  private expandReduced(fast: FastSuccessors, persistentSets: PersistentSets): void {
    if (!persistentSets.choose(fast)) this.explore(fast, 'all')
    else {
      this.proviso = false
      this.explore(fast, 'persistent')
      if (!this.proviso) this.explore(fast, 'complement')
    }
    if (persistentSets.revise(fast) && this.violating < 0) this.failAssumption()
  }

  private explore(fast: FastSuccessors, expansion: Expansion): void {
    const { persistentSets, fingerprints, visited, sleepSets } = this
    const { vector } = this.system
    const { lows, highs, ordinals, count } = fast
    let some: Int32Array<ArrayBuffer> | null = null
    let least = count
    if (expansion === 'all') for (let i = 0; i < count; i++) fast.hash(i)
    else {
      some = this.chosen.length < count ? new Int32Array(2 * count) : this.chosen
      this.chosen = some
      least = 0
      for (let i = 0; i < count; i++) {
        if (persistentSets!.includes(fast, i) !== (expansion === 'persistent')) continue
        fast.hash(i)
        some[least++] = i
      }
    }
    if (some === null) fingerprints?.prefetch(lows, count)
    else fingerprints?.prefetchSome(lows, some, least)
    for (let k = 0; k < least; k++) {
      const i = some === null ? k : some[k]
      if (
        fingerprints !== null &&
        !fast.deposes(i) &&
        this.isVisited(fingerprints, lows[i], highs[i])
      ) {
        this.transitions++
        continue
      }
      const { size } = visited
      fast.apply(i)
      this.visit(fast.transition(i), ordinals[i])
      vector.undo()
      if (visited.size > size) sleepSets?.push(fast, i)
      if (this.reason === null && this.violating < 0) continue
      this.transitions += ordinals[i] - i
      return
    }
    this.transitions += fast.skipped
  }

  private isVisited(fingerprints: FingerprintSet, low: number, high: number): boolean {
    if (this.persistentSets === null) {
      const visited = fingerprints.has(low, high)
      if (visited) this.forwardOnly = false
      return visited
    }
    const found = fingerprints.look(low, high)
    if (found !== ABSENT) this.revisit(found === MARKED)
    return found !== ABSENT
  }

  /** A transition led to a visited state; `lasts`: see `StubbornSets`. */
  private revisit(expanded: boolean, lasts = true): void {
    if (expanded) this.forwardOnly = false
    else if (lasts) this.proviso = true
  }

  private visit(transition: Transition, ordinal: number): void {
    if (this.reason !== null || this.violating >= 0) return
    const { visited, evaluator, limits } = this
    const { vector } = this.system
    const deposed = deposedBy(transition)
    const gained = leadersGained(transition)
    const lasts = StubbornSets.lasts(transition)
    const full = stateLimitReason(limits, visited.size)
    if (full !== null && !visited.has(vector)) {
      this.reason = full
      return
    }
    if (visited.add(vector)) {
      this.parents.push(this.head, ordinal)
      if (lasts) this.proviso = true
      // One state may have many successors.
      if (visited.size % this.interval === 0) this.checkBudget()
      const sameLeaders =
        this.system.faults === null && 'changesLeader' in transition && !transition.changesLeader
      if (!evaluator.checkState(deposed, sameLeaders, gained)) this.violating = ordinal
    } else {
      this.revisit(!this.reduced || visited.wasTaken(vector), lasts)
      const judged = deposed.length > 0 || gained > 0
      if (judged && !evaluator.checkStep(deposed, gained)) this.violating = ordinal
    }
    this.transitions++
  }

  private stopAtViolation(transitions: readonly Transition[]): void {
    this.violation = transitions
    this.reason = 'the search stopped at the first violation'
  }

  /** Reports progress, and ends the search when the budget is exhausted. */
  private checkBudget(): void {
    const { transitions, depth, states } = this
    this.limits.onProgress?.({ states, transitions, depth, frontier: states - this.head })
    const bytes = this.visited.bytes + this.parents.bytes + (this.sleepSets?.bytes ?? 0)
    this.reason = budgetReason(this.limits, bytes, this.system.cache.size)
  }

  private checkTime(): void {
    this.timedRuns = this.system.cache.handlerRuns
    this.reason = timeLimitReason(this.limits)
  }

  /** Re-executes a path from the initial state, given the index of each transition. */
  private pathOf(ordinals: readonly number[]): Transition[] {
    const { system, stubbornSets } = this
    const { vector } = system
    const transitions: Transition[] = []
    system.reset()
    for (const wanted of ordinals) {
      let [ordinal, next] = [0, vector.cells]
      const visit: Visit = (transition) => {
        if (ordinal++ !== wanted) return
        transitions.push(transition)
        next = vector.cells.slice()
      }
      if (!stubbornSets?.choose()) system.successors(visit)
      else
        for (const some of [stubbornSets.inside, stubbornSets.outside])
          system.successors(visit, some)
      vector.cells.set(next)
      vector.rehash()
    }
    return transitions
  }
}
