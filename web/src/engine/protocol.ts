import type { Bound } from '../../../src/core/index.ts'
import type { UseEvidence } from '../../../src/core/language/validation/only-compared.ts'
import type {
  AggregationScenario,
  Intervention,
  Scenario,
  ScenarioInput,
  SeenRun,
} from '../../../src/scenario/index.ts'
import type { CycleEntry, CycleResult, RunResult } from '../../../src/sim/index.ts'
import type { Chunk } from '../recording/columns.ts'
import type { RunFacts } from '../recording/run-log.ts'
import type { AlgorithmEntry } from './algorithm-settings.ts'
import type { CheckerAnswer } from './checker/protocol.ts'

/** An own definition as it is sent to the worker. */
export interface OwnCode {
  readonly path: string
  readonly compiled: string
  /** What its source shows; left out if only the compiled code is there. */
  readonly use?: UseEvidence
}

/** A request to a worker: simulate a scenario, write its events, or describe its network. */
export interface Request {
  readonly scenario: ScenarioInput
  /** An own definition; null for an algorithm of the catalogue. */
  readonly code: OwnCode | null
  /** A change at one moment; the events before it stay as they were. */
  readonly intervention: Intervention | null
  /** What the page has seen of the run that is changed; the scenario then has every default. */
  readonly seen?: SeenRun | undefined
  readonly want: 'run' | 'trace' | 'world'
}

/** A request to count the messages of an election on networks of these sizes. */
export interface GrowthRequest {
  readonly scenario: ScenarioInput
  readonly code: OwnCode | null
  readonly want: 'growth'
  readonly sizes: readonly number[]
  /** The number of runs of each size. */
  readonly seeds: number
}

/** The cost of an election on networks of one size, by seed, and what is proven about it. */
export interface GrowthPoint {
  readonly n: number
  readonly costs: readonly number[]
  readonly bounds: readonly {
    readonly kind: Bound['kind']
    readonly formula: string
    readonly value: number
  }[]
}

/** A module with instrumented code; its pieces are numbered from `base` on. */
export interface CoveredModule {
  readonly path: string
  readonly compiled: string
  readonly base: number
}

/** A request to simulate a scenario again and tell which code runs in each step. */
export interface CoverageRequest extends Omit<Request, 'want'> {
  /** An own definition is one of the modules, with its path. */
  readonly modules: readonly CoveredModule[]
  readonly want: 'coverage'
}

export type EngineAnswer =
  /** The entry of an own definition. */
  | { readonly what: 'own'; readonly entry: AlgorithmEntry }
  /** The scenario was accepted: with every default, and the facts of its network. */
  | {
      readonly what: 'begun'
      readonly scenario: Scenario | AggregationScenario
      readonly world: RunFacts
      /** The parameters as the nodes have them. */
      readonly params: SeenRun['params']
    }
  | { readonly what: 'chunk'; readonly chunk: Chunk }
  /** The estimates of an aggregation after a cycle. */
  | { readonly what: 'cycle'; readonly entry: CycleEntry }
  /** `cut`: the run was stopped at the limit of steps of the page. */
  | { readonly what: 'ended'; readonly result: RunResult | CycleResult; readonly cut: boolean }
  | { readonly what: 'world'; readonly world: RunFacts }
  /** The event log, as `conclave run --trace` writes it. */
  | { readonly what: 'trace'; readonly text: string }
  /** Further steps by the numbers of their sets, and new sets of pieces of code. */
  | {
      readonly what: 'coverage'
      readonly steps: Int32Array
      readonly sets: readonly (readonly number[])[]
    }
  | { readonly what: 'covered' }
  /** The next point of a growth; null after the last. */
  | { readonly what: 'grown'; readonly point: GrowthPoint | null }
  | CheckerAnswer
  /** Own code threw an error, in this line of the compiled code or the source, if it is known. */
  | {
      readonly what: 'failed'
      readonly message: string
      readonly line: number | null
      readonly sourceLine?: number
    }
  /** The request is for another worker. */
  | { readonly what: 'elsewhere' }
  /** A usage error; `field` is the field that caused it, if there is one. */
  | { readonly what: 'refused'; readonly message: string; readonly field: string | null }

export type SessionReply = (answer: EngineAnswer) => void

/** A session of a worker: it pauses at each yield, so that other messages are handled. */
export type Session = Generator<void, void, void>
