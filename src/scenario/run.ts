import type { Topology } from '../core/index.ts'
import type { Property } from '../core/language/problem.ts'
import type { World } from '../core/language/world.ts'
import type { CycleResult } from '../sim/gossip/cycle-result.ts'
import type {
  AggregationRun,
  Conditions,
  CycleEntry,
  Observers,
  RunResult,
  Simulation,
} from '../sim/index.ts'
import type { AggregationScenario } from './gossip/prepare-gossip.ts'
import type { Scenario } from './scenario.ts'

/** A run that is ready to begin, of an election or of an aggregation. */
export interface PreparedRun {
  /** With all defaults. */
  readonly scenario: Scenario | AggregationScenario
  readonly topology: Topology
  /** The world before the first event, and its conditions; null where nothing is sent. */
  messages(): MessageWorld | null
  /** About how many bytes of memory the run takes. */
  bytes(): number
  run(watching?: Watching): StartedRun
}

/** A world in which nodes send messages or meet, and all that may happen to it. */
export interface MessageWorld {
  readonly world: World
  readonly conditions: Conditions
}

/** What is watched in a run. */
export interface Watching extends Observers {
  /** What must hold besides the properties of an election. */
  readonly properties?: readonly Property[]
  /** Whether the result of an aggregation lists its nodes; left out: if there are few. */
  readonly listed?: boolean | undefined
  /** Whether the result of an election with equal ids says how nodes differ; it does by default. */
  readonly symmetry?: boolean
}

/** A run under way. */
export interface StartedRun<Result extends RunOutcome = RunOutcome> {
  /** The simulation of its messages; null where exchanges are atomic. */
  readonly simulation: Simulation | null
  /** The aggregation that it computes by gossip; null for an election. */
  readonly gossip: AggregationRun | null
  /** What the nodes of an aggregation knew after each cycle so far. */
  readonly cycles: readonly CycleEntry[]
  /** The result as a node knows it; NaN where it knows none. */
  estimate(node: number): number
  /** Goes on for so many events, or for a cycle of an aggregation; returns whether it has ended. */
  step(events: number): boolean
  /** Looks at what it has reached; what that takes is no part of the run. */
  look(): void
  /** How far it is, in words. */
  progress(): string
  /** How much of it is done, from 0 to 1; as far as theory knows. */
  share(): number
  /** What came out of it. */
  result(): Result
  /** What its result is measured by. */
  yardsticks(result: Pick<RunOutcome, 'leader'>): Yardsticks
}

/** What theory says of a run, and what units of theory are worth in it. */
export interface Yardsticks {
  /** Messages that announce the leader. */
  readonly announced: number
  /** The proven lower bound on messages for this problem, up to a constant. */
  readonly lower: number | null
  /** The largest delay, which is the unit of time bounds. */
  readonly longest: number
}

/** The result of a run, with its scenario. */
export type RunOutcome = (RunResult | CycleResult) & {
  readonly scenario: Scenario | AggregationScenario
}

/** Runs to the end. */
export function finished<R extends StartedRun>(run: R): R {
  while (!run.step(Number.MAX_SAFE_INTEGER));
  return run
}
