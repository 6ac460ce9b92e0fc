import { signal } from '@preact/signals'
import type { PageCounterexample } from '../engine/checker/protocol.ts'

/** A counterexample to induction, and the clause that fails after its step. */
export interface ShownCounterexample {
  readonly clause: string
  readonly counterexample: PageCounterexample
}

/** The counterexample to induction in the place of the run; null where the run is shown. */
export const counterexampleShown = signal<ShownCounterexample | null>(null)

/** Lessons read this: whether the last attempt to prove succeeded; null before the first one. */
export const proofOutcome = signal<boolean | null>(null)
