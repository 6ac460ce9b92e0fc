export { fork, forkAggregation } from './fork/fork.ts'
export type { Intervention } from './fork/intervention.ts'
export type { ElectedCounter } from './gossip/count-leader.ts'
export { gossipSettings, timingFor } from './gossip/gossip-settings.ts'
export {
  type AggregationPreparation,
  type AggregationScenario,
  prepareAggregation,
} from './gossip/prepare-gossip.ts'
export { type Preparation, prepare } from './prepare.ts'
export { prepareRoles, rolesIn } from './roles.ts'
export { type FieldLocator, flagged, type Scenario, type ScenarioInput } from './scenario.ts'
