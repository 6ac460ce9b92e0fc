export {
  type AggregationPreparation,
  type AggregationScenario,
  prepareAggregation,
} from './aggregation.ts'
export type { Elected } from './count-leader.ts'
export { fork, forkAggregation } from './fork.ts'
export { gossipSettings, timingFor } from './gossip-settings.ts'
export type { Intervention } from './intervention.ts'
export { type Preparation, prepare } from './preparation.ts'
export { prepareRoles, rolesIn } from './roles.ts'
export { flagged, type Given, type Scenario, type Where } from './scenario.ts'
