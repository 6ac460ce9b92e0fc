/** Worlds for the engines: networks, ids and faults, made from a scenario or by hand. */
export {
  electedBy,
  type NetworkForm,
  network,
  networkForms,
  Random,
  type Topology,
  type World,
} from '../../core/index.ts'
export { propertiesOf } from '../../problems/algorithm-properties.ts'
export {
  type ElectionResult,
  type ElectionRun,
  electionRun,
} from '../../scenario/election/election-run.ts'
export {
  type AggregationPreparation,
  type AggregationScenario,
  type FieldLocator,
  type Preparation,
  prepare,
  type Scenario,
  type ScenarioInput,
} from '../../scenario/index.ts'
