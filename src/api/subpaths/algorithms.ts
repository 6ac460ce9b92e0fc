/** The catalogue: every election and aggregation, by name and one by one. */
export { catalogue } from '../../algorithms/catalogue.ts'
export { leased } from '../../algorithms/complete/lease/leased.ts'
export * from '../../algorithms/elections.ts'
export {
  type Aggregation,
  type AggregationName,
  aggregations,
} from '../../algorithms/gossip/aggregations.ts'
