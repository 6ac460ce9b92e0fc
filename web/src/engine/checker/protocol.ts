import type { ArrangedResult } from '../../../../src/api/arrangements.ts'
import type { WorstReport } from '../../../../src/api/worst-report.ts'
import type {
  DrawnGraph,
  SearchProgress,
  Snapshot,
  TransitionJson,
  WalkedPath,
} from '../../../../src/check/index.ts'
import type { ProvedFor } from '../../../../src/prove/prove.ts'
import type { CounterexampleJson } from '../../../../src/prove/report/counterexample-json.ts'
import type { Arc } from '../../../../src/prove/report/named-arcs.ts'
import type { ScenarioInput } from '../../../../src/scenario/index.ts'
import type { RunFacts } from '../../recording/run-log.ts'
import type { OwnCode } from '../protocol.ts'

/** What is explored. Both parts have the names of flags of `conclave check`. */
export interface CheckSettings {
  readonly algorithm: string
  /** The fields of a scenario: the network, ids, order, starts. */
  readonly given: ScenarioInput
  /** The mode, the most faults of each kind, and the limits of handlers. */
  readonly asked: ScenarioInput
}

/** The settings, and an own definition; null for an algorithm of the catalogue. */
export interface CheckSubject {
  readonly settings: CheckSettings
  readonly code: OwnCode | null
}

export interface ExploreRequest extends CheckSubject {
  readonly want: 'explore'
  /** Stops beyond this many states. */
  readonly states: number
  /** Which worst case over all schedules is computed, if any. */
  readonly worst: WorstReport['of'] | null
}

/** How many states there may be, judged by smaller networks. */
export interface EstimateRequest extends CheckSubject {
  readonly want: 'estimate'
}

/** Goes along a path of the model, and says what can happen at its end. */
export interface WalkRequest extends CheckSubject {
  readonly want: 'walk'
  readonly path: readonly TransitionJson[]
}

export interface GraphRequest extends CheckSubject {
  readonly want: 'graph'
  /** The most states that are drawn. */
  readonly most: number
}

/** Turns a run of the checker into a scenario of the simulator. */
export interface SimulatedRunRequest extends CheckSubject {
  readonly want: 'simulate'
  readonly path: readonly TransitionJson[]
  /** The property that the run violates, if any. */
  readonly property: string | null
}

/** Counts messages of an own definition on growing networks. */
export interface MeasureRequest {
  readonly want: 'measure'
  readonly scenario: ScenarioInput
  readonly code: OwnCode
}

/** A request to replay a trace of the checker; the worker reads the file. */
export interface ReplayRequest {
  readonly trace: string
  /** The definition, where it is not in the catalogue. */
  readonly code: OwnCode | null
  readonly want: 'replay'
}

/** Proves a definition for every n. */
export interface ProofRequest {
  readonly want: 'prove'
  readonly algorithm: string
  readonly code: OwnCode | null
  /** The clauses of the invariant that are used. */
  readonly clauses: { readonly only: readonly string[] } | { readonly without: readonly string[] }
}

export type CheckerRequest =
  | ProofRequest
  | ExploreRequest
  | EstimateRequest
  | WalkRequest
  | GraphRequest
  | SimulatedRunRequest
  | MeasureRequest
  | ReplayRequest

/** A counterexample to induction with what a picture of it needs. */
export interface PageCounterexample extends CounterexampleJson {
  readonly topology: 'ring' | 'complete'
  /** The names of all fields; what a record leaves out may be anything. */
  readonly fields: {
    readonly node: readonly string[]
    /** By type: how definitions write it, and its fields. */
    readonly messages: Readonly<
      Record<string, { readonly word: string; readonly fields: readonly string[] }>
    >
  }
  /** The ways on the ring of which the clause speaks. */
  readonly arcs: readonly Arc[]
}

/** A clause of a proof: a property of the problem, or one that the definition states. */
export interface ProvedClause {
  readonly name: string
  readonly from: 'goal' | 'stated'
  readonly verdict: 'proved' | 'open' | 'left out'
  readonly counterexample: PageCounterexample | null
}

/** The result of an attempt to prove. */
export interface PageProof {
  readonly verdict: 'proved' | 'open' | 'refused'
  readonly for: ProvedFor | null
  readonly topology: 'ring' | 'complete'
  readonly clauses: readonly ProvedClause[]
  /** Why nothing can be proved about the definition. */
  readonly refusal: string | null
  /** What own code may do so that nothing is proved; null if its source shows that it does not. */
  readonly unshown: string | null
  /** Steps on small networks that were tried. */
  readonly steps: number
}

/** A number of states that was not counted but extrapolated. */
export interface StateEstimate {
  /** The states of smaller networks, by their numbers of nodes. */
  readonly counted: readonly { readonly n: number; readonly states: number }[]
  readonly n: number
  /** Null where there is nothing to judge by. */
  readonly states: number | null
}

/** A scenario that the simulator runs as the checker did, or why there is none. */
export type SimulatedRun =
  | { readonly scenario: ScenarioInput; readonly why: null }
  | { readonly scenario: null; readonly why: string }

export type CheckerAnswer =
  | { readonly what: 'progress'; readonly progress: SearchProgress }
  | {
      readonly what: 'explored'
      readonly result: ArrangedResult
      /** The result in a line, as `conclave check` says it. */
      readonly headline: string
      readonly worst: WorstReport | null
      readonly world: RunFacts
    }
  | { readonly what: 'proved'; readonly proof: PageProof }
  | { readonly what: 'estimated'; readonly estimate: StateEstimate }
  | { readonly what: 'walked'; readonly walked: WalkedPath; readonly world: RunFacts }
  /** The graph; null if it has too many states. */
  | { readonly what: 'graph'; readonly graph: DrawnGraph | null }
  | { readonly what: 'simulated'; readonly run: SimulatedRun }
  /** Messages on networks of one size, one number for each seed. */
  | {
      readonly what: 'measured'
      readonly n: number
      readonly totals: readonly number[]
      readonly broken: string | null
    }
  /** The states of nodes in the run of a trace, or the counterexample to induction in it. */
  | {
      readonly what: 'replayed'
      readonly snapshots: readonly Snapshot[]
      readonly counterexample: PageCounterexample | null
    }

/** Takes the answers of a session. */
export type CheckerReply = (answer: CheckerAnswer) => void
