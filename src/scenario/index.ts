export type { FieldLocator, ScenarioInput } from '../options/reading.ts'
export { flagged } from './command-line.ts'
export type { Preparation } from './election/prepare-election.ts'
export { fork, forkedRun, type SeenRun } from './fork/fork.ts'
export type { Intervention } from './fork/intervention.ts'
export type { AggregationResult } from './gossip/gossip-run.ts'
export { impliedTimings } from './gossip/gossip-settings.ts'
export type { AggregationPreparation, AggregationScenario } from './gossip/prepare-gossip.ts'
export { parametersOf, prepare } from './prepare.ts'
export { algorithmsOfRoles, rolesIn } from './roles.ts'
export {
  finished,
  type PreparedRun,
  type RunOutcome,
  type StartedRun,
  type Yardsticks,
} from './run.ts'
export type { Scenario } from './scenario.ts'
