export {
  type CheckOptions,
  type CheckResult,
  type Counterexample,
  checkBeforeWalks,
  checkWorld,
  walksIn,
} from './check.ts'
export {
  type CostFigure,
  type SampleRun,
  validateWorstCase,
  type WorstCase,
  worstCase,
} from './cost/worst-case.ts'
export type { ExplainedRun, ExplainedStep } from './counterexample/explain.ts'
export {
  type ReplayResult,
  randomRun,
  replay,
  type Snapshot,
} from './counterexample/replay.ts'
export type { TransitionJson } from './counterexample/transition-json.ts'
export { ringCloses, withRestarts } from './model/routing.ts'
export { SystemCache } from './model/system-cache.ts'
export { inNeither, type NeverHappened, neverInWords } from './never.ts'
export {
  anyFault,
  boundedDelay,
  defaultMode,
  defaultNodes,
  defaultOptions,
  defaultOrder,
  FAULT_KINDS,
  type FaultKind,
  type FaultOptions,
  MOST_ARRANGED,
  MOST_STATES,
  type Mode,
  type ModelOptions,
  modeText,
} from './options.ts'
export { PermutationSummary, type SummarisedResult } from './properties/permutation-summary.ts'
export { overallVerdict, RESERVED_PROPERTY_NAMES } from './properties/property-evaluator.ts'
export { IdPermutations, orbitRepresentatives } from './reduction/symmetry.ts'
export { type SearchBudget, type SearchProgress, TIME_LIMIT_REASON } from './search/budget.ts'
export type { WalkOptions, WalksMade } from './search/random-walks.ts'
export type {
  SearchThread,
  SearchThreads,
  ThreadSetup,
  ThreadUpdate,
} from './search/threads/search-threads.ts'
export { validateOptions } from './validate-options.ts'
export type { DrawnGraph } from './walk/drawn-graph.ts'
export { ModelWalk, snapshotsOf, type WalkedPath } from './walk/model-walk.ts'
