/**
 * `conclave`: the library's front door. It exports the algorithm language, the catalogue, the
 * functions that run an algorithm, and the types of their options and results. The coordinator and
 * the inner parts of the engines have subpaths. docs/api.md has a sentence on every export.
 */
export type { Aggregation } from './algorithms/aggregation.ts'
export { catalogue } from './algorithms/definitions.ts'
export * from './algorithms/elections.ts'
export { type AggregationName, aggregations } from './algorithms/gossip/aggregations.ts'
export {
  type AggregateDefinition,
  type AggregationDefinition,
  gossip,
  type SettingDefinition,
} from './algorithms/gossip/own-aggregation.ts'
export { check, type ExplorationOptions, type ExplorationResult } from './api/check.ts'
export {
  type ExperimentOptions,
  type ExperimentResult,
  type ExperimentRow,
  type ExperimentTarget,
  experiment,
  type SweepValues,
} from './api/experiment.ts'
export { type JoinOptions, join } from './api/join.ts'
export {
  type ClauseReport,
  type FoundReport,
  type ProofOptions,
  type ProofRefusal,
  type ProofReport,
  type ProvedRuns,
  prove,
} from './api/prove.ts'
export type { ClauseReach } from './api/prove-exploration.ts'
export {
  type GossipOptions,
  type GossipResult,
  type MessageTypeOf,
  type SettingsOf,
  type SimulatedNode,
  type SimulateOptions,
  type SimulationResult,
  simulate,
} from './api/simulate.ts'
export type { AlgorithmOf, ElectionName, ElectionTarget } from './api/targets.ts'
export type { Member } from './cluster/member.ts'
export type { Address } from './cluster/transports/address.ts'
export { sealed } from './core/runtime/sealed/sealed.ts'
export type { TraceEvent } from './core/trace/trace-event.ts'
export type {
  CrashFault,
  CrashShareFault,
  CutFault,
  DelayOption,
  FaultSpan,
  IdPattern,
  LinkDelay,
  MessageFault,
  NodeStart,
  PartitionFault,
  PauseFault,
  RecoveryFault,
  RetirementFault,
  ScenarioOptions,
  SuspicionFault,
} from './options/scenario-options.ts'
export * from './problems/index.ts'
export type { CounterexampleJson } from './prove/report/counterexample-json.ts'
export type { Delay } from './sim/conditions.ts'
