export {
  type Aggregation,
  type AggregationSettings,
  defaultsOf,
  type WordSetting,
} from './aggregation.ts'
export { leased } from './complete/lease/leased.ts'
export {
  aggregationNamed,
  algorithmNamed,
  catalogue,
  definitionNamed,
  findDefinition,
  isOfCatalogue,
  otherNames,
  sealedDefinition,
} from './definitions.ts'
export * from './elections.ts'
export { type AggregationName, aggregations } from './gossip/aggregations.ts'
export { convergenceFactor } from './gossip/convergence.ts'
export { gossipParams } from './gossip/gossip.ts'
export { gossip, ownGossip } from './gossip/own-aggregation.ts'
export {
  byMessages,
  electionFor,
  isCapability,
  offers,
  refusalOf,
  usualPlace,
} from './kinds.ts'
