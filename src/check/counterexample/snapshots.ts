import { namingIn, type World } from '../../core/language/world.ts'
import type { Move } from '../model/transition.ts'
import type { Rules } from '../options.ts'
import { tell } from './explain.ts'
import { Retracing } from './path-replay.ts'
import type { PlainMove } from './transition-json.ts'

/** How all nodes are when so many events of a run have happened. */
export interface Scene {
  readonly events: number
  /** By position, as people read it. */
  readonly states: readonly Readonly<Record<string, unknown>>[]
}

/** Makes the moves of a run of the explorer again, and tells how all nodes are after each. */
export function scenesOf(world: World, rules: Rules, moves: readonly PlainMove[]): Scene[] {
  const retracing = new Retracing(world, rules, [])
  const { effects, vector } = retracing.system
  const naming = namingIn(world)
  const made: Move[] = []
  const scenes: Scene[] = []
  for (const plain of moves) {
    const move = retracing.perform(plain)
    if (move === null) break
    made.push(move)
    retracing.settle()
    const { events } = tell(made, rules.mode, effects, rules.faults?.dead)
    const states = effects.locals.map(({ list }, node) =>
      world.algorithm.form.plain(list[vector.cells[node]].state, naming),
    )
    scenes.push({ events: events.length, states })
  }
  return scenes
}
