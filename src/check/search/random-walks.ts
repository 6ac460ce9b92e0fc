import type { Random } from '../../core/runtime/random.ts'
import type { Transition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { PropertyEvaluator } from '../properties/property-evaluator.ts'
import { NOBODY } from '../properties/property-evaluator.ts'
import { paceOf } from './budget.ts'

/** What goes on after a search that could not see everything. */
export interface WalkRules {
  readonly random: Random
  readonly walks: number
  /** Asked now and then; true ends the walks. */
  readonly expired?: () => boolean
}

/** What the walks came to. */
export interface WalkReport {
  readonly walks: number
  readonly steps: number
  /** The most steps of one walk. */
  readonly longest: number
}

/** A walk that has not come to an end by then is given up for another. */
const MOST_STEPS = 10_000

/**
 * Walks through the graph from the beginning, at each state by any move with the same chance, until
 * nothing more can happen; far deeper than a search comes that looks at all states in turn.
 */
export class RandomWalks {
  walks = 0
  steps = 0
  longest = 0
  /** The walk that broke something. */
  violation: readonly Transition[] | null = null
  private over = false
  /** Steps between two looks at the clock. */
  private readonly pace: number

  constructor(
    private readonly system: TransitionSystem,
    private readonly judge: PropertyEvaluator,
    private readonly rules: WalkRules,
  ) {
    this.pace = Math.ceil(paceOf(system.vector.width) / 4)
  }

  run(): void {
    const { walks } = this.rules
    while (this.walks < walks && !this.over && this.violation === null) this.walk()
  }

  get report(): WalkReport {
    return { walks: this.walks, steps: this.steps, longest: this.longest }
  }

  private walk(): void {
    const way: Transition[] = []
    this.walks++
    this.system.restart()
    while (way.length < MOST_STEPS && !this.over) {
      const move = wander(this.system, this.rules.random)
      if (move === null) break
      way.push(move)
      const deposed = move.deposes ? [move.node] : NOBODY
      if (!this.judge.approvesState(deposed)) {
        this.violation = way
        break
      }
      if (++this.steps % this.pace === 0) this.over = this.rules.expired?.() === true
    }
    this.longest = Math.max(this.longest, way.length)
  }
}

/** Makes one of the moves that the loaded state allows; null where there are none. */
function wander(system: TransitionSystem, random: Random): Transition | null {
  const { vector } = system
  let [count, next] = [0, vector.cells]
  let chosen: Transition | null = null
  system.moves((move) => {
    if (random.below(++count) > 0) return
    chosen = move
    next = vector.cells.slice()
  })
  vector.cells.set(next)
  vector.loaded()
  return chosen
}
