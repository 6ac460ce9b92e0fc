import type { Property } from '../../core/language/problem.ts'
import type { Transition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { NOBODY, PropertyEvaluator } from '../properties/property-evaluator.ts'
import type { PersistentSets } from '../reduction/persistent-sets.ts'
import { SleepSets } from '../reduction/sleep-sets.ts'
import { giveUp, noMoreStates, paceOf, type SearchBudget } from './budget.ts'
import { FastSuccessors } from './fast-successors.ts'
import type { FingerprintSet } from './fingerprint-set.ts'
import { ParentPointers } from './parents.ts'
import { ExactVisited, FingerprintVisited, type VisitedSet } from './visited.ts'

export interface SearchProgress {
  readonly states: number
  readonly transitions: number
  readonly depth: number
  /** States that were found and not looked at yet. */
  readonly frontier: number
}

/** How a search goes about it. */
export interface SearchSettings {
  /** Every state is kept whole, not only a hash of it. */
  readonly exact?: boolean
  /** Only for systems that it suits. */
  readonly reduction?: PersistentSets | null
}

/** Of the moves of a state: all, those that the reduction takes for enough, or the others. */
type Share = 'all' | 'enough' | 'others'

/**
 * Breadth first, so that the first violation is one of the nearest. Of a state that was looked at
 * only the hash is kept, unless all is to be exact, and the move by which it was found; the way to
 * a state is gone again from the beginning when it is to be told.
 */
export class BreadthFirstSearch {
  readonly judge: PropertyEvaluator
  transitions = 0
  /** How many moves the farthest state needs. */
  depth = 0
  /** Why the search ended before everything was seen. */
  reason: string | null = null
  /** The moves from the beginning to the violation. */
  violation: readonly Transition[] | null = null
  /** What the reduction took for granted was wrong: this has to begin again. */
  outdated = false
  /** Whether each move was seen to lead to a state that was found later: then none comes again. */
  onward = true
  /** States where nothing can happen any more but what takes more draws than are allowed. */
  cut = 0
  private readonly reduction: PersistentSets | null
  private readonly memory: VisitedSet
  /** Where the memory is one of hashes. */
  private readonly seen: FingerprintSet | null
  private readonly plain: FastSuccessors | null
  /** Where all moves are looked at, or known to lead to what was found. */
  private readonly diamonds: SleepSets | null
  private readonly trail = new ParentPointers()
  private readonly pace: number
  private head = 0
  /** The move that broke something, by its number among those of its state. */
  private violating = -1
  /** Whether a move of the state looked at led to one that is still to be looked at. */
  private ahead = false

  constructor(
    private readonly system: TransitionSystem,
    properties: readonly Property[],
    private readonly limits: SearchBudget,
    private readonly onProgress: (progress: SearchProgress) => void = () => {},
    { exact = false, reduction = null }: SearchSettings = {},
  ) {
    this.judge = new PropertyEvaluator(properties, system)
    this.reduction = reduction
    const { width } = system.vector
    this.memory = exact
      ? new ExactVisited(width)
      : new FingerprintVisited(width, reduction !== null)
    this.seen = this.memory instanceof FingerprintVisited ? this.memory.seen : null
    this.plain = FastSuccessors.of(system)
    this.pace = paceOf(width)
    this.diamonds = this.plain && reduction === null ? SleepSets.of(system) : null
  }

  /** Whether moves were left out that make no difference. */
  get reduced(): boolean {
    return this.reduction !== null
  }

  get states(): number {
    return this.memory.size
  }

  run(): void {
    const { memory, system } = this
    system.restart()
    memory.add(system.vector)
    this.trail.push(0, 0)
    if (!this.judge.approvesState(NOBODY)) this.violated([])
    while (this.reason === null && this.head < memory.size) {
      const level = memory.size
      for (; this.head < level && this.violating < 0; this.head++) {
        if (this.head % this.pace === 0) this.look()
        if (this.reason !== null) break
        memory.take(system.vector)
        this.diamonds?.take()
        this.expand()
      }
      if (memory.size > level) this.depth++
      if (this.violating >= 0)
        this.violated(this.replay([...this.trail.to(this.head - 1), this.violating]))
    }
  }

  private expand(): void {
    const { plain, reduction } = this
    if (plain === null) {
      let ordinal = 0
      this.system.moves((move) => this.visit(move, ordinal++))
      if (ordinal === 0) this.noteEnd()
      return
    }
    plain.find(this.diamonds?.known)
    if (plain.passed > 0) this.onward = false
    else if (plain.count === 0) this.noteEnd()
    if (reduction === null) this.sweep(plain, 'all')
    else this.expandReduced(plain, reduction)
  }

  private noteEnd(): void {
    const { effects, vector, quiet } = this.system
    if (effects.cut && !quiet && effects.someoneAwake(vector.cells)) this.cut++
  }

  /**
   * Looks at the moves that are enough, if one of them leads on: else what they put off might be
   * put off for ever.
   */
  private expandReduced(plain: FastSuccessors, reduction: PersistentSets): void {
    if (!reduction.choose(plain)) this.sweep(plain, 'all')
    else {
      this.ahead = false
      this.sweep(plain, 'enough')
      if (!this.ahead) this.sweep(plain, 'others')
    }
    if (reduction.revise(plain) && this.violating < 0) {
      this.outdated = true
      this.reason = 'the reduction took something for granted that is not so'
    }
  }

  private sweep(plain: FastSuccessors, share: Share): void {
    const { reduction, seen, memory, diamonds } = this
    const { vector } = this.system
    const { lows, highs, ordinals, count } = plain
    if (share === 'all') {
      for (let i = 0; i < count; i++) plain.hash(i)
      seen?.glance(lows, count)
    }
    for (let i = 0; i < count; i++) {
      if (share !== 'all') {
        if (reduction!.includes(plain, i) !== (share === 'enough')) continue
        plain.hash(i)
      }
      if (seen !== null && !plain.deposes(i) && this.known(seen, lows[i], highs[i])) {
        this.transitions++
        continue
      }
      const { size } = memory
      plain.make(i)
      this.visit(plain.move(i), ordinals[i])
      vector.undo()
      if (memory.size > size) diamonds?.found(plain, i)
      if (this.reason === null && this.violating < 0) continue
      this.transitions += ordinals[i] - i
      return
    }
    this.transitions += plain.passed
  }

  private known(seen: FingerprintSet, low: number, high: number): boolean {
    if (this.reduction === null) {
      const there = seen.has(low, high)
      if (there) this.onward = false
      return there
    }
    const number = seen.numberOf(low, high)
    if (number >= 0) this.meet(number)
    return number >= 0
  }

  /** A move led to a state that was found before. */
  private meet(number: number): void {
    if (number > this.head) this.ahead = true
    else this.onward = false
  }

  private visit(move: Transition, ordinal: number): void {
    if (this.reason !== null || this.violating >= 0) return
    const { memory, judge, limits } = this
    const { vector } = this.system
    const deposed = move.deposes ? [move.node] : NOBODY
    const full = noMoreStates(limits, memory.size)
    if (full !== null && !memory.has(vector)) {
      this.reason = full
      return
    }
    if (memory.add(vector)) {
      this.trail.push(this.head, ordinal)
      this.ahead = true
      // One state may lead to many.
      if (memory.size % this.pace === 0) this.look()
      const sameLeaders = this.system.faults === null && 'seats' in move && !move.seats
      if (!judge.approvesState(deposed, sameLeaders)) this.violating = ordinal
    } else {
      this.meet(this.reduction === null ? 0 : memory.numberOf(vector))
      if (deposed.length > 0 && !judge.approvesStep(deposed)) this.violating = ordinal
    }
    this.transitions++
  }

  private violated(moves: readonly Transition[]): void {
    this.violation = moves
    this.reason = 'the search stopped at the first violation'
  }

  /** Reports progress, and ends the search where a limit is reached. */
  private look(): void {
    const { transitions, depth, states } = this
    this.onProgress({ states, transitions, depth, frontier: states - this.head })
    const bytes = this.memory.bytes + this.trail.bytes + (this.diamonds?.bytes ?? 0)
    this.reason = giveUp(this.limits, bytes, this.system.effects.seen)
  }

  /** Goes a way again from the beginning. */
  private replay(way: readonly number[]): Transition[] {
    const { vector } = this.system
    const moves: Transition[] = []
    this.system.restart()
    for (const wanted of way) {
      let [ordinal, next] = [0, vector.cells]
      this.system.moves((move) => {
        if (ordinal++ !== wanted) return
        moves.push(move)
        next = vector.cells.slice()
      })
      vector.cells.set(next)
      vector.loaded()
    }
    return moves
  }
}
