export { catalogue } from './catalogue.ts'
export * from './elections.ts'
export { type Aggregation, aggregations } from './gossip/aggregations.ts'
export { convergenceFactor } from './gossip/convergence.ts'
