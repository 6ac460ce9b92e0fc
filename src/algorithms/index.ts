export {
  aggregationNamed,
  algorithmNamed,
  catalogue,
  defaultAlgorithm,
  definitionNamed,
  findDefinition,
  isAggregation,
  isOfCatalogue,
  otherNames,
  sealedDefinition,
} from './catalogue.ts'
export { leased } from './complete/lease/leased.ts'
export * from './elections.ts'
export {
  type Aggregation,
  type AggregationName,
  type AggregationSettings,
  aggregations,
  type WordSetting,
} from './gossip/aggregations.ts'
export { convergenceFactor } from './gossip/convergence.ts'
export { gossipParams } from './gossip/gossip.ts'
export { defaultsOf, gossip, ownGossip } from './gossip/own-aggregation.ts'
