/** The catalogue: every election and aggregation, by name and one by one. */
export type { Aggregation } from '../../algorithms/aggregation.ts'
export { leased } from '../../algorithms/complete/lease/leased.ts'
export { catalogue } from '../../algorithms/definitions.ts'
export * from '../../algorithms/elections.ts'
export { type AggregationName, aggregations } from '../../algorithms/gossip/aggregations.ts'
