import type { Random } from '../../core/runtime/random.ts'
import { deposedBy, leadersGained, type Transition } from '../model/transition.ts'
import type { LimitsReached } from '../model/transition-cache.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import type { NeverHappened } from '../never.ts'
import type { PropertyEvaluator } from '../properties/property-evaluator.ts'
import { checkInterval } from './budget.ts'

/** Random walks after a search that could not explore all states. */
export interface WalkOptions {
  /** Each walk depends on this and on its number alone. */
  readonly random: Random
  readonly walks: number
  /** The number of the first walk; 0 if left out. */
  readonly first?: number
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

/** Walks with consecutive numbers, made in one system or another. */
export interface WalksMade extends WalkReport {
  /** The number of the walk that violated a property, after which there were no more. */
  readonly violating: number | null
  /** Whether the time ended before all were made. */
  readonly cut: boolean
  /** What the result of the search says about all runs that were seen. */
  readonly limits: LimitsReached
  /** The properties that hold only because hand-overs are tolerated, by their indices. */
  readonly tolerated: readonly number[]
  /** What has not happened on any of them; left out if there were none. */
  readonly never?: NeverHappened
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
  /** Whether the time ended. */
  expired = false
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

  get made(): Omit<WalksMade, 'never'> {
    const { first = 0 } = this.options
    return {
      ...this.report,
      violating: this.violation === null ? null : first + this.walks - 1,
      cut: this.expired,
      limits: this.system.cache.limitsReached,
      tolerated: this.evaluator.findings.flatMap(({ tolerated }, i) => (tolerated ? [i] : [])),
    }
  }

  get report(): WalkReport {
    return { walks: this.walks, steps: this.steps, longest: this.longest }
  }

  private walk(): void {
    const path: Transition[] = []
    const { random, first = 0 } = this.options
    const own = random.split(String(first + this.walks))
    this.walks++
    this.system.reset()
    while (path.length < MOST_STEPS && !this.expired) {
      const transition = randomStep(this.system, own)
      if (transition === null) break
      path.push(transition)
      const gained = leadersGained(transition)
      if (!this.evaluator.checkState(deposedBy(transition), false, gained)) {
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
  const isChosen = system.unordered ? byContent(system, random) : byPosition(random)
  let next = vector.cells
  let chosen: Transition | null = null
  system.successors((transition) => {
    if (!isChosen(transition)) return
    chosen = transition
    next = vector.cells.slice()
  })
  vector.cells.set(next)
  vector.rehash()
  return chosen
}

/** Chooses uniformly; the last transition for which it is true is the chosen one. */
type Choice = (transition: Transition) => boolean

function byPosition(random: Random): Choice {
  let count = 0
  return () => random.below(++count) === 0
}

/**
 * Messages of a channel without an order are enumerated by their numbers, which depend on what was
 * sent in earlier walks. Here each transition draws a lot that depends on its content.
 */
function byContent({ cache }: TransitionSystem, random: Random): Choice {
  const word = random.below(2 ** 32)
  const seen = new Map<number, number>()
  let [position, group, channel, best] = [0, 0, -1, -1]
  return (transition) => {
    const taken = messageIn(transition)
    if ((taken?.channel ?? -1) !== channel) {
      channel = taken?.channel ?? -1
      group = position
      seen.clear()
    }
    position++
    const hash = taken === null ? position : cache.messages.hash(taken.message)
    const before = seen.get(hash) ?? 0
    seen.set(hash, before + 1)
    const lot = mixed(mixed(mixed(word, group), hash), before) >>> 0
    if (lot <= best) return false
    best = lot
    return true
  }
}

/** The message that is received, lost or duplicated, and its channel. */
function messageIn(
  transition: Transition,
): { readonly channel: number; readonly message: number } | null {
  if ('message' in transition) return transition
  if ('during' in transition)
    return transition.during === null ? null : messageIn(transition.during.transition)
  return 'trigger' in transition && transition.trigger.event === 'receive'
    ? transition.trigger
    : null
}

/** The finalizer of MurmurHash3 (Austin Appleby) after a sum. */
function mixed(a: number, b: number): number {
  let hash = (a + Math.imul(b, 0x9e3779b1)) | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
