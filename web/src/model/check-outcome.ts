import { signal } from '@preact/signals'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { PageCounterexample } from '../engine/checker/protocol.ts'

/** The last verdict of the checker, or what a walk through the states has reached. */
export interface CheckOutcome {
  /** exploring: the search of all states. walking: by the choices of the user. */
  readonly by: 'exploring' | 'walking'
  /** What was explored; the algorithm is one of its fields. */
  readonly scenario: ScenarioInput
  /** The violated property; null if none is. */
  readonly violated: string | null
  /** The labels of the nodes that lead where the property is violated, or where the walk is. */
  readonly leaders: readonly string[]
  /** Steps of the counterexample, or of the walk so far. */
  readonly steps: number
  /** true: every property holds in every run. null: undecided, as always while walking. */
  readonly holds: boolean | null
  /** Whether all states were explored. */
  readonly exhausted: boolean
  readonly states: number
  /** The exact worst case over all schedules, where it was asked for. */
  readonly worst: { readonly of: 'messages' | 'time'; readonly most: number | null } | null
}

/** Lessons read this; null until something was explored, and after the scenario has changed. */
export const checkOutcome = signal<CheckOutcome | null>(null)

/** Whether the checker is shown in place of the scenario's fields. */
export const checking = signal(false)

/** A counterexample to induction, and the clause that fails after its step. */
export interface ShownCounterexample {
  readonly clause: string
  readonly counterexample: PageCounterexample
}

/** The counterexample to induction in the place of the run; null where the run is shown. */
export const counterexampleShown = signal<ShownCounterexample | null>(null)

/** Lessons read this: whether the last attempt to prove succeeded; null before the first one. */
export const proofOutcome = signal<boolean | null>(null)
