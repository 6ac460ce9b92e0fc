import type { Property } from '../../core/language/problem.ts'
import type { World } from '../../core/language/world.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { Transition } from '../model/transition.ts'
import type { TransitionCache } from '../model/transition-cache.ts'
import type { ModelOptions } from '../options.ts'
import { type ExplainedRun, explainRun } from './explain.ts'
import { PathReplay } from './path-replay.ts'
import { TraceWriter } from './trace-writer.ts'
import { type TransitionJson, transitionJson } from './transition-json.ts'

/** The most transitions to try: shrinking a long path must not take longer than the search. */
const MAX_TRIED = 20_000

/**
 * Shrinks a counterexample: removes transitions that it does not need, and reorders the others so
 * that one causal chain is followed to its end before the next. Each change is re-executed, and
 * kept only if the property is violated at the end and not before. Where the time is up, it stays
 * as it is.
 */
export function minimised(
  world: World,
  options: ModelOptions,
  property: Property,
  transitions: readonly TransitionJson[],
  expired: () => boolean = () => false,
): ExplainedRun {
  const minimiser = new Minimiser(world, options, property, expired)
  const path = minimiser.without(transitions, -1)
  if (path === null) throw nondeterministic(world, property)
  // In another order one more transition may turn out to be unnecessary.
  const shortest = minimiser.shortened(minimiser.reordered(minimiser.shortened(path)))
  const { cache } = shortest
  return explainRun(shortest.transitions, options.mode, cache, options.faults?.dead)
}

/** A path whose last transition violates the property. */
interface ViolatingPath {
  readonly transitions: readonly Transition[]
  readonly json: readonly TransitionJson[]
  readonly cache: PathReplay['system']['cache']
}

class Minimiser {
  /** The number of transitions tried so far. */
  tried = 0

  constructor(
    private readonly world: World,
    private readonly options: ModelOptions,
    private readonly property: Property,
    private readonly expired: () => boolean,
  ) {}

  /** The path without any transition that can be removed by itself. */
  shortened(path: ViolatingPath): ViolatingPath {
    let best = path
    for (let i = best.transitions.length - 1; i >= 0 && this.tried < MAX_TRIED; i--) {
      if (this.expired()) break
      const shorter = this.without(best.json, i)
      if (shorter === null) continue
      best = shorter
      // Transitions that were needed so far may have been needed only for this one.
      i = best.transitions.length
    }
    return best
  }

  /** The same transitions in chain order, if they are enabled in it. */
  reordered(path: ViolatingPath): ViolatingPath {
    const order = chainOrder(causalPredecessors(path.transitions, path.cache, this.options))
    const json = order.map((i) => path.json[i])
    const chained = this.without(json, -1)
    return chained?.transitions.length === path.transitions.length ? chained : path
  }

  /**
   * The path without one transition and those that are not enabled then; null if it violates
   * nothing.
   */
  without(transitions: readonly TransitionJson[], removed: number): ViolatingPath | null {
    const path = new PathReplay(this.world, this.options, [this.property])
    const { cache } = path.system
    const { findings } = path.evaluator
    const finding = findings.find(({ property }) => property === this.property)!
    const taken: Transition[] = []
    for (let i = 0; i < transitions.length && finding.broken === null; i++) {
      this.tried++
      if (removed >= 0 && this.expired()) return null
      const transition = i === removed ? null : path.take(transitions[i])
      if (transition !== null) taken.push(transition)
    }
    if (finding.broken === null) return null
    return {
      transitions: taken,
      json: taken.map((transition) => transitionJson(transition, cache)),
      cache,
    }
  }
}

/** The only remaining cause: a handler or a property that is not deterministic. */
function nondeterministic({ algorithm }: World, { name }: Property): UsageError {
  return new UsageError(
    `check ${algorithm.name}`,
    `a run that violated "${name}" did not violate it when it was repeated. Handlers and properties must be deterministic, and properties must not modify the state.`,
    'Look for Math.random, variables outside the state, and properties that write.',
  )
}

/**
 * The happens-before predecessors of each transition, by index: the previous step of its node, and
 * the step that sent its message. Faults, ticks and timers that wait for quiet channels are
 * barriers: they keep their place among all others.
 */
function causalPredecessors(
  transitions: readonly Transition[],
  cache: TransitionCache,
  options: ModelOptions,
): number[][] {
  const writer = new TraceWriter(cache)
  const senders = new Map<number, number>()
  const lastOf = new Map<number, number>()
  let barrier = -1
  return transitions.map((transition, i) => {
    const record =
      'actions' in transition
        ? writer.record(0, transition)
        : transition.event === 'tick' || transition.event === 'unheard'
          ? []
          : writer.recordFault(0, transition)
    for (const event of record) if (event.event === 'send') senders.set(event.message, i)
    if (!('actions' in transition) || isBarrier(transition, options)) {
      const since = Array.from({ length: i - 1 - barrier }, (_, k) => barrier + 1 + k)
      const causes = barrier < 0 ? since : [barrier, ...since]
      barrier = i
      lastOf.clear()
      return causes
    }
    const [cause] = record
    const sender = cause.event === 'receive' ? senders.get(cause.message) : undefined
    const causes = [barrier, lastOf.get(transition.node) ?? -1, sender ?? -1].filter(
      (cause) => cause >= 0,
    )
    lastOf.set(transition.node, i)
    return causes
  })
}

function isBarrier({ event }: Transition, { mode, wake }: ModelOptions): boolean {
  if (event === 'timeout') return mode === 'patient'
  return event === 'wake' ? wake !== 'any' : event !== 'receive'
}

/**
 * A linear extension of the causal order that follows one chain of causes after another: each
 * transition comes as soon as possible after its last cause. Transitions outside the causal past of
 * the last one come first.
 */
function chainOrder(causes: readonly (readonly number[])[]): number[] {
  const order: number[] = []
  const appended = new Set<number>()
  const needed = causalPast(causes.length - 1, causes)
  for (const i of causes.keys()) if (!needed.has(i)) append(i)
  if (causes.length > 0) append(causes.length - 1)
  return order

  function append(i: number): void {
    if (appended.has(i)) return
    appended.add(i)
    for (const cause of causes[i]) append(cause)
    order.push(i)
  }
}

function causalPast(last: number, causes: readonly (readonly number[])[]): Set<number> {
  const past = new Set<number>()
  const worklist = [last]
  for (let i = worklist.pop(); i !== undefined; i = worklist.pop()) {
    if (i < 0 || past.has(i)) continue
    past.add(i)
    worklist.push(...causes[i])
  }
  return past
}
