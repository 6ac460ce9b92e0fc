export {
  type AggregationPreparation,
  type AggregationScenario,
  gossipSettings,
  prepareAggregation,
} from './aggregation.ts'
export { type Preparation, prepare, refuseAnyStart } from './preparation.ts'
export { prepareRoles } from './roles.ts'
export { flagged, type Given, type Scenario, type Where } from './scenario.ts'
