import type { Random } from '../../core/runtime/random.ts'
import type { Transition } from '../model/transition.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { PropertyEvaluator } from '../properties/property-evaluator.ts'
import { NO_NODES } from '../properties/property-evaluator.ts'
import { checkInterval } from './budget.ts'

/** Random walks after a search that could not explore all states. */
export interface WalkOptions {
  readonly random: Random
  readonly walks: number
  /** Polled at intervals; true ends the walks. */
  readonly expired?: () => boolean
}

/** How far the walks went. */
export interface WalkReport {
  readonly walks: number
  readonly steps: number
  /** The length of the longest walk. */
  readonly longest: number
}

/** A walk that has not ended by then is abandoned. */
const MOST_STEPS = 10_000

/**
 * Random walks from the initial state. Each step takes an enabled transition chosen uniformly,
 * until none is enabled. They go far deeper than a breadth-first search.
 */
export class RandomWalks {
  walks = 0
  steps = 0
  longest = 0
  /** The walk that violated a property. */
  violation: readonly Transition[] | null = null
  private expired = false
  /** The handler runs after which the clock was read: handlers may be slow. */
  private timedRuns = 0
  /** Steps between two checks of the clock. */
  private readonly interval: number

  constructor(
    private readonly system: TransitionSystem,
    private readonly evaluator: PropertyEvaluator,
    private readonly options: WalkOptions,
  ) {
    this.interval = Math.ceil(checkInterval(system.vector.width) / 4)
  }

  run(): void {
    const { walks } = this.options
    while (this.walks < walks && !this.expired && this.violation === null) this.walk()
  }

  get report(): WalkReport {
    return { walks: this.walks, steps: this.steps, longest: this.longest }
  }

  private walk(): void {
    const path: Transition[] = []
    this.walks++
    this.system.reset()
    while (path.length < MOST_STEPS && !this.expired) {
      const transition = randomStep(this.system, this.options.random)
      if (transition === null) break
      path.push(transition)
      const deposed = transition.deposes ? [transition.node] : NO_NODES
      if (!this.evaluator.checkState(deposed)) {
        this.violation = path
        break
      }
      const { handlerRuns } = this.system.cache
      if (++this.steps % this.interval === 0 || handlerRuns > this.timedRuns) {
        this.timedRuns = handlerRuns
        this.expired = this.options.expired?.() === true
      }
    }
    this.longest = Math.max(this.longest, path.length)
  }
}

/** Takes one of the enabled transitions; null if there is none. */
function randomStep(system: TransitionSystem, random: Random): Transition | null {
  const { vector } = system
  let [count, next] = [0, vector.cells]
  let chosen: Transition | null = null
  system.successors((transition) => {
    if (random.below(++count) > 0) return
    chosen = transition
    next = vector.cells.slice()
  })
  vector.cells.set(next)
  vector.rehash()
  return chosen
}
