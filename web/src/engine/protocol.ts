import type { AggregationScenario, Given, Scenario } from '../../../src/scenario/index.ts'
import type { CycleEntry, CycleResult, RunResult } from '../../../src/sim/index.ts'
import type { Chunk } from './chunk.ts'
import type { WorldFacts } from './run-log.ts'

/** What the page asks of a worker: to simulate one scenario, or to write its events down. */
export interface Request {
  readonly scenario: Given
  /** Own definition, compiled to JavaScript; null for one of the catalogue. */
  readonly code: string | null
  readonly want: 'run' | 'trace'
}

export type Answer =
  /** The scenario was understood: all of it, with every default, and its world. */
  | {
      readonly what: 'begun'
      readonly scenario: Scenario | AggregationScenario
      readonly world: WorldFacts
    }
  | { readonly what: 'chunk'; readonly chunk: Chunk }
  /** How the estimates of an aggregation stand after a cycle. */
  | { readonly what: 'cycle'; readonly entry: CycleEntry }
  /** `cut`: it was stopped here, since the page would have to remember too much. */
  | { readonly what: 'ended'; readonly result: RunResult | CycleResult; readonly cut: boolean }
  /** The event log, as `conclave run --trace` writes it. */
  | { readonly what: 'trace'; readonly text: string }
  /** A complaint in words; `field` is what it is about, if it is about one. */
  | { readonly what: 'refused'; readonly message: string; readonly field: string | null }

export type Tell = (answer: Answer) => void

/** A simulation in the worker: it pauses at each yield, so that others may have their turn. */
export type Session = Generator<void, void, void>
