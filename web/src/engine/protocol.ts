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

/** A request to a worker: simulate a scenario, write its events, or describe its network. */
export interface Request {
  readonly scenario: ScenarioInput
  /** An own definition; null for an algorithm of the catalogue. */
  readonly code: OwnCode | null
  /** A change at one moment; the events before it stay as they were. */
  readonly intervention: Intervention | null
  readonly want: 'run' | 'trace' | 'world'
}

/** A request to the worker of the checker about an own definition. */
export interface CheckRequest {
  readonly scenario: ScenarioInput
  readonly code: OwnCode
  readonly want: 'explore' | 'measure'
}

/** A request to replay a trace of the checker; the worker reads the file. */
export interface CounterexampleRequest {
  readonly trace: string
  /** The definition, where it is not in the catalogue. */
  readonly code: OwnCode | null
  readonly want: 'replay'
}

/** The request for the list of algorithms and networks. */
export interface EngineQuestion {
  readonly want: 'offer'
}

export type EngineAnswer =
  /** The entry of an own definition. */
  | { readonly what: 'own'; readonly entry: AlgorithmEntry }
  /** The scenario was accepted: with every default, and the facts of its network. */
  | {
      readonly what: 'begun'
      readonly scenario: Scenario | AggregationScenario
      readonly world: RunFacts
    }
  | { readonly what: 'chunk'; readonly chunk: Chunk }
  /** The estimates of an aggregation after a cycle. */
  | { readonly what: 'cycle'; readonly entry: CycleEntry }
  /** `cut`: the run was stopped at the limit of steps of the page. */
  | { readonly what: 'ended'; readonly result: RunResult | CycleResult; readonly cut: boolean }
  | { readonly what: 'world'; readonly world: RunFacts }
  /** The event log, as `conclave run --trace` writes it. */
  | { readonly what: 'trace'; readonly text: string }
  /** The result of the checker; `world` has the facts for a counterexample. */
  | {
      readonly what: 'explored'
      readonly result: CheckResult
      readonly world: RunFacts
      readonly snapshots: readonly Snapshot[]
    }
  /** The states of nodes in the run of a trace. */
  | { readonly what: 'replayed'; readonly snapshots: readonly Snapshot[] }
  /** Messages on networks of one size, one number for each seed. */
  | {
      readonly what: 'measured'
      readonly n: number
      readonly totals: readonly number[]
      readonly broken: string | null
    }
  /** Own code threw an error, in this line of the compiled code, if it is known. */
  | { readonly what: 'failed'; readonly message: string; readonly line: number | null }
  /** The algorithms and networks of the engine. */
  | { readonly what: 'offer'; readonly offer: EngineOffer }
  /** A usage error; `field` is the field that caused it, if there is one. */
  | { readonly what: 'refused'; readonly message: string; readonly field: string | null }

export type SessionReply = (answer: EngineAnswer) => void

/** A session of a worker: it pauses at each yield, so that other messages are handled. */
export type Session = Generator<void, void, void>
