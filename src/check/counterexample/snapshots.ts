import { namingIn, type World } from '../../core/language/world.ts'
import type { Transition } from '../model/transition.ts'
import type { ModelOptions } from '../options.ts'
import { explainRun } from './explain.ts'
import { PathReplay } from './path-replay.ts'
import type { TransitionJson } from './transition-json.ts'

/** How all nodes are when so many events of a run have happened. */
export interface Snapshot {
  readonly events: number
  /** By position, as people read it. */
  readonly states: readonly Readonly<Record<string, unknown>>[]
}

/** Makes the moves of a run of the explorer again, and tells how all nodes are after each. */
export function snapshotsOf(
  world: World,
  rules: ModelOptions,
  moves: readonly TransitionJson[],
): Snapshot[] {
  const retracing = new PathReplay(world, rules, [])
  const { effects, vector } = retracing.system
  const naming = namingIn(world)
  const made: Transition[] = []
  const scenes: Snapshot[] = []
  for (const plain of moves) {
    const move = retracing.perform(plain)
    if (move === null) break
    made.push(move)
    retracing.settle()
    const { events } = explainRun(made, rules.mode, effects, rules.faults?.dead)
    const states = effects.locals.map(({ list }, node) =>
      world.algorithm.form.plain(list[vector.cells[node]].state, naming),
    )
    scenes.push({ events: events.length, states })
  }
  return scenes
}
