import type { Property } from '../../core/language/problem.ts'
import type { World } from '../../core/language/world.ts'
import { obligationsIn } from '../liveness/weak-fairness.ts'
import { deposedBy, leadersGained, NO_NODES, type Transition } from '../model/transition.ts'
import { TransitionSystem } from '../model/transition-system.ts'
import type { ModelOptions } from '../options.ts'
import { PropertyEvaluator } from '../properties/property-evaluator.ts'
import { isTransitionJson, type TransitionJson } from './transition-json.ts'

/** The cells of a state vector. */
type StateCells = TransitionSystem['vector']['cells']

/**
 * Re-executes a path of serialised transitions and evaluates the properties on every state. The
 * serialised form does not distinguish messages that differ only in age, nor notices to crashed
 * nodes. So all candidate states are kept until a later transition distinguishes them.
 */
export class PathReplay {
  readonly evaluator: PropertyEvaluator
  private candidates: readonly StateCells[]

  constructor(
    world: World,
    options: ModelOptions,
    properties: readonly Property[],
    /** The initial state must be loaded. */
    readonly system: TransitionSystem = new TransitionSystem(world, options),
  ) {
    this.candidates = [this.system.vector.cells.slice()]
    this.evaluator = new PropertyEvaluator(properties, this.system)
    this.evaluator.checkState(NO_NODES)
  }

  /** Whether the run can end here. */
  get quiescent(): boolean {
    return this.candidates.some((cells) => {
      this.load(cells)
      return this.system.quiescent
    })
  }

  /** A key of the current state; null if there are several candidates. */
  get stateKey(): string | null {
    return this.candidates.length === 1 ? this.candidates[0].join() : null
  }

  /** The violation of a property in the current state; null if it holds. */
  violationOf(property: Property): string | null {
    for (const cells of this.candidates) {
      this.load(cells)
      const violation = this.evaluator.violationOf(property)
      if (violation !== null) return violation
    }
    return null
  }

  /** The enabled transitions. */
  enabled(): Transition[] {
    return this.expand().enabled
  }

  /** The enabled transitions and the fairness obligations. */
  expand(): { readonly enabled: Transition[]; readonly obligations: Set<string> } {
    const enabled: Transition[] = []
    const obligations = new Set<string>()
    for (const cells of this.candidates) {
      const transitions: Transition[] = []
      this.load(cells)
      this.system.successors((transition) => transitions.push(transition))
      enabled.push(...transitions)
      for (const it of obligationsIn(this.system, transitions)) obligations.add(it)
    }
    return { enabled, obligations }
  }

  /** Takes a serialised transition; null if it is not enabled. */
  take(json: TransitionJson): Transition | null {
    const { system, evaluator } = this
    const { vector, cache } = system
    const reached = new Map<string, StateCells>()
    let taken: Transition | null = null
    for (const cells of this.candidates) {
      this.load(cells)
      system.successors((transition) => {
        if (!isTransitionJson(transition, json, cache)) return
        taken ??= transition
        reached.set(vector.cells.join(), vector.cells.slice())
        evaluator.checkState(deposedBy(transition), false, leadersGained(transition))
      })
    }
    if (taken !== null) this.candidates = [...reached.values()]
    return taken
  }

  /** Loads one of the candidates into the system. */
  loadOne(): void {
    this.load(this.candidates[0])
  }

  private load(cells: StateCells): void {
    this.system.vector.cells.set(cells)
    this.system.vector.rehash()
  }
}
