import type { World } from '../../core/language/world.ts'
import { Random } from '../../core/runtime/random.ts'
import type { Transition } from '../model/transition.ts'
import type { ModelOptions } from '../options.ts'
import { type ExplainedRun, explainRun } from './explain.ts'
import { PathReplay } from './path-replay.ts'
import { transitionJson } from './transition-json.ts'

/** Some runs have no end, and nobody reads on for ever. */
const LONGEST = 300
/** One fault is tried in so many steps, where some may happen: all at once show nothing. */
const PATIENCE = 8

/** One run among those that were explored, drawn by chance, to its end if that is not too far. */
export function randomRun(world: World, rules: ModelOptions, seed: number): ExplainedRun {
  const random = Random.from(seed).split('sample')
  const retracing = new PathReplay(world, rules, [])
  const { effects } = retracing.system
  const made: Transition[] = []
  while (made.length < LONGEST && !retracing.quiet) {
    const moves = retracing.next()
    const isStep = (move: Transition) => 'deeds' in move || move.event === 'tick'
    const steps = moves.filter(isStep)
    const faults = moves.filter((move) => !isStep(move))
    const kind = steps.length === 0 || random.below(PATIENCE) === 0 ? faults : steps
    const chosen = kind.length > 0 ? kind : steps
    if (chosen.length === 0) break
    made.push(retracing.perform(transitionJson(chosen[random.below(chosen.length)], effects))!)
  }
  return explainRun(made, rules.mode, effects, rules.faults?.dead)
}
