import type { Property } from '../../core/language/problem.ts'
import type { World } from '../../core/language/world.ts'
import { UsageError } from '../../core/usage-error.ts'
import type { Transition } from '../model/transition.ts'
import type { ModelOptions } from '../options.ts'
import { causesOf, inChains } from './causal-order.ts'
import { type ExplainedRun, explainRun } from './explain.ts'
import { PathReplay } from './path-replay.ts'
import { type TransitionJson, transitionJson } from './transition-json.ts'

/** Moves that are tried in all, so that a long way does not take longer to tell than to find. */
const EFFORT = 20_000

/**
 * Tells a way to break a property as well as it can be told: without moves that it does not need,
 * and in an order that follows one chain of causes to its end before it turns to another. Each
 * change is tried out, and kept only if the property still breaks at the end and not before.
 */
export function minimised(
  world: World,
  rules: ModelOptions,
  property: Property,
  moves: readonly TransitionJson[],
): ExplainedRun {
  const attempts = new Attempts(world, rules, property)
  const found = attempts.without(moves, -1)
  if (found === null) throw unsteady(world, property)
  // Another order may show that one more move can be left out.
  const { made, effects } = attempts.shortened(attempts.inChains(attempts.shortened(found)))
  return explainRun(made, rules.mode, effects, rules.faults?.dead)
}

/** A way that breaks the property with its last move. */
interface Way {
  readonly made: readonly Transition[]
  readonly plain: readonly TransitionJson[]
  readonly effects: PathReplay['system']['effects']
}

class Attempts {
  /** How many moves were tried. */
  effort = 0

  constructor(
    private readonly world: World,
    private readonly rules: ModelOptions,
    private readonly property: Property,
  ) {}

  /** The way without any move that can be left out by itself. */
  shortened(way: Way): Way {
    let best = way
    for (let i = best.made.length - 1; i >= 0 && this.effort < EFFORT; i--) {
      const shorter = this.without(best.plain, i)
      if (shorter === null) continue
      best = shorter
      // What was needed so far may have been needed for this one.
      i = best.made.length
    }
    return best
  }

  /** The same moves in an order that follows chains of causes, if they can be made in it. */
  inChains(way: Way): Way {
    const order = inChains(causesOf(way.made, way.effects, this.rules))
    const plain = order.map((i) => way.plain[i])
    const chained = this.without(plain, -1)
    return chained?.made.length === way.made.length ? chained : way
  }

  /** The way without one move, and without what cannot be done then; null if nothing breaks. */
  without(moves: readonly TransitionJson[], left: number): Way | null {
    const retracing = new PathReplay(this.world, this.rules, [this.property])
    const { effects } = retracing.system
    const { findings } = retracing.judge
    const finding = findings.find(({ property }) => property === this.property)!
    const made: Transition[] = []
    for (let i = 0; i < moves.length && finding.broken === null; i++) {
      this.effort++
      const move = i === left ? null : retracing.perform(moves[i])
      if (move !== null) made.push(move)
    }
    if (finding.broken === null) return null
    return { made, plain: made.map((move) => transitionJson(move, effects)), effects }
  }
}

/** The explorer makes no mistake here that its tests would not have shown. */
function unsteady({ algorithm }: World, { name }: Property): UsageError {
  return new UsageError(
    `check ${algorithm.name}`,
    `handlers and properties must depend on nothing but what they are given, and change no more, but a run that broke "${name}" did not break it when it was made again.`,
    'Look for Math.random, variables outside and properties that write.',
  )
}
