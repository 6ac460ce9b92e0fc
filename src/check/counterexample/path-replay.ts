import type { Property } from '../../core/language/problem.ts'
import type { World } from '../../core/language/world.ts'
import { dutiesIn } from '../liveness/weak-fairness.ts'
import type { Transition } from '../model/transition.ts'
import { TransitionSystem } from '../model/transition-system.ts'
import type { ModelOptions } from '../options.ts'
import { NOBODY, PropertyEvaluator } from '../properties/property-evaluator.ts'
import { isTransitionJson, type TransitionJson } from './transition-json.ts'

/** A global state as the explorer numbers it. */
type Place = TransitionSystem['vector']['cells']

/**
 * Goes one way through the states of a world, move by move, and judges each of them. Messages that
 * differ in nothing but their age, and notices to the dead, are written alike in a list of moves:
 * then all states are kept that the moves so far may have led to, until a later move tells.
 */
export class PathReplay {
  readonly system: TransitionSystem
  readonly judge: PropertyEvaluator
  private places: readonly Place[]

  constructor(world: World, rules: ModelOptions, properties: readonly Property[]) {
    this.system = new TransitionSystem(world, rules)
    this.places = [this.system.vector.cells.slice()]
    this.judge = new PropertyEvaluator(properties, this.system)
    this.judge.approvesState(NOBODY)
  }

  /** Whether the run can end here. */
  get quiet(): boolean {
    return this.places.some((place) => {
      this.load(place)
      return this.system.quiet
    })
  }

  /** The state here, as a text; null where the moves so far may have led to several. */
  get place(): string | null {
    return this.places.length === 1 ? this.places[0].join() : null
  }

  /** What a property finds wrong here, in words; null where nothing is. */
  wrong(property: Property): string | null {
    for (const place of this.places) {
      this.load(place)
      const wrong = this.judge.wrong(property)
      if (wrong !== null) return wrong
    }
    return null
  }

  /** Every move that can come next. */
  next(): Transition[] {
    return this.look().could
  }

  /** The same, with what must not be ignored. */
  look(): { readonly could: Transition[]; readonly duties: Set<string> } {
    const could: Transition[] = []
    const duties = new Set<string>()
    for (const place of this.places) {
      const moves: Transition[] = []
      this.load(place)
      this.system.moves((move) => moves.push(move))
      could.push(...moves)
      for (const duty of dutiesIn(this.system, moves)) duties.add(duty)
    }
    return { could, duties }
  }

  /** Makes the move that was written down; null where it cannot come next. */
  perform(plain: TransitionJson): Transition | null {
    const { system, judge } = this
    const { vector, effects } = system
    const reached = new Map<string, Place>()
    let made: Transition | null = null
    for (const place of this.places) {
      this.load(place)
      system.moves((move) => {
        if (!isTransitionJson(move, plain, effects)) return
        made ??= move
        reached.set(vector.cells.join(), vector.cells.slice())
        judge.approvesState(move.deposes ? [move.node] : NOBODY)
      })
    }
    if (made !== null) this.places = [...reached.values()]
    return made
  }

  /** Stands in a state that the moves so far have led to: the system has it from now on. */
  settle(): void {
    this.load(this.places[0])
  }

  private load(place: Place): void {
    this.system.vector.cells.set(place)
    this.system.vector.loaded()
  }
}
