export { check, type ExplorationOptions, type ExplorationResult } from './api/check.ts'
export * from './api/language.ts'
export type {
  Crash,
  CrashShare,
  CutFault,
  FalseSuspicion,
  IdPattern,
  MessageFault,
  PartitionFault,
  Recovery,
  Retirement,
  ScenarioOptions,
  Span,
  Start,
} from './api/scenario-options.ts'
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
export * from './core/index.ts'
export { leaderElection } from './problems/leader-election.ts'
