import type { World } from '../../core/language/world.ts'
import { Random } from '../../core/runtime/random.ts'
import type { Transition } from '../model/transition.ts'
import type { ModelOptions } from '../options.ts'
import { type ExplainedRun, explainRun } from './explain.ts'
import { PathReplay } from './path-replay.ts'
import { transitionJson } from './transition-json.ts'

/** Some runs do not end. */
const MAX_STEPS = 300
/** One step in so many may be a fault: with all faults at the beginning a run shows little. */
const FAULT_ONE_IN = 8

/** One random run of the model, up to its end or a limit of steps. */
export function randomRun(world: World, options: ModelOptions, seed: number): ExplainedRun {
  const random = Random.from(seed).split('sample')
  const path = new PathReplay(world, options, [])
  const { cache } = path.system
  const taken: Transition[] = []
  while (taken.length < MAX_STEPS && !path.quiescent) {
    const transitions = path.enabled()
    const steps = transitions.filter(isStep)
    const faults = transitions.filter((transition) => !isStep(transition))
    const preferred = steps.length === 0 || random.below(FAULT_ONE_IN) === 0 ? faults : steps
    const candidates = preferred.length > 0 ? preferred : steps
    if (candidates.length === 0) break
    taken.push(path.take(transitionJson(candidates[random.below(candidates.length)], cache))!)
  }
  return explainRun(taken, options.mode, cache, options.faults?.dead)
}

/** Whether a transition belongs to a run without faults. */
function isStep(transition: Transition): boolean {
  return 'actions' in transition || transition.event === 'tick'
}
