import type { CheckResult } from '../../../src/check/check.ts'
import type { Snapshot } from '../../../src/check/index.ts'
import type {
  AggregationScenario,
  Intervention,
  Scenario,
  ScenarioInput,
} from '../../../src/scenario/index.ts'
import type { CycleEntry, CycleResult, RunResult } from '../../../src/sim/index.ts'
import type { Chunk } from '../recording/chunk.ts'
import type { RunFacts } from '../recording/run-log.ts'
import type { AlgorithmEntry, EngineOffer } from './algorithm-settings.ts'
import type { OwnCode } from './own-code.ts'

/** What the page asks of a worker: to simulate one scenario, or to write its events down. */
export interface Request {
  readonly scenario: ScenarioInput
  /** Own definition; null for one of the catalogue. */
  readonly code: OwnCode | null
  /** What happens besides, at a moment: all before it stays as it was. */
  readonly intervention: Intervention | null
  readonly want: 'run' | 'trace' | 'world'
}

/** What it asks of the worker that explores and measures own definitions. */
export interface CheckRequest {
  readonly scenario: ScenarioInput
  readonly code: OwnCode
  readonly want: 'explore' | 'measure'
}

/** It can also make the run of a trace of the explorer again; the file is read there. */
export interface CounterexampleRequest {
  readonly trace: string
  readonly code: null
  readonly want: 'retrace'
}

/** It may also ask what there is to simulate. */
export interface EngineQuestion {
  readonly want: 'offer'
}

export type EngineAnswer =
  /** What own code defines. */
  | { readonly what: 'own'; readonly subject: AlgorithmEntry }
  /** The scenario was understood: all of it, with every default, and its world. */
  | {
      readonly what: 'begun'
      readonly scenario: Scenario | AggregationScenario
      readonly world: RunFacts
    }
  | { readonly what: 'chunk'; readonly chunk: Chunk }
  /** How the estimates of an aggregation stand after a cycle. */
  | { readonly what: 'cycle'; readonly entry: CycleEntry }
  /** `cut`: it was stopped here, since the page would have to remember too much. */
  | { readonly what: 'ended'; readonly result: RunResult | CycleResult; readonly cut: boolean }
  | { readonly what: 'world'; readonly world: RunFacts }
  /** The event log, as `conclave run --trace` writes it. */
  | { readonly what: 'trace'; readonly text: string }
  /** What came of exploring every interleaving; a counterexample is in this world. */
  | {
      readonly what: 'explored'
      readonly result: CheckResult
      readonly world: RunFacts
      readonly scenes: readonly Snapshot[]
    }
  /** How nodes are in the run of a trace. */
  | { readonly what: 'retraced'; readonly scenes: readonly Snapshot[] }
  /** Messages on networks of one size, one number for each that was drawn. */
  | {
      readonly what: 'measured'
      readonly n: number
      readonly totals: readonly number[]
      readonly broken: string | null
    }
  /** Own code threw something, in this line of what was compiled, if that is known. */
  | { readonly what: 'failed'; readonly message: string; readonly line: number | null }
  /** What can be simulated at all. */
  | { readonly what: 'offer'; readonly offer: EngineOffer }
  /** A complaint in words; `field` is what it is about, if it is about one. */
  | { readonly what: 'refused'; readonly message: string; readonly field: string | null }

export type Tell = (answer: EngineAnswer) => void

/** A simulation in the worker: it pauses at each yield, so that others may have their turn. */
export type Session = Generator<void, void, void>
