import type { Property } from '../core/problem.ts'
import { Judge, NOBODY } from './judge.ts'
import type { Move } from './move.ts'
import type { System } from './system.ts'
import { VectorSet } from './vector-set.ts'

export interface Limits {
  readonly states: number
  /** For what the explorer keeps; counted by itself, so only about right. */
  readonly memoryMB?: number
  /** Asked now and then; true ends the search. */
  readonly expired?: () => boolean
}

export interface Progress {
  readonly states: number
  readonly transitions: number
  readonly depth: number
  /** States that were found and not looked at yet. */
  readonly frontier: number
}

/** States between two looks at the clock and the memory. */
const PACE = 1024

/** About what a local state or a channel's content takes, with the effects noted for it. */
const BYTES_PER_PART = 1024

const MEGABYTE = 2 ** 20

/**
 * Breadth first, so that the first violation is one of the nearest. A state keeps only the number
 * of the one it was found from; the moves between them are found again when they are to be told.
 */
export class Search {
  readonly judge: Judge
  transitions = 0
  /** How many moves the farthest state needs. */
  depth = 0
  /** Why the search ended before everything was seen. */
  reason: string | null = null
  /** The moves from the beginning to the violation. */
  violation: readonly Move[] | null = null
  private readonly seen: VectorSet
  private head = 0
  private violating: Move | null = null

  constructor(
    private readonly system: System,
    properties: readonly Property[],
    private readonly limits: Limits,
    private readonly onProgress: (progress: Progress) => void = () => {},
  ) {
    this.judge = new Judge(properties, system)
    this.seen = new VectorSet(system.vector.width)
  }

  get states(): number {
    return this.seen.size
  }

  run(): void {
    const { seen, system } = this
    const visit = (move: Move) => this.visit(move)
    seen.add(system.vector, 0)
    if (!this.judge.approvesState(NOBODY)) this.violated([])
    while (this.reason === null && this.head < seen.size) {
      const level = seen.size
      for (; this.head < level && this.violating === null; this.head++) {
        if (this.head % PACE === 0) this.look()
        if (this.reason !== null) break
        seen.load(this.head, system.vector)
        system.moves(visit)
      }
      if (seen.size > level) this.depth++
      if (this.violating !== null) this.violated([...this.movesTo(this.head - 1), this.violating])
    }
  }

  private visit(move: Move): void {
    if (this.reason !== null || this.violating !== null) return
    const { seen, judge } = this
    const deposed = move.deposes ? [move.node] : NOBODY
    if (!seen.has(this.system.vector)) {
      if (seen.size >= this.limits.states) {
        this.reason = `the limit of ${this.limits.states} states was reached`
        return
      }
      seen.add(this.system.vector, this.head)
      if (!judge.approvesState(deposed)) this.violating = move
    } else if (deposed.length > 0 && !judge.approvesStep(deposed)) this.violating = move
    this.transitions++
  }

  private violated(moves: readonly Move[]): void {
    this.violation = moves
    this.reason = 'the search stopped at the first violation'
  }

  /** Reports progress, and ends the search where a limit is reached. */
  private look(): void {
    const { transitions, depth, states } = this
    this.onProgress({ states, transitions, depth, frontier: states - this.head })
    const { memoryMB = Number.POSITIVE_INFINITY, expired } = this.limits
    const bytes = this.seen.bytes + this.system.effects.seen * BYTES_PER_PART
    if (bytes > memoryMB * MEGABYTE) this.reason = `the limit of ${memoryMB} MB was reached`
    else if (expired?.()) this.reason = 'the time was over'
  }

  /** Finds the moves that first led to a state, by making those of its ancestors again. */
  private movesTo(state: number): Move[] {
    const moves: Move[] = []
    for (let child = state; child > 0; child = this.seen.parent(child)) {
      let found: Move | undefined
      this.seen.load(this.seen.parent(child), this.system.vector)
      this.system.moves((move) => {
        if (this.seen.is(child, this.system.vector)) found ??= move
      })
      moves.push(found!)
    }
    return moves.reverse()
  }
}
